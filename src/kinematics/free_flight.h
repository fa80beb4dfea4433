// Where nodes go without forces. Soft nodes go straight; a stiff body turns, and keeps its angular momentum:
//
//   L = Σ m r × v,   ω = I(R)⁻¹ L,   R′ = [ω] R
//
// Straight nodes would stretch a turning body, and the potential that keeps its shape, or the chart, would
// take the energy of the spin away.
#pragma once

#include "kinematics/body.h"

namespace marrow {

struct Prediction {
  VecX nodes;
  VecX velocities;
};

// The state after the time h. is_fixed: one flag per node; bodies with fixed nodes go straight.
Prediction predict_inertial(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                            const VecX& nodes, const VecX& velocities, double h);

// BDF2's free flight: as over a step in which velocities are u/3 + 2/9 (4v − v⁻), with u those of the last
// path. Of a body that turns this is said of its angular momentum, so that a free one keeps it
// (docs/models/stiff.md).
struct TwoStepPrediction {
  Prediction prediction;  // ñ, and the velocities (4v − v⁻)/3 there
  VecX path_velocities;   // at ñ, of the path that leads there
};

// now and before: the last two states; path: the velocities of the path between them.
TwoStepPrediction predict_two_steps(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                                    const Prediction& now, const Prediction& before, const VecX& path,
                                    double h);

// How fast what forces did becomes velocity [1/s]: of the body's way and turn, and of its strain.
struct ForceRates {
  double motion = 0;
  double strain = 0;
};

// The velocities once forces have taken the nodes from where they flew, ñ, to n. Soft nodes have
// ṽ + rate (n − ñ). A stiff body has the angular momentum of its flight and that of the
// forces, Σ m r × rate (n − ñ) with the arms r at n, so that what holds two bodies together changes nothing
// of the sum of theirs, and a body that is stopped stands still, however far it would have turned.
VecX update_velocities(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                       const Prediction& prediction, const ForceRates& rates, const VecX& n);

// Velocities of a stiff body's nodes with the same momentum and angular momentum, and no strain.
void make_velocities_rigid(const Body& body, const VecX& nodes, VecX& velocities);

// The same of all rigid bodies.
void make_velocities_rigid(const Kinematics& kinematics, const VecX& nodes, VecX& velocities);

// Flags the nodes of affine bodies without fixed nodes that turn by less than this in the time h: their free
// flight does not strain them. [rad]
void flag_unstrained(const Kinematics& kinematics, const std::vector<char>& is_fixed, const Prediction& state,
                     double h, double most_turn, std::vector<char>& flags);

// Whether any node of the body is.
bool has_fixed(const Body& body, const std::vector<char>& is_fixed);

// Whether the body flies: stiff, and no node of it prescribed.
bool is_flying(const Body& body, const std::vector<char>& is_fixed);

// By how much a stiff body turns in the time h with the momentum that it has [rad].
double compute_turn(const Body& body, const VecX& nodes, const VecX& velocities, double h);

}  // namespace marrow
