// Velocities that joints allow. Newmark's rule takes what a force did to a place for half of what it does to
// the velocity; of the force that keeps a joint closed this is not true, and velocities across joints would
// change their sign from step to step and grow. So after a step they are projected onto those that keep the
// joints closed, by impulses at the joints (as in RATTLE, Andersen 1983):
//
//   v ← P (v − M⁻¹ Jᵀ λ),   J P M⁻¹ Jᵀ λ = J v − r
//
// J: the slopes of what joints hold, r: the rates at which motors change it, P: the nodes of a stiff body
// have velocities without strain; it is the projection that M measures right angles by.
#pragma once

#include "potentials/joints/joint_row.h"
#include "sim/model/model.h"

namespace marrow {

// is_fixed: nodes whose velocities are prescribed; n: where the nodes are.
void project_joint_velocities(const Model& model, const std::vector<char>& is_fixed,
                              std::vector<HeldRate> rates, const VecX& n, VecX& velocities);

}  // namespace marrow
