// Sparse scalar matrix by rows: weights (points × nodes) and masses (nodes × nodes). It acts on 3-vectors, as
// W ⊗ I₃.
#pragma once

#include "core/types.h"

namespace marrow {

struct ScalarMatrix {
  Index columns = 0;
  std::vector<Index> offsets = {0};  // rows + 1
  std::vector<Index> indices;        // ascending within a row
  std::vector<double> values;

  Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
};

struct Triplet {
  Index row;
  Index column;
  double value;
};

// Sums entries of equal place in the order given.
ScalarMatrix build_scalar_matrix(Index rows, Index columns, std::vector<Triplet> triplets);

ScalarMatrix build_identity(Index size);

// Aᵀ B, for A and B with the same rows.
ScalarMatrix multiply_transposed(const ScalarMatrix& A, const ScalarMatrix& B);

// A B.
ScalarMatrix multiply(const ScalarMatrix& A, const ScalarMatrix& B);

// y = (A ⊗ I₃) x.
void multiply(const ScalarMatrix& A, const VecX& x, VecX& y);

// The diagonal matrix of the row sums.
ScalarMatrix lump_rows(const ScalarMatrix& A);

}  // namespace marrow
