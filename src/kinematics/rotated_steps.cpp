#include "kinematics/rotated_steps.h"

#include <algorithm>

#include "kinematics/free_flight.h"
#include "math/rotation.h"

namespace marrow {
namespace {

// The part of a step that is not a rotation is small if it is below this fraction of the rotation.
constexpr double kMostStretch = 0.3;

// Keeps the inertia of nodes on a line invertible; they do not rotate about that line.
constexpr double kSmallInertia = 1e-13;

}  // namespace

RotatedSteps::RotatedSteps(const Kinematics& kinematics, const std::vector<char>& is_fixed,
                           const NodePath& path, const RotationLimits& least) {
  for (const Body& body : kinematics.bodies) {
    if (body.kind == BodyKind::Rigid || body.kind == BodyKind::Obstacle) continue;
    if (body.node_count < 2 || has_fixed(body, is_fixed)) continue;
    RotatedStep step = {body.first_node, body.node_count,
                        compute_mean(path.start, body.first_node, body.node_count),
                        compute_mean(path.direction, body.first_node, body.node_count), Vec3::Zero()};
    Mat3 inertia = Mat3::Zero();
    Vec3 momentum = Vec3::Zero();
    double radius = 0;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      const Vec3 r = path.start.segment<3>(3 * i) - step.center;
      inertia += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
      momentum += r.cross(Vec3(path.direction.segment<3>(3 * i)));
      radius = std::max(radius, r.norm());
    }
    inertia.diagonal().array() += kSmallInertia * inertia.trace();
    step.rotation = inertia.ldlt().solve(momentum);
    const double angle = step.rotation.norm();
    const bool is_worth_it =
        body.kind == BodyKind::Affine ? angle > least.turn : 0.5 * angle * angle * radius > least.stretch;
    if (!is_worth_it) continue;
    double stretch = 0;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      const Vec3 r = path.start.segment<3>(3 * i) - step.center;
      const Vec3 turned = step.shift + step.rotation.cross(r);
      stretch = std::max(stretch, (path.direction.segment<3>(3 * i) - turned).norm());
    }
    if (stretch <= kMostStretch * angle * radius) steps_.push_back(step);
  }
}

NodePath RotatedSteps::bend(const NodePath& path, double part) const {
  NodePath bent = path.cut(part);
  for (const RotatedStep& step : steps_) {
    const double angle = part * step.rotation.norm();
    const Vec3 rotation = part * step.rotation * std::min(1.0, kLargestTurn / angle);
    const Mat3 R = rotation_from_vector(rotation);
    for (Index i = step.first_node; i < step.first_node + step.node_count; ++i) {
      const Vec3 r = path.start.segment<3>(3 * i) - step.center;
      const Vec3 stretch = path.direction.segment<3>(3 * i) - step.shift - step.rotation.cross(r);
      bent.direction.segment<3>(3 * i) = part * step.shift + R * (r + part * stretch) - r;
    }
  }
  return bent;
}

}  // namespace marrow
