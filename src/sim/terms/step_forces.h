// Computes the forces of a step (sim/model/forces.h), part by part. It moves nothing and changes no result.
#pragma once

#include "sim/model/forces.h"
#include "sim/terms/step_terms.h"

namespace marrow {

// After a solve of a part, before friction takes the forces of its result: the contact forces in the equation
// that was solved. They replace those of the solve before.
void record_contact_forces(StepTerms& terms, const StepPlan& plan, const VecX& n);

// After a part that succeeded: adds its forces to those of the step. before: the state at its start.
// share: its part of the step.
void add_part_forces(StepTerms& terms, const StepPlan& plan, const State& before, const VecX& n, double share,
                     StepForces& forces);

// After the last part: torques about centres and points of application. Pairs without contact at the end keep
// the forces of earlier parts.
void finish_forces(const Kinematics& kinematics, const VecX& n, StepForces& forces);

}  // namespace marrow
