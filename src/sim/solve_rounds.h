// The solves of one part of a step: friction ⊃ joints ⊃ Newton.
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

struct SolveOutcome {
  NewtonReport newton;           // counts of all solves, the verdict of the last
  int friction_rounds = 0;       // solves with friction
  double friction_residual = 0;  // by how much another solve would change velocities [m/s]
};

struct SolveLimits {
  int iterations = 0;                  // of each Newton solve
  bool may_leave_joints_open = false;  // where something is in their way
};

// Solves, and solves again with the friction forces of the result, until they agree: until forces balance
// with them too. At most as often as the scene says.
SolveOutcome solve_with_friction(StepTerms& terms, const StepPlan& plan, const SolveLimits& limits, VecX& n);

// Solves, and solves again until the joints hold. Where something is in the way, pulling harder only presses
// bodies together: then joints are left open, if they may be, else the verdict is JointsPress.
NewtonReport solve_with_joints(StepTerms& terms, const StepPlan& plan, const SolveLimits& limits, VecX& n);

// Lets contact watch the iterations of a solve: κ grows while gaps are tiny and shrink.
void add_contact_watch(StepTerms& terms, NewtonProblem& problem);

}  // namespace marrow
