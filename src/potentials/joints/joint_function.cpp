#include "potentials/joints/joint_function.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace marrow {
namespace {

// Below this, a length has no direction, and an angle no value: derivatives are left out there.
// [safety net: no division by 0]
constexpr double kNothing = 1e-300;

JointFunction compute_length(const StackedVec& z) {
  const double length = z.norm();
  JointFunction result{length, StackedVec::Zero(3), StackedMat::Zero(3, 3)};
  if (length < kNothing) return result;
  const Vec3 u = z / length;
  result.gradient = u;
  result.hessian = (Mat3::Identity() - u * u.transpose()) / length;
  return result;
}

JointFunction compute_dot(const StackedVec& z) {
  JointFunction result{z.head<3>().dot(z.tail<3>()), StackedVec(6), StackedMat::Zero(6, 6)};
  result.gradient << z.tail<3>(), z.head<3>();
  result.hessian.block<3, 3>(0, 3).setIdentity();
  result.hessian.block<3, 3>(3, 0).setIdentity();
  return result;
}

// θ(s, c) = atan2(s, c) with s = z₀·z₂, c = z₀·z₁.
JointFunction compute_angle(const StackedVec& z, double near) {
  const Vec3 e = z.segment<3>(0), p = z.segment<3>(3), q = z.segment<3>(6);
  const double s = e.dot(q), c = e.dot(p), square = s * s + c * c;
  JointFunction result{near, StackedVec::Zero(9), StackedMat::Zero(9, 9)};
  if (square < kNothing) return result;
  result.value = near + std::remainder(std::atan2(s, c) - near, 2 * std::numbers::pi);
  StackedVec ds(9), dc(9);
  ds << q, Vec3::Zero(), e;
  dc << p, e, Vec3::Zero();
  const double by_s = c / square, by_c = -s / square;
  result.gradient = by_s * ds + by_c * dc;
  // Second derivatives: by s twice, by c twice, and mixed.
  const double mixed = (s * s - c * c) / (square * square), twice = 2 * s * c / (square * square);
  result.hessian = twice * (dc * dc.transpose() - ds * ds.transpose()) +
                   mixed * (ds * dc.transpose() + dc * ds.transpose());
  const Mat3 one = Mat3::Identity();
  result.hessian.block<3, 3>(0, 6) += by_s * one;
  result.hessian.block<3, 3>(6, 0) += by_s * one;
  result.hessian.block<3, 3>(0, 3) += by_c * one;
  result.hessian.block<3, 3>(3, 0) += by_c * one;
  return result;
}

}  // namespace

JointFunction compute_joint_function(CoordinateKind kind, const StackedVec& z, double near) {
  switch (kind) {
    case CoordinateKind::Length:
      return compute_length(z);
    case CoordinateKind::Dot:
      return compute_dot(z);
    case CoordinateKind::Angle:
      break;
  }
  return compute_angle(z, near);
}

VectorStencil::VectorStencil(const std::vector<WeightedPoint>& vectors) {
  for (const WeightedPoint& z : vectors) nodes_.insert(nodes_.end(), z.nodes.begin(), z.nodes.end());
  std::sort(nodes_.begin(), nodes_.end());
  nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  weights_.assign(vectors.size() * nodes_.size(), 0);
  for (size_t j = 0; j < vectors.size(); ++j) {
    offsets_.push_back(vectors[j].offset);
    for (size_t k = 0; k < vectors[j].nodes.size(); ++k) {
      const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), vectors[j].nodes[k]) - nodes_.begin();
      weights_[j * nodes_.size() + static_cast<size_t>(at)] += vectors[j].weights[k];
    }
  }
}

StackedVec VectorStencil::gather(const VecX& n) const {
  StackedVec z(3 * vector_count());
  for (int j = 0; j < vector_count(); ++j) {
    Vec3 sum = offsets_[static_cast<size_t>(j)];
    for (size_t i = 0; i < nodes_.size(); ++i) sum += weight(j, i) * n.segment<3>(3 * nodes_[i]);
    z.segment<3>(3 * j) = sum;
  }
  return z;
}

Vec3 VectorStencil::pull(const StackedVec& dq_dz, size_t node) const {
  Vec3 sum = Vec3::Zero();
  for (int j = 0; j < vector_count(); ++j) sum += weight(j, node) * dq_dz.segment<3>(3 * j);
  return sum;
}

void VectorStencil::pull_gradient(const StackedVec& dq_dz, std::span<Vec3> out) const {
  for (size_t i = 0; i < nodes_.size(); ++i) out[i] = pull(dq_dz, i);
}

void VectorStencil::pull_hessian(const StackedMat& d2q_dz2, std::span<Mat3> blocks) const {
  size_t slot = 0;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    for (size_t k = i; k < nodes_.size(); ++k, ++slot) {
      blocks[slot].setZero();
      for (int j = 0; j < vector_count(); ++j) {
        for (int l = 0; l < vector_count(); ++l) {
          blocks[slot] += weight(j, i) * weight(l, k) * d2q_dz2.block<3, 3>(3 * j, 3 * l);
        }
      }
    }
  }
}

double VectorStencil::compute_mobility(const StackedVec& dq_dz,
                                       std::span<const double> inverse_resistance) const {
  double sum = 0;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    sum += inverse_resistance[static_cast<size_t>(nodes_[i])] * pull(dq_dz, i).squaredNorm();
  }
  return sum;
}

double VectorStencil::compute_magnitude(const StackedVec& dq_dz, const VecX& n) const {
  double sum = 0;
  for (size_t i = 0; i < nodes_.size(); ++i)
    sum += pull(dq_dz, i).norm() * n.segment<3>(3 * nodes_[i]).norm();
  for (int j = 0; j < vector_count(); ++j) {
    sum += dq_dz.segment<3>(3 * j).norm() * offsets_[static_cast<size_t>(j)].norm();
  }
  return sum;
}

}  // namespace marrow
