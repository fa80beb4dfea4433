// This file computes the positive part of a contact's tangential Hessian in closed form.
//
// Away from the normal the barrier's Hessian is a positive multiple of
//
//   S = P H⁻¹ Pᵀ − w wᵀ ⊗ T,        T = I − n nᵀ
//
// Both terms are large and nearly cancel. The first term alone is positive semi-definite too, but it holds
// sliding contacts as if they were glued, and Newton crawls. With q_k = d_k ⊗ n + w ⊗ K_k the columns of the
// factor of P H⁻¹ Pᵀ, K_k ⟂ n, turned so that the d_k are orthogonal,
//
//   S = Σ_k [ (d_k⊗n)(d_k⊗n)ᵀ + (d_k⊗n)(w⊗K_k)ᵀ + (w⊗K_k)(d_k⊗n)ᵀ ] + w wᵀ ⊗ (K Kᵀ − T)
//
// Each bracket is a 2×2 matrix with one positive eigenvalue. For radii that do not taper K Kᵀ <= T, the K_k
// are orthonormal, and the sum of the positive parts is the exact projection of S; with taper K Kᵀ − T has
// one positive eigenvalue, and the sum bounds it from above.
#pragma once

#include <cmath>

#include "geometry/distance/distance.h"

namespace marrow {

// S⁺ = Σ_k r_k r_kᵀ, four 3-vectors each.
struct ProjectedFactor {
  int count = 0;
  std::array<std::array<Vec3, 4>, 3> r;
};

// One of the q_k, split along and across the normal.
struct SplitColumn {
  std::array<double, 4> d = {};
  Vec3 K = Vec3::Zero();
};

MARROW_HD inline SplitColumn split_column(const std::array<Vec3, 4>& q, const std::array<double, 4>& w,
                                          const Vec3& n, int count) {
  SplitColumn split;
  double squared = 0;
  for (int i = 0; i < count; ++i) {
    split.d[i] = n.dot(q[i]);
    split.K += w[i] * (q[i] - split.d[i] * n);
    squared += w[i] * w[i];
  }
  split.K /= squared;
  return split;
}

// Turns two columns so that their d are orthogonal: a rotation leaves the sum of outer products as it is.
MARROW_HD inline void make_orthogonal(SplitColumn& a, SplitColumn& b) {
  double aa = 0, ab = 0, bb = 0;
  for (int i = 0; i < 4; ++i) {
    aa += a.d[i] * a.d[i];
    ab += a.d[i] * b.d[i];
    bb += b.d[i] * b.d[i];
  }
  if (ab == 0) return;
  const double tau = (bb - aa) / (2 * ab);
  const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
  const double c = 1 / std::sqrt(1 + t * t), s = t * c;
  const SplitColumn a0 = a, b0 = b;
  for (int i = 0; i < 4; ++i) {
    a.d[i] = c * a0.d[i] - s * b0.d[i];
    b.d[i] = s * a0.d[i] + c * b0.d[i];
  }
  a.K = c * a0.K - s * b0.K;
  b.K = s * a0.K + c * b0.K;
}

MARROW_HD inline ProjectedFactor compute_projected_factor(const PairPoint& point, const SchurFactor& schur,
                                                          int count) {
  ProjectedFactor factor;
  const Vec3 n = point.c / point.c.norm();
  std::array<SplitColumn, 2> split;
  for (int k = 0; k < schur.count; ++k) split[k] = split_column(schur.q[k], point.w, n, count);
  if (schur.count == 2) make_orthogonal(split[0], split[1]);

  // The brackets: [[δ², b], [b, 0]] over the unit vectors d⊗n/δ and w⊗K/(ω|K|), b = δ ω |K|.
  double omega2 = 0;
  for (int i = 0; i < count; ++i) omega2 += point.w[i] * point.w[i];
  for (int k = 0; k < schur.count; ++k) {
    const SplitColumn& column = split[k];
    double delta2 = 0;
    for (int i = 0; i < count; ++i) delta2 += column.d[i] * column.d[i];
    const double b2 = delta2 * omega2 * column.K.squaredNorm();
    const double eigenvalue = (delta2 + std::sqrt(delta2 * delta2 + 4 * b2)) / 2;
    if (!(eigenvalue > 0)) continue;
    const double scale = std::sqrt(eigenvalue / (eigenvalue * eigenvalue + b2));
    const double delta = std::sqrt(delta2);
    for (int i = 0; i < count; ++i) {
      factor.r[factor.count][i] =
          scale * ((eigenvalue / delta * column.d[i]) * n + (delta * point.w[i]) * column.K);
    }
    ++factor.count;
  }

  // The part that taper adds: the largest eigenvalue of K Kᵀ, computed from the 2×2 matrix Kᵀ K.
  if (schur.count == 0) return factor;
  const Vec3 K0 = split[0].K, K1 = schur.count == 2 ? split[1].K : Vec3(Vec3::Zero());
  const double aa = K0.squaredNorm(), ab = K0.dot(K1), bb = K1.squaredNorm();
  const double half = (aa - bb) / 2, root = std::sqrt(half * half + ab * ab);
  const double excess = (aa + bb) / 2 + root - 1;
  constexpr double kNoTaper = 1e-12;  // [derived: above the rounding of K, a few 2⁻⁵³; less adds nothing]
  if (excess <= kNoTaper) return factor;
  const Vec3 y = half >= 0 ? Vec3((half + root) * K0 + ab * K1) : Vec3(ab * K0 + (root - half) * K1);
  const double length = y.norm();
  if (!(length > 0)) return factor;
  for (int i = 0; i < count; ++i) {
    factor.r[factor.count][i] = (std::sqrt(excess) * point.w[i] / length) * y;
  }
  ++factor.count;
  return factor;
}

}  // namespace marrow
