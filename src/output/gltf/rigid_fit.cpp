#include "output/gltf/rigid_fit.h"

#include <Eigen/SVD>
#include <algorithm>

namespace marrow {
namespace {

// Points whose second moment is below this share of the largest one lie on a line: a thousandth of the length
// across, where a rotation about the line is not to be seen.
constexpr double kFlatMoment = 1e-6;

Vec3 compute_mean(std::span<const Vec3> points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& x : points) sum += x;
  return sum / static_cast<double>(points.size());
}

}  // namespace

RigidFit::RigidFit(std::span<const Vec3> rest) : centre_(compute_mean(rest)) {
  Eigen::AlignedBox3d box;
  Mat3 moments = Mat3::Zero();
  for (const Vec3& X : rest) {
    arms_.push_back(X - centre_);
    moments += arms_.back() * arms_.back().transpose();
    box.extend(X);
  }
  size_ = box.diagonal().norm();
  const Vec3 spread = Eigen::JacobiSVD<Mat3>(moments).singularValues();
  has_rotation_ = spread[1] > kFlatMoment * spread[0];
}

GltfPose RigidFit::fit(std::span<const Vec3> points, double& error) const {
  GltfPose pose;
  pose.translation = compute_mean(points);
  Mat3 moments = Mat3::Zero();
  for (size_t i = 0; i < arms_.size(); ++i) {
    moments += (points[i] - pose.translation) * arms_[i].transpose();
  }
  const Eigen::JacobiSVD<Mat3> svd(moments, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vec3 signs = Vec3::Ones();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) signs[2] = -1;
  const Mat3 rotation = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
  error = 0;
  for (size_t i = 0; i < arms_.size(); ++i) {
    error = std::max(error, (rotation * arms_[i] + pose.translation - points[i]).norm());
  }
  pose.rotation = Eigen::Quaterniond(rotation).normalized();
  return pose;
}

}  // namespace marrow
