// The shape functions of a tet of order p: 1 at their own node, 0 at the others, and of sum 1.
//
//   w_a(λ) = Π_i Π_{m < a_i} (p λ_i − m)/(m + 1)        over the four barycentric coordinates
//
// A node that is not on a face has weight 0 there, exactly.
#pragma once

#include "geometry/curved/lattice.h"

namespace marrow {

class LagrangeBasis {
 public:
  explicit LagrangeBasis(int order) : order_(order), nodes_(list_lattice(order)) {}

  int order() const { return order_; }
  size_t size() const { return nodes_.size(); }
  const std::vector<LatticePoint4>& nodes() const { return nodes_; }
  Vec4 place_of(size_t node) const;  // its barycentric coordinates

  VecX weights(const Vec4& lambda) const;

  // ∂w/∂ξ_j, a row per node: ξ_j = λ_j for j = 1, 2, 3, λ₀ = 1 − Σ ξ.
  Eigen::Matrix<double, Eigen::Dynamic, 3> gradients(const Vec4& lambda) const;

 private:
  int order_;
  std::vector<LatticePoint4> nodes_;
};

}  // namespace marrow
