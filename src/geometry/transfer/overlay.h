// The overlap of two simplices of the same dimension, and the integrals of products of their linear functions
// over it.
//
// A piece of the overlap is a simplex whose corners know their weights (barycentric coordinates) in both. The
// new simplex is the first piece; it is cut by the planes of the old one, one after the other, and each cut
// leaves at most D pieces of each piece. No predicate decides: a weight with a misjudged sign moves a corner
// by rounding, and the integrals are continuous. Slivers are kept.
//
//   ∫ f g = V/((d+1)(d+2)) [ (Σ f)(Σ g) + Σ fᵢ gᵢ ]        over a simplex of volume V with corner values f, g
#pragma once

#include <Eigen/Dense>

#include "core/types.h"

namespace marrow {

// D = 2: triangles in the plane z = 0; D = 3: tets.
template <int D>
using SimplexWeights = Eigen::Matrix<double, D + 1, 1>;

template <int D>
using CornerMatrix = Eigen::Matrix<double, D + 1, D + 1>;

// A simplex by the matrix with a column (1, corner) per corner: weights λ of a point x solve  C λ = (1, x).
template <int D>
struct PlacedSimplex {
  CornerMatrix<D> corners;
  CornerMatrix<D> inverse;  // the weights of (1, x) are inverse · (1, x)
  double volume = 0;        // > 0 where the corners are positively oriented
};

template <int D>
PlacedSimplex<D> place_simplex(const std::array<Vec3, D + 1>& corners);

// What the overlap of a new and an old simplex adds.
template <int D>
struct Overlap {
  double volume = 0;
  CornerMatrix<D> products = CornerMatrix<D>::Zero();  // ∫ λᵢ(new) λⱼ(old)
  CornerMatrix<D> own = CornerMatrix<D>::Zero();       // ∫ λᵢ(new) λⱼ(new)
  int piece_count = 0;
};

template <int D>
Overlap<D> compute_overlap(const PlacedSimplex<D>& fresh, const PlacedSimplex<D>& old);

}  // namespace marrow
