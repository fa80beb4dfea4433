// The rigid motion that fits points best: rotation and translation of a node, and how far that is off.
//
// With X the points at rest about their mean and x those of a frame about theirs, the rotation that minimises
// Σ |R X − x|² is R = U D Vᵀ for the singular values U S Vᵀ of Σ x Xᵀ, D = diag(1, 1, det U Vᵀ) (Kabsch
// 1976).
#pragma once

#include <span>

#include "core/types.h"

namespace marrow {

struct GltfPose {
  Vec3 translation = Vec3::Zero();  // of the mean [m]
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

class RigidFit {
 public:
  explicit RigidFit(std::span<const Vec3> rest);

  // Whether the points span a plane at least; on a line any rotation about it fits.
  bool has_rotation() const { return has_rotation_; }
  const Vec3& centre() const { return centre_; }
  // Box diagonal at rest [m].
  double size() const { return size_; }

  // error: the largest distance from a point to where the pose puts it [m].
  GltfPose fit(std::span<const Vec3> points, double& error) const;

 private:
  Points arms_;  // about the centre
  Vec3 centre_ = Vec3::Zero();
  double size_ = 0;
  bool has_rotation_ = false;
};

}  // namespace marrow
