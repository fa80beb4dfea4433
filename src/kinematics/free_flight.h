// This file predicts the motion of nodes without forces. Soft nodes move straight; an affine or rigid body
// turns, and keeps its angular momentum:
//
//   L = Σ m r × v,   ω = I(R)⁻¹ L,   R′ = [ω] R
//
// If its nodes moved straight, a turning body would stretch, and the potential that keeps its shape, or the
// chart, would remove the energy of the spin.
#pragma once

#include "kinematics/body.h"

namespace marrow {

struct Prediction {
  VecX nodes;
  VecX velocities;
};

// The state after the time h. is_fixed: one flag per node; bodies with fixed nodes move straight.
Prediction predict_inertial(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                            const VecX& nodes, const VecX& velocities, double h);

// The free flight of BDF2 is that over a step in which velocities are u/3 + 2/9 (4v − v⁻), with u those of
// the last path. For a body that turns, this applies to its angular momentum, so that a free body keeps it
// (docs/models/stiff.md).
struct TwoStepPrediction {
  Prediction prediction;  // ñ, and the velocities (4v − v⁻)/3 there
  VecX path_velocities;   // at ñ, of the path that leads there
};

// now and before: the last two states; path: the velocities of the path between them.
TwoStepPrediction predict_two_steps(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                                    const Prediction& now, const Prediction& before, const VecX& path,
                                    double h);

// The velocity per displacement that forces caused [1/s]: for the motion and rotation of a body, and for its
// strain.
struct ForceRates {
  double motion = 0;
  double strain = 0;
};

// The velocities after forces have moved the nodes from the prediction ñ to n. Soft nodes have
// ṽ + rate (n − ñ). An affine or rigid body has the angular momentum of its flight plus that of the forces,
// Σ m r × rate (n − ñ) with the arms r at n. So forces that hold two bodies together do not change the sum of
// their angular momenta, and a body that is stopped stands still, however far it would have turned.
VecX update_velocities(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                       const Prediction& prediction, const ForceRates& rates, const VecX& n);

// Gives the nodes of an affine or rigid body velocities with the same momentum and angular momentum, and no
// strain.
void make_velocities_rigid(const Body& body, const VecX& nodes, VecX& velocities);

// The same for all rigid bodies.
void make_velocities_rigid(const Kinematics& kinematics, const VecX& nodes, VecX& velocities);

// Flags the nodes of affine bodies without fixed nodes that turn by less than this in the time h: their free
// flight does not strain them. [rad]
void flag_unstrained(const Kinematics& kinematics, const std::vector<char>& is_fixed, const Prediction& state,
                     double h, double most_turn, std::vector<char>& flags);

// True if any node of the body is fixed.
bool has_fixed(const Body& body, const std::vector<char>& is_fixed);

// True if the body flies: it is affine or rigid, and no node of it is prescribed.
bool is_flying(const Body& body, const std::vector<char>& is_fixed);

// The angle by which an affine or rigid body turns in the time h with its present momentum [rad].
double compute_turn(const Body& body, const VecX& nodes, const VecX& velocities, double h);

}  // namespace marrow
