// The second derivative of an isotropic function of F as blocks of nodes, F = Σ_a x_a g_aᵀ = U diag(s) Vᵀ:
//
//   ∂²Ψ/∂x_a ∂x_b = U B(Vᵀ g_a, Vᵀ g_b) Uᵀ
#pragma once

#include "math/eigen3.h"
#include "potentials/materials/stretch_hessian.h"

namespace marrow {

// ∂²Ψ/∂F² in the frame of the principal stretches.
struct FrameHessian {
  Mat3 A;     // scaling
  Mat3 p, q;  // (flip ± twist)/2 by pair; the diagonal is unused
};

inline FrameHessian make_exact(const StretchHessian& h) {
  FrameHessian result;
  result.A = h.scaling;
  result.p.setZero();
  result.q.setZero();
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    result.p(i, j) = result.p(j, i) = 0.5 * (h.flip[k] + h.twist[k]);
    result.q(i, j) = result.q(j, i) = 0.5 * (h.flip[k] - h.twist[k]);
  }
  return result;
}

// Projected to be positive semi-definite.
inline FrameHessian make_projected(const StretchHessian& h) {
  StretchHessian projected = h;
  projected.scaling = project_psd(h.scaling);
  projected.twist = h.twist.cwiseMax(0.0);
  projected.flip = h.flip.cwiseMax(0.0);
  return make_exact(projected);
}

// The block of two nodes in the frame of the stretches.
inline Mat3 compute_local_block(const FrameHessian& h, const Vec3& ga, const Vec3& gb) {
  Mat3 B;
  const Vec3 product = ga.cwiseProduct(gb);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    B(i, i) = h.A(i, i) * product[i] + h.p(i, j) * product[j] + h.p(i, k) * product[k];
    B(i, j) = h.A(i, j) * ga[i] * gb[j] + h.q(i, j) * ga[j] * gb[i];
    B(j, i) = h.A(i, j) * ga[j] * gb[i] + h.q(i, j) * ga[i] * gb[j];
  }
  return B;
}

}  // namespace marrow
