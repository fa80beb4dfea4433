// Singular value decomposition of a 3×3 matrix with proper rotations: F = U diag(s) Vᵀ, det U = det V = 1,
// s₀ ≥ s₁ ≥ |s₂|; a reflection sits in the sign of s₂.
//
// One-sided Jacobi (Hestenes): rotate pairs of columns of F until they are orthogonal. Unlike the eigenvalues
// of FᵀF it keeps full relative accuracy for small singular values.
#pragma once

#include <cmath>

#include "core/macros.h"
#include "core/types.h"

namespace marrow {

struct Svd3 {
  Mat3 U;
  Vec3 s;
  Mat3 V;
};

namespace detail {

// Makes columns p and q of A orthogonal by a rotation from the right; returns whether one was needed.
MARROW_HD inline bool rotate_columns(Mat3& A, Mat3& V, int p, int q) {
  const double a = A.col(p).squaredNorm();
  const double b = A.col(q).squaredNorm();
  const double c = A.col(p).dot(A.col(q));
  if (c == 0 || c * c <= 1e-32 * a * b) return false;
  const double zeta = (b - a) / (2 * c);
  const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double cosine = 1 / std::sqrt(1 + t * t);
  const double sine = cosine * t;
  const Vec3 ap = A.col(p), vp = V.col(p);
  A.col(p) = cosine * ap - sine * A.col(q);
  A.col(q) = sine * ap + cosine * A.col(q);
  V.col(p) = cosine * vp - sine * V.col(q);
  V.col(q) = sine * vp + cosine * V.col(q);
  return true;
}

// Swaps two columns and turns one around, which keeps V a rotation.
MARROW_HD inline void swap_columns(Mat3& A, Mat3& V, int p, int q) {
  const Vec3 ap = A.col(p), vp = V.col(p);
  A.col(p) = A.col(q);
  V.col(p) = V.col(q);
  A.col(q) = -ap;
  V.col(q) = -vp;
}

// Some unit vector orthogonal to the unit vector u.
MARROW_HD inline Vec3 any_orthogonal(const Vec3& u) {
  const Vec3 axis = std::abs(u[0]) < 0.6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
  return u.cross(axis).normalized();
}

}  // namespace detail

MARROW_HD inline Svd3 compute_svd3(const Mat3& F) {
  // Scale to unit size, so that squares neither overflow nor vanish.
  const double scale = F.cwiseAbs().maxCoeff();
  Svd3 result{Mat3::Identity(), Vec3::Zero(), Mat3::Identity()};
  if (!(scale > 0) || !std::isfinite(scale)) return result;
  Mat3 A = F / scale;
  Mat3& V = result.V;
  for (int sweep = 0; sweep < 12; ++sweep) {
    const bool rotated_01 = detail::rotate_columns(A, V, 0, 1);
    const bool rotated_02 = detail::rotate_columns(A, V, 0, 2);
    const bool rotated_12 = detail::rotate_columns(A, V, 1, 2);
    if (!rotated_01 && !rotated_02 && !rotated_12) break;
  }

  // Sort the columns by length, longest first.
  if (A.col(0).squaredNorm() < A.col(1).squaredNorm()) detail::swap_columns(A, V, 0, 1);
  if (A.col(1).squaredNorm() < A.col(2).squaredNorm()) detail::swap_columns(A, V, 1, 2);
  if (A.col(0).squaredNorm() < A.col(1).squaredNorm()) detail::swap_columns(A, V, 0, 1);

  // U from the columns; directions of zero length are chosen freely.
  const double s0 = A.col(0).norm();
  const Vec3 u0 = A.col(0) / s0;
  Vec3 u1 = A.col(1) - u0 * u0.dot(A.col(1));
  const double s1 = u1.norm();
  u1 = s1 > 1e-300 ? Vec3(u1 / s1) : detail::any_orthogonal(u0);
  const Vec3 u2 = u0.cross(u1);
  result.U.col(0) = u0;
  result.U.col(1) = u1;
  result.U.col(2) = u2;
  result.s = scale * Vec3(s0, s1, u2.dot(A.col(2)));
  return result;
}

// The rotation R closest to F (polar decomposition F = R S).
MARROW_HD inline Mat3 compute_polar_rotation(const Mat3& F) {
  const Svd3 svd = compute_svd3(F);
  return svd.U * svd.V.transpose();
}

}  // namespace marrow
