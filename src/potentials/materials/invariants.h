// Materials that are functions of the three invariants: Ψ(F) = g(I₁, I₂, J),
//
//   I₁ = tr C = Σ sᵢ²,   I₂ = ½ (tr² C − tr C²) = Σ sᵢ² sⱼ²,   J = det F = s₀ s₁ s₂,      C = FᵀF
//
// With subscripts for derivatives of g, and k the third of i, j, k:
//
//   P            = 2 g₁ F + 2 g₂ (I₁ F − F C) + g_J cof F
//   twist, flip  = 2 g₁ + 2 g₂ (s_k² ± sᵢ sⱼ) ± g_J s_k                      (Pᵢ ± Pⱼ)/(sᵢ ± sⱼ), divided out
//   ∂²Ψ/∂sᵢ∂sⱼ   = Σ_ab g_ab aᵢ bⱼ + g₁ I₁,ᵢⱼ + g₂ I₂,ᵢⱼ + g_J J,ᵢⱼ              a, b over the invariants
//
// No division: equal stretches, flat and inverted elements need no care. Derived here.
#pragma once

#include <Eigen/LU>

#include "potentials/materials/stretch_hessian.h"

namespace marrow {

struct Invariants {
  double I1, I2, J;
};

// Derivatives of g, in the order I₁, I₂, J.
struct InvariantDerivatives {
  Vec3 first;
  Mat3 second;
};

MARROW_HD inline Invariants compute_invariants(const Mat3& F) {
  const double I1 = F.squaredNorm();
  return {I1, compute_cofactor(F).squaredNorm(), F.determinant()};
}

MARROW_HD inline Invariants compute_invariants_of_stretches(const Vec3& s) {
  const Vec3 q = s.cwiseAbs2();
  return {q.sum(), q[0] * q[1] + q[1] * q[2] + q[2] * q[0], s[0] * s[1] * s[2]};
}

MARROW_HD inline Mat3 compute_invariant_stress(const Mat3& F, const Vec3& first) {
  Mat3 P = (2 * first[0] + 2 * first[1] * F.squaredNorm()) * F + first[2] * compute_cofactor(F);
  if (first[1] != 0) P -= (2 * first[1]) * (F * (F.transpose() * F));
  return P;
}

MARROW_HD inline StretchHessian compute_invariant_hessian(const Vec3& s, const InvariantDerivatives& g) {
  const double I1 = s.squaredNorm();
  StretchHessian h;
  // Row i: the derivatives of the three invariants by sᵢ.
  Mat3 D;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    D.row(i) << 2 * s[i], 2 * s[i] * (I1 - s[i] * s[i]), s[j] * s[k];
  }
  h.scaling = D * g.second * D.transpose();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    h.scaling(i, i) += 2 * g.first[0] + 2 * g.first[1] * (I1 - s[i] * s[i]);
    const double mixed = 4 * g.first[1] * s[i] * s[j] + g.first[2] * s[k];
    h.scaling(i, j) += mixed;
    h.scaling(j, i) += mixed;
    const double even = 2 * g.first[0] + 2 * g.first[1] * s[i] * s[i];
    const double odd = 2 * g.first[1] * s[j] * s[k] + g.first[2] * s[i];
    h.twist[i] = even + odd;
    h.flip[i] = even - odd;
  }
  return h;
}

}  // namespace marrow
