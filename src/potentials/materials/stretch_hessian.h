// Every isotropic material gives its second derivative in the frame of the principal stretches.
//
// With F = U diag(s) Vᵀ, ∂²Ψ/∂F² splits into a 3×3 block over uᵢvᵢᵀ (scaling) and one number for each of
// (uᵢvⱼᵀ − uⱼvᵢᵀ)/√2 (twist) and (uᵢvⱼᵀ + uⱼvᵢᵀ)/√2 (flip): (Pᵢ ± Pⱼ)/(sᵢ ± sⱼ) with Pᵢ = ∂Ψ/∂sᵢ. The
// stretches are signed (math/svd3.h): the last stretch of an inverted element is negative.
#pragma once

#include <algorithm>

#include "core/macros.h"
#include "core/types.h"

namespace marrow {

// Entry k of twist and flip belongs to the pair (k+1, k+2) mod 3.
struct StretchHessian {
  Mat3 scaling;
  Vec3 twist;
  Vec3 flip;
};

// ∂J/∂F: J F⁻ᵀ where F can be inverted.
MARROW_HD inline Mat3 compute_cofactor(const Mat3& F) {
  Mat3 cofactor;
  cofactor.col(0) = F.col(1).cross(F.col(2));
  cofactor.col(1) = F.col(2).cross(F.col(0));
  cofactor.col(2) = F.col(0).cross(F.col(1));
  return cofactor;
}

// sᵢ + sⱼ as a divisor. It is never negative, and zero only where the rotation of F is not defined.
inline constexpr double kLeastStretchSum = 1e-12;  // [safety net: no division by 0]
MARROW_HD inline double stretch_sum(const Vec3& s, int i, int j) {
  return std::max(s[i] + s[j], kLeastStretchSum);
}

}  // namespace marrow
