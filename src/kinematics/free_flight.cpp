#include "kinematics/free_flight.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exec/parallel.h"
#include "math/rotation.h"
#include "math/svd3.h"

namespace marrow {
namespace {

constexpr double kLargestSubturn = 0.005;  // rotation per step of its integration [rad]
constexpr double kMostSteps = 10000;

// The motion of a body, as that of its four equal point masses.
struct Spin {
  Vec3 center, velocity;
  std::array<Vec3, 4> arms, strains;  // strains: velocities less those of centre and rotation
  Mat3 inertia, inverse_inertia;
  Vec3 momentum;  // angular momentum; like the inertia, per mass of a node
  std::array<bool, 6> is_locked;
  bool has_locks;

  // The angular velocity after the rotation R. It is zero about locked axes, whatever the momentum.
  Vec3 compute_omega(const Mat3& R) const {
    if (!has_locks) return R * (inverse_inertia * (R.transpose() * momentum));
    Mat3 turned = R * inertia * R.transpose();
    Vec3 free = momentum;
    for (int k = 0; k < 3; ++k) {
      if (!is_locked[static_cast<size_t>(k) + 3]) continue;
      turned.row(k).setZero();
      turned.col(k).setZero();
      turned(k, k) = 1;
      free[k] = 0;
    }
    return turned.inverse() * free;
  }
};

// Computes the inertia of the present arms.
void update_inertia(Spin& spin) {
  spin.inertia.setZero();
  for (const Vec3& r : spin.arms) spin.inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
  spin.inverse_inertia = spin.inertia.inverse();
}

Spin find_spin(const Body& body, const VecX& n, const VecX& v) {
  Spin spin;
  spin.center = spin.velocity = spin.momentum = Vec3::Zero();
  for (Index i = 0; i < 4; ++i) {
    spin.center += n.segment<3>(3 * (body.first_node + i)) / 4;
    spin.velocity += v.segment<3>(3 * (body.first_node + i)) / 4;
  }
  spin.is_locked = body.is_locked;
  spin.has_locks = std::find(body.is_locked.begin(), body.is_locked.end(), true) != body.is_locked.end();
  for (int k = 0; k < 3; ++k) {
    if (body.is_locked[static_cast<size_t>(k)]) spin.velocity[k] = 0;
  }
  for (Index i = 0; i < 4; ++i) {
    const Vec3 r = n.segment<3>(3 * (body.first_node + i)) - spin.center;
    spin.arms[i] = r;
    spin.strains[i] = v.segment<3>(3 * (body.first_node + i)) - spin.velocity;
    spin.momentum += r.cross(spin.strains[i]);
  }
  update_inertia(spin);
  const Vec3 omega = spin.compute_omega(Mat3::Identity());
  for (Index i = 0; i < 4; ++i) spin.strains[i] -= omega.cross(spin.arms[i]);
  if (spin.has_locks) spin.strains.fill(Vec3::Zero());  // only rigid bodies have locks
  return spin;
}

// Sets velocities that have the angular momentum of the spin. The rotation contained in strains is removed.
void set_velocities(Spin spin, const Body& body, VecX& velocities) {
  for (size_t i = 0; i < 4; ++i) spin.momentum -= spin.arms[i].cross(spin.strains[i]);
  const Vec3 omega = spin.compute_omega(Mat3::Identity());
  for (Index i = 0; i < 4; ++i) {
    velocities.segment<3>(3 * (body.first_node + i)) =
        spin.velocity + omega.cross(spin.arms[i]) + spin.strains[i];
  }
}

// The rotation over the time h with constant angular momentum, by midpoint steps.
Mat3 integrate_rotation(const Spin& spin, double h) {
  Mat3 R = Mat3::Identity();
  const double turn = spin.compute_omega(R).norm() * h;
  const double steps = std::clamp(std::ceil(turn / kLargestSubturn), 1.0, kMostSteps);
  const double dt = h / steps;
  for (int k = 0; k < static_cast<int>(steps); ++k) {
    const Mat3 half = rotation_from_vector(0.5 * dt * spin.compute_omega(R)) * R;
    R = rotation_from_vector(dt * spin.compute_omega(half)) * R;
  }
  return R;
}

// The rotation nearest to the map from one set of arms to the other.
Mat3 find_rotation(const std::array<Vec3, 4>& from, const std::array<Vec3, 4>& to) {
  Mat3 moments = Mat3::Zero(), map = Mat3::Zero();
  for (size_t i = 0; i < 4; ++i) {
    moments += from[i] * from[i].transpose();
    map += to[i] * from[i].transpose();
  }
  return compute_polar_rotation(map * moments.inverse());
}

void update_velocities(const Body& body, const Prediction& prediction, const ForceRates& rates, const VecX& n,
                       VecX& velocities) {
  const Spin flight = find_spin(body, prediction.nodes, prediction.velocities);
  Spin spin = find_spin(body, n, velocities);  // of its velocities only that of the centre is used
  const Mat3 R = find_rotation(flight.arms, spin.arms);
  spin.momentum = flight.momentum;
  for (size_t i = 0; i < 4; ++i) {
    spin.momentum += rates.motion * spin.arms[i].cross(-flight.arms[i]);
    spin.strains[i] = R * flight.strains[i] + rates.strain * (spin.arms[i] - R * flight.arms[i]);
  }
  if (body.kind == BodyKind::Rigid) spin.strains.fill(Vec3::Zero());
  set_velocities(spin, body, velocities);
}

}  // namespace

Prediction predict_inertial(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                            const VecX& nodes, const VecX& velocities, double h) {
  Prediction prediction = {nodes + h * velocities, velocities};
  exec::parallel_for("kinematics.fly", kinematics.bodies.size(), [&](size_t b) {
    const Body& body = kinematics.bodies[b];
    if (!is_flying(body, is_fixed)) return;
    Spin spin = find_spin(body, nodes, velocities);
    if (spin.momentum.isZero(0) && !spin.has_locks) return;
    const Mat3 R = integrate_rotation(spin, h);
    for (Index i = 0; i < 4; ++i) {
      spin.strains[i] = R * spin.strains[i];
      spin.arms[i] = R * spin.arms[i] + h * spin.strains[i];
      prediction.nodes.segment<3>(3 * (body.first_node + i)) = spin.center + h * spin.velocity + spin.arms[i];
    }
    update_inertia(spin);
    set_velocities(spin, body, prediction.velocities);
  });
  return prediction;
}

TwoStepPrediction predict_two_steps(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                                    const Prediction& now, const Prediction& before, const VecX& path,
                                    double h) {
  const VecX after = (4 * now.velocities - before.velocities) / 3;
  TwoStepPrediction flight = {{now.nodes, after}, path / 3 + 2.0 / 3 * after};
  flight.prediction.nodes += h * flight.path_velocities;
  exec::parallel_for("kinematics.fly", kinematics.bodies.size(), [&](size_t b) {
    const Body& body = kinematics.bodies[b];
    if (!is_flying(body, is_fixed)) return;
    const Spin spin = find_spin(body, now.nodes, now.velocities);
    const Spin spin_before = find_spin(body, before.nodes, before.velocities);
    const Spin spin_path = find_spin(body, now.nodes, path);
    Spin moved = spin;
    const Vec3 momentum_after = (4 * spin.momentum - spin_before.momentum) / 3;
    moved.momentum = spin_path.momentum / 3 + 2.0 / 3 * momentum_after;
    moved.velocity = spin_path.velocity / 3 + 2.0 / 9 * (4 * spin.velocity - spin_before.velocity);
    const Mat3 R = integrate_rotation(moved, h);
    for (Index i = 0; i < 4; ++i) {
      moved.strains[i] = R * spin.strains[i];
      moved.arms[i] = R * spin.arms[i] + h * moved.strains[i];
      flight.prediction.nodes.segment<3>(3 * (body.first_node + i)) =
          spin.center + h * moved.velocity + moved.arms[i];
    }
    update_inertia(moved);
    set_velocities(moved, body, flight.path_velocities);
    moved.momentum = momentum_after;
    moved.velocity = (4 * spin.velocity - spin_before.velocity) / 3;
    set_velocities(moved, body, flight.prediction.velocities);
  });
  return flight;
}

VecX update_velocities(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                       const Prediction& prediction, const ForceRates& rates, const VecX& n) {
  VecX velocities = prediction.velocities + rates.motion * (n - prediction.nodes);
  exec::parallel_for("kinematics.land", kinematics.bodies.size(), [&](size_t b) {
    const Body& body = kinematics.bodies[b];
    if (is_flying(body, is_fixed)) update_velocities(body, prediction, rates, n, velocities);
  });
  return velocities;
}

bool has_fixed(const Body& body, const std::vector<char>& is_fixed) {
  const auto first = is_fixed.begin() + body.first_node;
  return std::any_of(first, first + body.node_count, [](char flag) { return flag != 0; });
}

bool is_flying(const Body& body, const std::vector<char>& is_fixed) {
  return is_affine_or_rigid(body.kind) && !has_fixed(body, is_fixed);
}

double compute_turn(const Body& body, const VecX& nodes, const VecX& velocities, double h) {
  return h * find_spin(body, nodes, velocities).compute_omega(Mat3::Identity()).norm();
}

void make_velocities_rigid(const Body& body, const VecX& nodes, VecX& velocities) {
  Spin spin = find_spin(body, nodes, velocities);
  spin.strains.fill(Vec3::Zero());
  set_velocities(spin, body, velocities);
}

void make_velocities_rigid(const Kinematics& kinematics, const VecX& nodes, VecX& velocities) {
  exec::parallel_for(
      "kinematics.rigid_velocities", kinematics.bodies.size(),
      [&](size_t b) {
        const Body& body = kinematics.bodies[b];
        if (body.kind == BodyKind::Rigid) make_velocities_rigid(body, nodes, velocities);
      },
      16);
}

void flag_unstrained(const Kinematics& kinematics, const std::vector<char>& is_fixed, const Prediction& state,
                     double h, double most_turn, std::vector<char>& flags) {
  for (const Body& body : kinematics.bodies) {
    if (body.kind != BodyKind::Affine || !is_flying(body, is_fixed)) continue;
    if (compute_turn(body, state.nodes, state.velocities, h) > most_turn) continue;
    std::fill_n(flags.begin() + body.first_node, body.node_count, 1);
  }
}

}  // namespace marrow
