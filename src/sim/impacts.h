// Fast bodies (docs/decisions/0021-fast-bodies.md).
//
// Where two bodies would be deep in each other at the end of a step, deeper than the radius of curvature
// there, the objective has no minimum on the near side: Newton would slide around, and bodies pass each
// other. So a step in which two bodies meet, free or prescribed, is taken in parts if they
// would move past each other where they meet by more than half of the smaller one's half-width, and into each
// other by more than a tenth of it: to where they meet, a short part over that (a quarter of the half-width),
// the rest. Every part is looked at again.
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

// How much of the interval to take first; 1: all of it, no impact asks for less.
double find_first_part(StepTerms& terms, const Interval& interval, const State& state);

}  // namespace marrow
