// A constant symmetric positive definite scalar matrix A, factorised once, and A⁻¹ applied to the three
// coordinates of many right-hand sides: (A ⊗ I₃) x = b.
//
// Two forms, the one that reads fewer bytes in a solve:
//
//   dense    the inverse: n² numbers, rows on all cores
//   sparse   CHOLMOD's factor L: its numbers twice, on one core
//
// A reduced body couples nearly all nodes, and its inverse is no larger than its factor. Both give the same
// bits on any number of threads and every processor [D19].
#pragma once

#include <memory>

#include "linalg/scalar_matrix.h"

namespace marrow {

class ScalarFactor {
 public:
  ScalarFactor();
  ~ScalarFactor();
  ScalarFactor(ScalarFactor&&) noexcept;
  ScalarFactor& operator=(ScalarFactor&&) noexcept;

  // False if A is not positive definite, or does not fit into memory. Both triangles are given.
  bool factorize(const ScalarMatrix& A);

  // The same for other numbers in the same places: a sparse factor keeps its order. The form stays.
  bool update(const ScalarMatrix& A);

  // x = (A ⊗ I₃)⁻¹ b.
  void solve(const VecX& b, VecX& x);

  bool is_dense() const;
  Index size() const;
  // A⁻¹, if it is dense.
  const MatX& inverse() const;
  // That a solve reads.
  double bytes() const;

 private:
  struct Form;
  std::unique_ptr<Form> form_;
};

}  // namespace marrow
