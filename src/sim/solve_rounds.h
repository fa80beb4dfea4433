// The solves of one part of a step are nested: friction ⊃ joints ⊃ Newton.
#pragma once

#include "sim/terms/step_terms.h"

namespace marrow {

struct SolveOutcome {
  NewtonReport newton;           // counts of all solves, the verdict of the last
  int friction_rounds = 0;       // solves with friction
  double friction_residual = 0;  // velocity change that another solve would make [m/s]
};

struct SolveLimits {
  int iterations = 0;                  // of each Newton solve
  bool may_leave_joints_open = false;  // if something blocks them
  bool may_be_cut_short = false;       // after these iterations, however exact it is then
};

// Solves, and solves again with the friction forces of the result, until they agree, that is, until forces
// balance with them too. The scene limits the number of solves.
SolveOutcome solve_with_friction(StepTerms& terms, const StepPlan& plan, const SolveLimits& limits, VecX& n);

// Solves, and solves again until the joints hold. If something is in the way, pulling harder only presses
// bodies together. Joints are then left open if that is allowed; otherwise the verdict is JointsPress.
NewtonReport solve_with_joints(StepTerms& terms, const StepPlan& plan, const SolveLimits& limits, VecX& n);

// Lets contact watch the iterations of a solve: κ grows while gaps are tiny and shrink.
void add_contact_watch(StepTerms& terms, NewtonProblem& problem);

}  // namespace marrow
