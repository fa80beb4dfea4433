// This file computes the coordinate q(z) of a joint with its derivatives, and maps them from its vectors z to
// the nodes:
//
//   z_j = o_j + Σ_i w_ji n_i,   ∂q/∂n_i = Σ_j w_ji ∂q/∂z_j,   ∂²q/∂n_i∂n_k = Σ_jl w_ji w_kl ∂²q/∂z_j∂z_l
//
// so a matrix that is positive semi-definite over the z is so over the nodes.
#pragma once

#include <array>
#include <span>

#include "potentials/joints/joint.h"

namespace marrow {

// Up to three vectors, one after the other.
using StackedVec = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 9, 1>;
using StackedMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 9, 9>;

struct JointFunction {
  double value = 0;
  StackedVec gradient;
  StackedMat hessian;
};

// near: among the values that an angle may have, the nearest to this is taken.
JointFunction compute_joint_function(CoordinateKind kind, const StackedVec& z, double near);

// A list of vectors over the nodes they have in common.
class VectorStencil {
 public:
  explicit VectorStencil(const std::vector<WeightedPoint>& vectors);

  int vector_count() const { return static_cast<int>(offsets_.size()); }
  const std::vector<Index>& nodes() const { return nodes_; }

  StackedVec gather(const VecX& n) const;

  // Turns derivatives by z into those by the nodes, in their order; out is overwritten.
  void pull_gradient(const StackedVec& dq_dz, std::span<Vec3> out) const;
  void pull_hessian(const StackedMat& d2q_dz2, std::span<Mat3> blocks) const;

  // Σ_i |∂q/∂n_i|² / r_i: how easily q changes. inverse_resistance: 1/r of every node.
  double compute_mobility(const StackedVec& dq_dz, std::span<const double> inverse_resistance) const;

  // Σ_i |∂q/∂n_i| |n_i| and the same of offsets: the size of the numbers whose rounding q inherits.
  double compute_magnitude(const StackedVec& dq_dz, const VecX& n) const;

 private:
  double weight(int vector, size_t node) const {
    return weights_[static_cast<size_t>(vector) * nodes_.size() + node];
  }
  Vec3 pull(const StackedVec& dq_dz, size_t node) const;

  std::vector<Index> nodes_;
  std::vector<double> weights_;  // by vector, then node
  std::vector<Vec3> offsets_;
};

}  // namespace marrow
