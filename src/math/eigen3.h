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

MARROW_HD inline Eigen3 compute_eigen3(const Mat3& symmetric) {
  Mat3 A = symmetric;
  Mat3 Q = Mat3::Identity();
  for (int sweep = 0; sweep < 16; ++sweep) {
    bool rotated = false;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        const double apq = A(p, q);
        if (std::abs(apq) <= 1e-17 * (std::abs(A(p, p)) + std::abs(A(q, q))) || apq == 0) continue;
        rotated = true;
        const double zeta = (A(q, q) - A(p, p)) / (2 * apq);
        const double t = (zeta >= 0 ? 1.0 : -1.0) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const double c = 1 / std::sqrt(1 + t * t);
        const double s = c * t;
        Mat3 J = Mat3::Identity();
        J(p, p) = J(q, q) = c;
        J(p, q) = s;
        J(q, p) = -s;
        A = J.transpose() * A * J;
        Q = Q * J;
      }
    }
    if (!rotated) break;
  }
  return {A.diagonal(), Q};
}

// The nearest positive semi-definite matrix: negative eigenvalues become zero.
MARROW_HD inline Mat3 project_psd(const Mat3& symmetric) {
  const Eigen3 e = compute_eigen3(symmetric);
  if (e.values.minCoeff() >= 0) return symmetric;
  return e.vectors * e.values.cwiseMax(0.0).asDiagonal() * e.vectors.transpose();
}

}  // namespace marrow
