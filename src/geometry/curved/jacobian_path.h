// How far the nodes of a curved tet may move straight before its Jacobian loses too much anywhere in it.
//
//   x(ξ) = Σ n_k w_k(ξ),    det ∂x/∂ξ: a polynomial of degree 3(p − 1) in ξ, of degree 3 in time
//
// Its Bernstein coefficients in space and time bound it over the whole element and the whole way, unlike any
// sample of points. Where they leave a doubt, the element and the way are halved. Rounding is covered by a
// margin (docs/models/curved.md).
#pragma once

#include <span>
#include <vector>

#include "geometry/curved/bernstein.h"

namespace marrow {

class JacobianPath {
 public:
  explicit JacobianPath(int order);

  int order() const { return order_; }

  // The largest t found, at most 1, with det(ξ, s) > kept · det(ξ, 0) for all ξ in the tet and all s in [0,
  // t]; 0 if det(ξ, 0) cannot be shown to be positive. starts and moves: one per node, kept in [0, 1).
  double find_limit(std::span<const Vec3> starts, std::span<const Vec3> moves, double kept) const;

  // Bounds of det over the element; exact where the element is halved without end.
  struct Bounds {
    double low, high;
  };
  Bounds bound(std::span<const Vec3> nodes, int halvings) const;

 private:
  struct Coefficients;
  struct Way;

  Coefficients compute(std::span<const Vec3> starts, std::span<const Vec3> moves) const;
  bool is_certain(const Way& way, double margin, int depth) const;

  int order_;
  std::vector<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>> slopes_;  // per direction: from nodes
  std::vector<BernsteinProduct> cross_products_, triple_products_;
  int cross_count_, count_;
  std::vector<int> corners_;  // the coefficients that are values at corners
  std::array<MatX, 8> halves_;
};

}  // namespace marrow
