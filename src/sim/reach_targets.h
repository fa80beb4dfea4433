// Moves prescribed nodes to their targets within a part of a step (docs/models/time_step.md, prescribed
// points). Attempts are made in this order, until one arrives:
//
//   direct    straight to the targets, if all the path is safe: alone, or with the others going where inertia
//             leads them
//   push      as far as is safe, if there is room between bodies
//   pull      an augmented Lagrangian draws them, the rest of the body free to follow
//   braced    the same from the start again, with κ raised so that the barrier holds the pull off
//
// Nodes that do not arrive are held up: they stay where they are for this step.
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

struct MotionResult {
  NewtonReport newton;     // of the pulls
  int rounds = 0;          // of the pulls
  double remaining = 0;    // largest distance of a prescribed node from its target [m]
  Index farthest = kNone;  // that node
  bool is_failed = false;  // a pull failed, and no other attempt can mend it
};

// The positions that prescribed nodes should have at this time, in the order of terms.prescribed.
Points compute_targets(const StepTerms& terms, double time);

// Moves the prescribed nodes; n begins at the state's nodes.
MotionResult reach_targets(StepTerms& terms, const StepPlan& plan, const Points& targets, const State& state,
                           VecX& n);

// Measures how far the prescribed nodes are from their targets at n.
void measure_remaining(const StepTerms& terms, const Points& targets, const VecX& n, MotionResult& result);

}  // namespace marrow
