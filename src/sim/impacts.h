// This file divides the steps of fast bodies (docs/decisions/0021-fast-bodies.md).
//
// If two bodies would penetrate at the end of a step by more than the radius of curvature there, the
// objective has no minimum on the near side: Newton would slide around, and the bodies would pass each other.
// So a step in which two bodies meet, free or prescribed, is taken in parts if they would move past each
// other by more than half of the smaller one's half-width, and into each other by more than a tenth of it,
// both measured where they meet. The parts lead to where they meet, over a short stretch there (a quarter of
// the half-width), and over the rest. Every part is examined again.
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

// The fraction of the interval to take first. 1: all of it, because no impact requires less.
double find_first_part(StepTerms& terms, const Interval& interval, const State& state);

}  // namespace marrow
