#include "kinematics/free_flight.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exec/parallel.h"
#include "math/rotation.h"

namespace marrow {
namespace {

constexpr double kLargestTurn = 0.02;  // of a step of the rotation [rad]
constexpr double kMostSteps = 10000;

// A body's motion as that of its four equal masses: centre, arms, and the velocities that belong to them.
struct Spin {
  Vec3 center, velocity;
  std::array<Vec3, 4> arms, strains;  // strains: velocities that are neither of the centre nor of turning
  Mat3 inverse_inertia;
  Vec3 momentum;  // angular; both per mass of a node
};

Spin find_spin(const Body& body, const VecX& n, const VecX& v) {
  Spin spin;
  spin.center = spin.velocity = spin.momentum = Vec3::Zero();
  for (Index i = 0; i < 4; ++i) {
    spin.center += n.segment<3>(3 * (body.first_node + i)) / 4;
    spin.velocity += v.segment<3>(3 * (body.first_node + i)) / 4;
  }
  Mat3 inertia = Mat3::Zero();
  for (Index i = 0; i < 4; ++i) {
    const Vec3 r = n.segment<3>(3 * (body.first_node + i)) - spin.center;
    spin.arms[i] = r;
    spin.strains[i] = v.segment<3>(3 * (body.first_node + i)) - spin.velocity;
    inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
    spin.momentum += r.cross(spin.strains[i]);
  }
  spin.inverse_inertia = inertia.inverse();
  const Vec3 omega = spin.inverse_inertia * spin.momentum;
  for (Index i = 0; i < 4; ++i) spin.strains[i] -= omega.cross(spin.arms[i]);
  return spin;
}

// The rotation over the time h with constant angular momentum, by midpoint steps.
Mat3 integrate_rotation(const Spin& spin, double h) {
  const auto compute_omega = [&](const Mat3& R) {
    return Vec3(R * (spin.inverse_inertia * (R.transpose() * spin.momentum)));
  };
  Mat3 R = Mat3::Identity();
  const double turn = compute_omega(R).norm() * h;
  const double steps = std::clamp(std::ceil(turn / kLargestTurn), 1.0, kMostSteps);
  const double dt = h / steps;
  for (int k = 0; k < static_cast<int>(steps); ++k) {
    const Mat3 half = rotation_from_vector(0.5 * dt * compute_omega(R)) * R;
    R = rotation_from_vector(dt * compute_omega(half)) * R;
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
    if (spin.momentum.isZero(0)) return;
    const Mat3 R = integrate_rotation(spin, h);
    const Vec3 omega = R * (spin.inverse_inertia * (R.transpose() * spin.momentum));
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
  const Vec3 omega = spin.inverse_inertia * spin.momentum;
  for (Index i = 0; i < 4; ++i) {
    velocities.segment<3>(3 * (body.first_node + i)) = spin.velocity + omega.cross(spin.arms[i]);
  }
}

}  // namespace marrow
