// Compressible neo-Hookean material with a logarithmic barrier against inversion:
//
//   Ψ(F) = μ/2 (tr FᵀF − 3) − μ ln J + λ/2 ln² J,    J = det F > 0
//   P    = ∂Ψ/∂F = μ F + (λ ln J − μ) F⁻ᵀ
//
// In principal stretches s (F = U diag(s) Vᵀ) with c = λ ln J − μ:
//
//   ∂Ψ/∂sᵢ       = μ sᵢ + c/sᵢ
//   ∂²Ψ/∂sᵢ∂sⱼ   = λ/(sᵢ sⱼ) + δᵢⱼ (μ − c/sᵢ²)
//   twist, flip  = (Pᵢ ± Pⱼ)/(sᵢ ± sⱼ) = μ ± c/(sᵢ sⱼ)
//
// μ, λ are Lamé's constants: Ψ linearises to the isotropic law with those. Source: the thesis, section 2;
// derived here.
#pragma once

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "potentials/materials/strain_invariants.h"
#include "potentials/materials/stretch_hessian.h"

namespace marrow {

struct NeoHookean {
  double lame_mu;
  double lame_lambda;

  MARROW_HD double energy(const Mat3& F) const {
    StrainInvariants at;
    if (compute_small_strain(F, at)) {
      const double log_J = 0.5 * std::log1p(at.growth);
      return 0.5 * lame_mu * (compute_log_excess(at.growth) - at.second - at.third) +
             0.5 * lame_lambda * log_J * log_J;
    }
    const double J = F.determinant();
    if (!(J > 0)) return std::numeric_limits<double>::infinity();
    const double log_J = std::log(J);
    return 0.5 * lame_mu * (F.squaredNorm() - 3) - lame_mu * log_J + 0.5 * lame_lambda * log_J * log_J;
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    const Mat3 cofactor = compute_cofactor(F);
    const double J = F.col(0).dot(cofactor.col(0));
    return lame_mu * F + ((lame_lambda * std::log(J) - lame_mu) / J) * cofactor;
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    const double c = lame_lambda * std::log(s[0] * s[1] * s[2]) - lame_mu;
    StretchHessian h;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      h.scaling(i, i) = lame_mu + (lame_lambda - c) / (s[i] * s[i]);
      h.scaling(i, j) = h.scaling(j, i) = lame_lambda / (s[i] * s[j]);
      h.twist[i] = lame_mu + c / (s[j] * s[k]);
      h.flip[i] = lame_mu - c / (s[j] * s[k]);
    }
    return h;
  }
};

}  // namespace marrow
