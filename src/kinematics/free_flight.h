// Where nodes go without forces. Soft nodes go straight; a stiff body turns, and keeps its angular momentum:
//
//   L = Σ m r × v,   ω = I(R)⁻¹ L,   R′ = [ω] R
//
// Straight nodes would stretch a turning body, and the potential that keeps its shape, or the chart, would
// take the energy of the spin away.
#pragma once

#include "kinematics/body.h"

namespace marrow {

struct FlownState {
  VecX nodes;
  VecX velocities;
};

// The state after the time h. is_fixed: one flag per node; bodies with fixed nodes go straight.
FlownState fly_free(const Kinematics& kinematics, const std::vector<char>& is_fixed, const VecX& nodes,
                    const VecX& velocities, double h);

// Velocities of a rigid body's nodes with the same momentum and angular momentum, and no strain.
void make_velocities_rigid(const Body& body, const VecX& nodes, VecX& velocities);

}  // namespace marrow
