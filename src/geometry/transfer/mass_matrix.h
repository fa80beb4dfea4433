// The consistent mass matrix of linear elements, Mᵢⱼ = ∫ φᵢ φⱼ, as a product by elements.
//
// The spectrum of diag(M)⁻¹ M lies in [1/2, 1 + D/2] on every mesh, so conjugate gradients with the diagonal
// take some thirty iterations to rounding, whatever the size and the shape of the elements.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/types.h"
#include "mesh/buckets.h"

namespace marrow {

// A simplex with its number of corners: the first three of four for triangles.
using SimplexCorners = std::array<Index, 4>;

class MassMatrix {
 public:
  MassMatrix(int dimension, size_t point_count, std::vector<SimplexCorners> simplices, VecX volumes);

  // Sums, at every point, what its simplices have for it: parts has a row per corner of each simplex.
  MatX gather(const MatX& parts) const;

  MatX multiply(const MatX& values) const;

  struct Solution {
    MatX values;
    int iterations = 0;
  };
  // Solves M x = b for each column. Points of no simplex stay 0.
  Solution solve(const MatX& b) const;

  size_t corner_count() const { return corners_; }

 private:
  size_t corners_;
  std::vector<SimplexCorners> simplices_;
  VecX volumes_;
  Buckets<Index> slots_;  // of each point: simplex · corners + corner
  VecX diagonal_;
};

}  // namespace marrow
