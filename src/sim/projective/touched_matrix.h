// The constant matrix with rows of vertices that touch added to it: B = A + Σ_c w_c v_c v_cᵀ, for a few
// steps.
//
//   dense    Woodbury: B⁻¹ = A⁻¹ − U C⁻¹ Uᵀ, U = A⁻¹ V, C = diag(1/w) + Vᵀ U. Rows of V are short, and A⁻¹ is
//   at
//            hand, so that U is a sum of a few of its columns. More than half as many rows as unknowns:
//            inverted anew
//   sparse   the numbers are factorised anew, in the order of A: vertices couple nodes that tets couple
//   already
#pragma once

#include <optional>

#include "linalg/scalar/scalar_factor.h"

namespace marrow {

// w v vᵀ over the unknowns.
struct TouchedRow {
  std::vector<Index> columns;
  std::vector<double> values;
  double weight = 0;
};

class TouchedMatrix {
 public:
  // A and its factor must outlive the solves. False if the sum is not positive definite.
  bool set(const ScalarMatrix& A, ScalarFactor& factor, std::vector<TouchedRow> rows);

  // x = (B ⊗ I₃)⁻¹ b.
  void solve(const VecX& b, VecX& x);

 private:
  bool set_few();
  bool set_many(const ScalarMatrix& A);
  bool set_others(const ScalarMatrix& A);

  ScalarFactor* factor_ = nullptr;
  std::vector<TouchedRow> rows_;
  bool is_few_ = false;
  bool has_others_ = false;
  MatX U_, C_;  // C is inverted
  std::optional<ScalarFactor> whole_;
  VecX touched_;
};

}  // namespace marrow
