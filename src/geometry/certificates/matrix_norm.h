// An upper bound of the largest singular value of a 3×3 matrix, for what must hold in spite of rounding.
//
//   ‖A‖₂ = λ(AᵀA)^½ = λ((AᵀA)⁴)^⅛ ≤ ‖(AᵀA)⁴‖∞^⅛        λ: the largest eigenvalue
//
// Exact for multiples of rotations, and at most 7 % too large.
#pragma once

#include <cmath>

#include "core/macros.h"
#include "core/types.h"

namespace marrow {

MARROW_HD inline double bound_spectral_norm(const Mat3& A) {
  const double size = A.cwiseAbs().maxCoeff();
  if (!(size > 0)) return size;  // zero, or not a number
  const Mat3 B = A / size;
  const Mat3 M = B.transpose() * B;
  const Mat3 M2 = M * M;
  const Mat3 M4 = M2 * M2;
  return 1.000001 * size * std::pow(M4.cwiseAbs().rowwise().sum().maxCoeff(), 0.125);
}

}  // namespace marrow
