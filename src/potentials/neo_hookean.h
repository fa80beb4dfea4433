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

#include "core/macros.h"
#include "core/types.h"

namespace marrow {

// ∂²Ψ/∂F² in the frame of the principal stretches. Entry k of twist and flip belongs to the pair (k+1, k+2)
// mod 3: the eigenvalues on (E_ij − E_ji)/√2 and (E_ij + E_ji)/√2.
struct StretchHessian {
  Mat3 scaling;
  Vec3 twist;
  Vec3 flip;
};

struct NeoHookean {
  double lame_mu;
  double lame_lambda;

  MARROW_HD double energy(const Mat3& F) const {
    const double J = F.determinant();
    if (!(J > 0)) return std::numeric_limits<double>::infinity();
    const double log_J = std::log(J);
    return 0.5 * lame_mu * (F.squaredNorm() - 3) - lame_mu * log_J + 0.5 * lame_lambda * log_J * log_J;
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    Mat3 cofactor;  // J F⁻ᵀ
    cofactor.col(0) = F.col(1).cross(F.col(2));
    cofactor.col(1) = F.col(2).cross(F.col(0));
    cofactor.col(2) = F.col(0).cross(F.col(1));
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
