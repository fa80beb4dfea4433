// Builds the values with which the forces on each body are compared when a solve stops (solve/balance.h).
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

// For the part of a step that has just been started: gravity and loads on each body, its free mass.
Balance build_balance(StepTerms& terms, const StepPlan& plan, const State& state);

// Without inertia, a body on which only gravity and loads act moves by at most the size of a body per
// iteration.
Restraint build_restraint(const StepTerms& terms, const StepPlan& plan);

}  // namespace marrow
