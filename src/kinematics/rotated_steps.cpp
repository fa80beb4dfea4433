#include "kinematics/rotated_steps.h"

#include <algorithm>

#include "kinematics/free_flight.h"
#include "math/rotation.h"

namespace marrow {
namespace {

// What is not a turn is small below this part of what is.
constexpr double kMostStretch = 0.3;

// Keeps the turn of nodes on a line defined: about it, none.
constexpr double kSmallInertia = 1e-13;

}  // namespace

RotatedSteps::RotatedSteps(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                           const NodePath& path, const RotationLimits& least) {
  for (const Body& body : kinematics.bodies) {
    if (body.kind == BodyKind::Rigid || body.kind == BodyKind::Obstacle) continue;
    if (body.node_count < 2 || has_fixed(body, is_fixed)) continue;
    RotatedStep swing = {body.first_node, body.node_count,
                         compute_mean(path.start, body.first_node, body.node_count),
                         compute_mean(path.direction, body.first_node, body.node_count), Vec3::Zero()};
    Mat3 inertia = Mat3::Zero();
    Vec3 momentum = Vec3::Zero();
    double radius = 0;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      const Vec3 r = path.start.segment<3>(3 * i) - swing.center;
      inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
      momentum += r.cross(Vec3(path.direction.segment<3>(3 * i)));
      radius = std::max(radius, r.norm());
    }
    inertia.diagonal().array() += kSmallInertia * inertia.trace();
    swing.rotation = inertia.ldlt().solve(momentum);
    const double angle = swing.rotation.norm();
    const bool is_worth_it =
        body.kind == BodyKind::Affine ? angle > least.turn : 0.5 * angle * angle * radius > least.stretch;
    if (!is_worth_it) continue;
    double stretch = 0;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      const Vec3 r = path.start.segment<3>(3 * i) - swing.center;
      const Vec3 turned = swing.shift + swing.rotation.cross(r);
      stretch = std::max(stretch, (path.direction.segment<3>(3 * i) - turned).norm());
    }
    if (stretch <= kMostStretch * angle * radius) steps_.push_back(swing);
  }
}

NodePath RotatedSteps::bend(const NodePath& path, double part) const {
  NodePath bent = path.cut(part);
  for (const RotatedStep& swing : steps_) {
    const double angle = part * swing.rotation.norm();
    const Vec3 rotation = part * swing.rotation * std::min(1.0, kLargestTurn / angle);
    const Mat3 R = rotation_from_vector(rotation);
    for (Index i = swing.first_node; i < swing.first_node + swing.node_count; ++i) {
      const Vec3 r = path.start.segment<3>(3 * i) - swing.center;
      const Vec3 stretch = path.direction.segment<3>(3 * i) - swing.shift - swing.rotation.cross(r);
      bent.direction.segment<3>(3 * i) = part * swing.shift + R * (r + part * stretch) - r;
    }
  }
  return bent;
}

}  // namespace marrow
