// A step of the projective stepper without guarantee: it ends where projections lead, and vertices that are
// inside of other bodies are drawn out. Bodies may pass through each other; the report says how deep.
#pragma once

#include "sim/model/report.h"
#include "sim/terms/step_terms.h"

namespace marrow {

// Advances the state by one step; this never fails.
StepReport take_unguarded_step(StepTerms& terms, State& state);

}  // namespace marrow
