// Eigenvalues and eigenvectors of a symmetric 3×3 matrix by cyclic Jacobi rotations, and the projection to
// the nearest positive semi-definite matrix. Callable on host and device.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/macros.h"
#include "core/types.h"

namespace marrow {

struct Eigen3 {
  Vec3 values;   // in no particular order
  Mat3 vectors;  // orthonormal columns
};

namespace detail {

// One Jacobi rotation in the plane (p, q), r the third axis: A ← JᵀAJ, Q ← QJ. Returns whether it was needed.
MARROW_HD inline bool rotate_plane(Mat3& A, Mat3& Q, int p, int q, int r) {
  const double apq = A(p, q);
  if (apq == 0 || std::abs(apq) <= 1e-17 * (std::abs(A(p, p)) + std::abs(A(q, q)))) return false;
  const double zeta = (A(q, q) - A(p, p)) / (2 * apq);
  const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
  const double c = 1 / std::sqrt(1 + t * t);
  const double s = c * t;
  A(p, p) -= t * apq;
  A(q, q) += t * apq;
  A(p, q) = A(q, p) = 0;
  const double arp = A(r, p), arq = A(r, q);
  A(r, p) = A(p, r) = c * arp - s * arq;
  A(r, q) = A(q, r) = s * arp + c * arq;
  const Vec3 column = Q.col(p);
  Q.col(p) = c * column - s * Q.col(q);
  Q.col(q) = s * column + c * Q.col(q);
  return true;
}

}  // namespace detail

MARROW_HD inline Eigen3 compute_eigen3(const Mat3& symmetric) {
  Mat3 A = symmetric;
  Mat3 Q = Mat3::Identity();
  for (int sweep = 0; sweep < 16; ++sweep) {
    const bool rotated_01 = detail::rotate_plane(A, Q, 0, 1, 2);
    const bool rotated_02 = detail::rotate_plane(A, Q, 0, 2, 1);
    const bool rotated_12 = detail::rotate_plane(A, Q, 1, 2, 0);
    if (!rotated_01 && !rotated_02 && !rotated_12) break;
  }
  return {A.diagonal(), Q};
}

// Whether Cholesky's pivots are all positive.
MARROW_HD inline bool is_positive_definite(const Mat3& A) {
  if (!(A(0, 0) > 0)) return false;
  const double l10 = A(1, 0) / A(0, 0), l20 = A(2, 0) / A(0, 0);
  const double d1 = A(1, 1) - l10 * A(1, 0);
  if (!(d1 > 0)) return false;
  const double u = A(2, 1) - l20 * A(1, 0);
  return A(2, 2) - l20 * A(2, 0) - u * u / d1 > 0;
}

// The nearest positive semi-definite matrix: negative eigenvalues become zero. Most matrices need no
// eigen-solve.
MARROW_HD inline Mat3 project_psd(const Mat3& symmetric) {
  if (is_positive_definite(symmetric)) return symmetric;
  const Eigen3 e = compute_eigen3(symmetric);
  if (e.values.minCoeff() >= 0) return symmetric;
  return e.vectors * e.values.cwiseMax(0.0).asDiagonal() * e.vectors.transpose();
}

}  // namespace marrow
