// Projects velocities onto those that joints allow. Newmark's rule assumes that a force changes a position by
// h/2 times the change of velocity. This does not hold for the force that keeps a joint closed: velocities
// across joints would change their sign from step to step, and grow. So after a step they are projected onto
// those that keep the joints closed, by impulses at the joints (as in RATTLE, Andersen 1983):
//
//   v ← P (v − M⁻¹ Jᵀ λ),   J P M⁻¹ Jᵀ λ = J v − r
//
// J is the Jacobian of the held rows, and r the rates at which motors change them. P leaves the nodes of
// affine and rigid bodies with velocities without strain; it is the projection that is orthogonal with
// respect to M.
#pragma once

#include "potentials/joints/joint_row.h"
#include "sim/model/model.h"

namespace marrow {

// is_fixed: nodes whose velocities are prescribed; n: the positions of the nodes.
void project_joint_velocities(const Model& model, const std::vector<char>& is_fixed,
                              std::vector<HeldRate> rates, const VecX& n, VecX& velocities);

}  // namespace marrow
