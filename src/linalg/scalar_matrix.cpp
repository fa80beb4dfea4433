#include "linalg/scalar_matrix.h"

#include <algorithm>

#include "exec/parallel.h"

namespace marrow {

ScalarMatrix build_scalar_matrix(Index rows, Index columns, std::vector<Triplet> triplets) {
  exec::parallel_sort("scalar_matrix.sort", triplets, [](const Triplet& a, const Triplet& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  ScalarMatrix A;
  A.columns = columns;
  A.offsets.assign(static_cast<size_t>(rows) + 1, 0);
  for (size_t k = 0; k < triplets.size(); ++k) {
    const Triplet& t = triplets[k];
    if (k > 0 && t.row == triplets[k - 1].row && t.column == triplets[k - 1].column) {
      A.values.back() += t.value;
      continue;
    }
    A.indices.push_back(t.column);
    A.values.push_back(t.value);
    ++A.offsets[t.row + 1];
  }
  for (Index i = 0; i < rows; ++i) A.offsets[i + 1] += A.offsets[i];
  return A;
}

ScalarMatrix build_identity(Index size) {
  ScalarMatrix A;
  A.columns = size;
  A.offsets.resize(static_cast<size_t>(size) + 1);
  A.indices.resize(static_cast<size_t>(size));
  A.values.assign(static_cast<size_t>(size), 1.0);
  for (Index i = 0; i < size; ++i) {
    A.offsets[i + 1] = i + 1;
    A.indices[i] = i;
  }
  return A;
}

ScalarMatrix multiply_transposed(const ScalarMatrix& A, const ScalarMatrix& B) {
  std::vector<Triplet> triplets;
  for (Index row = 0; row < A.rows(); ++row) {
    for (Index a = A.offsets[row]; a < A.offsets[row + 1]; ++a) {
      for (Index b = B.offsets[row]; b < B.offsets[row + 1]; ++b) {
        triplets.push_back({A.indices[a], B.indices[b], A.values[a] * B.values[b]});
      }
    }
  }
  return build_scalar_matrix(A.columns, B.columns, std::move(triplets));
}

ScalarMatrix multiply(const ScalarMatrix& A, const ScalarMatrix& B) {
  std::vector<Triplet> triplets;
  for (Index row = 0; row < A.rows(); ++row) {
    for (Index a = A.offsets[row]; a < A.offsets[row + 1]; ++a) {
      const Index inner = A.indices[a];
      for (Index b = B.offsets[inner]; b < B.offsets[inner + 1]; ++b) {
        triplets.push_back({row, B.indices[b], A.values[a] * B.values[b]});
      }
    }
  }
  return build_scalar_matrix(A.rows(), B.columns, std::move(triplets));
}

void multiply(const ScalarMatrix& A, const VecX& x, VecX& y) {
  y.resize(3 * A.rows());
  exec::parallel_for("scalar_matrix.multiply", static_cast<size_t>(A.rows()), [&](size_t i) {
    Vec3 sum = Vec3::Zero();
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      sum += A.values[k] * x.segment<3>(3 * A.indices[k]);
    y.segment<3>(3 * static_cast<Index>(i)) = sum;
  });
}

ScalarMatrix lump_rows(const ScalarMatrix& A) {
  ScalarMatrix lumped = build_identity(A.rows());
  for (Index i = 0; i < A.rows(); ++i) {
    double sum = 0;
    for (Index k = A.offsets[i]; k < A.offsets[i + 1]; ++k) sum += A.values[k];
    lumped.values[i] = sum;
  }
  return lumped;
}

}  // namespace marrow
