#include "kinematics/free_flight.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exec/parallel.h"
#include "math/rotation.h"

namespace marrow {
namespace {

constexpr double kLargestSubturn = 0.02;  // of a step of the rotation [rad]
constexpr double kMostSteps = 10000;

// A body's motion as that of its four equal masses: centre, arms, and the velocities that belong to them.
struct Spin {
  Vec3 center, velocity;
  std::array<Vec3, 4> arms, strains;  // strains: velocities that are neither of the centre nor of turning
  Mat3 inertia, inverse_inertia;
  Vec3 momentum;  // angular; both per mass of a node
  std::array<bool, 6> is_locked;
  bool has_locks;

  // The angular velocity after the turn R. About locked axes there is none, whatever the momentum.
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
  spin.inertia.setZero();
  for (Index i = 0; i < 4; ++i) {
    const Vec3 r = n.segment<3>(3 * (body.first_node + i)) - spin.center;
    spin.arms[i] = r;
    spin.strains[i] = v.segment<3>(3 * (body.first_node + i)) - spin.velocity;
    spin.inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
    spin.momentum += r.cross(spin.strains[i]);
  }
  spin.inverse_inertia = spin.inertia.inverse();
  const Vec3 omega = spin.compute_omega(Mat3::Identity());
  for (Index i = 0; i < 4; ++i) spin.strains[i] -= omega.cross(spin.arms[i]);
  if (spin.has_locks) spin.strains.fill(Vec3::Zero());  // a rigid body, and its locks leave nothing else
  return spin;
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

bool is_free(const Body& body, const std::vector<char>& is_fixed) {
  return std::none_of(is_fixed.begin() + body.first_node,
                      is_fixed.begin() + body.first_node + body.node_count,
                      [](char flag) { return flag != 0; });
}

}  // namespace

FlownState fly_free(const Kinematics& kinematics, const std::vector<char>& is_fixed, const VecX& nodes,
                    const VecX& velocities, double h) {
  FlownState flown = {nodes + h * velocities, velocities};
  exec::parallel_for("kinematics.fly", kinematics.bodies.size(), [&](size_t b) {
    const Body& body = kinematics.bodies[b];
    if (!is_stiff(body.kind) || !is_free(body, is_fixed)) return;
    const Spin spin = find_spin(body, nodes, velocities);
    if (spin.momentum.isZero(0) && !spin.has_locks) return;
    const Mat3 R = integrate_rotation(spin, h);
    const Vec3 omega = spin.compute_omega(R);
    for (Index i = 0; i < 4; ++i) {
      const Vec3 arm = R * spin.arms[i], strain = R * spin.strains[i];
      const Index at = 3 * (body.first_node + i);
      flown.nodes.segment<3>(at) = spin.center + h * spin.velocity + arm + h * strain;
      flown.velocities.segment<3>(at) = spin.velocity + omega.cross(arm) + strain;
    }
  });
  return flown;
}

void make_velocities_rigid(const Body& body, const VecX& nodes, VecX& velocities) {
  const Spin spin = find_spin(body, nodes, velocities);
  const Vec3 omega = spin.compute_omega(Mat3::Identity());
  for (Index i = 0; i < 4; ++i) {
    velocities.segment<3>(3 * (body.first_node + i)) = spin.velocity + omega.cross(spin.arms[i]);
  }
}

}  // namespace marrow
