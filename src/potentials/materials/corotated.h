// The two corotational materials measure strain against the rotation R of F = R S (polar decomposition).
//
//   fixed    Ψ(F) = μ |F − R|² + λ/2 (J − 1)²          P = 2 μ (F − R) + λ (J − 1) cof F
//   linear   Ψ(F) = μ |F − R|² + λ/2 tr² (S − I)       P = 2 μ (F − R) + λ tr(S − I) R
//
// In principal stretches the first term is μ Σ (sᵢ − 1)². Its twist is 2 μ (1 − 2/(sᵢ + sⱼ)), which tends to
// −∞ where the rotation stops being defined (projection makes it zero); its flip is 2 μ. Both are finite for
// flat and inverted elements; the linear one's force stays bounded there, the fixed one's too.
// Sources: Stomakhin et al. 2012, "Energetically Consistent Invertible Elasticity" (fixed); Müller and Gross
// 2004, "Interactive Virtual Materials" (linear); derivatives derived here.
#pragma once

#include <Eigen/LU>

#include "math/svd3.h"
#include "potentials/materials/stretch_hessian.h"

namespace marrow {

struct FixedCorotated {
  double lame_mu;
  double lame_lambda;

  MARROW_HD double energy(const Mat3& F) const {
    const double swelling = F.determinant() - 1;
    return lame_mu * (compute_svd3(F).s - Vec3::Ones()).squaredNorm() +
           0.5 * lame_lambda * swelling * swelling;
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    return 2 * lame_mu * (F - compute_polar_rotation(F)) +
           (lame_lambda * (F.determinant() - 1)) * compute_cofactor(F);
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    const double J = s[0] * s[1] * s[2];
    StretchHessian h;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      h.scaling(i, i) = 2 * lame_mu + lame_lambda * (s[j] * s[k]) * (s[j] * s[k]);
      h.scaling(i, j) = h.scaling(j, i) = lame_lambda * s[k] * (2 * J - 1);
      const double pressure = lame_lambda * (J - 1) * s[i];
      h.twist[i] = 2 * lame_mu * (1 - 2 / stretch_sum(s, j, k)) + pressure;
      h.flip[i] = 2 * lame_mu - pressure;
    }
    return h;
  }
};

struct LinearCorotated {
  double lame_mu;
  double lame_lambda;

  MARROW_HD double energy(const Mat3& F) const {
    const Vec3 strain = compute_svd3(F).s - Vec3::Ones();
    return lame_mu * strain.squaredNorm() + 0.5 * lame_lambda * strain.sum() * strain.sum();
  }

  MARROW_HD Mat3 stress(const Mat3& F) const {
    const Svd3 svd = compute_svd3(F);
    const Mat3 R = svd.U * svd.V.transpose();
    return 2 * lame_mu * (F - R) + (lame_lambda * (svd.s.sum() - 3)) * R;
  }

  MARROW_HD StretchHessian stretch_hessian(const Vec3& s) const {
    const double pressure = lame_lambda * (s.sum() - 3);
    StretchHessian h;
    h.scaling.setConstant(lame_lambda);
    h.scaling.diagonal().array() += 2 * lame_mu;
    for (int i = 0; i < 3; ++i) {
      h.twist[i] = 2 * lame_mu + 2 * (pressure - 2 * lame_mu) / stretch_sum(s, (i + 1) % 3, (i + 2) % 3);
      h.flip[i] = 2 * lame_mu;
    }
    return h;
  }
};

}  // namespace marrow
