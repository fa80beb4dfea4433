// Distances of simplices with radii and their derivatives, from one rule for every closest-feature region.
//
// Over the four balls z of a stencil, with signed weights w (the back simplex counts negative):
//
//   c = Σ w_i z_i        ρ = Σ |w_i| r_i        n = c/|c|
//   f = |c|² − ρ²        squared medial distance; 0 at contact, |c|² for zero radii
//   g = |c| − ρ          the gap, a length
//
// The region is the set of balls with non-zero weight. Its free directions dw_k (one ball gains what another
// of its simplex loses) give J_k = Σ dw_k,i z_i and s_k = Σ |·| r_i, and at the minimiser
//
//   ∂f/∂z_i = 2 w_i c
//   ∂²f/∂z² = 2 w wᵀ ⊗ I − 2 P H⁻¹ Pᵀ,     p_k,i = dw_k,i c + w_i J_k,     H_kl = J_k·J_l − s_k s_l
//
// (envelope theorem and Schur complement; docs/models/distance.md).
#pragma once

#include <array>

#include "core/types.h"
#include "geometry/distance/closest.h"

namespace marrow {

// Which of the four balls the closest points depend on: bit i for ball i.
using Region = std::uint8_t;

// The closest points of a pair, ready for derivatives.
struct PairPoint {
  std::array<double, 4> w;  // signed
  Region region = 0;
  Vec3 c = Vec3::Zero();
  double rho = 0;

  MARROW_HD double compute_squared() const { return (c.norm() - rho) * (c.norm() + rho); }
  MARROW_HD double compute_gap() const { return c.norm() - rho; }
};

// The positions and radii of a stencil, as contact code holds them.
struct PairBalls {
  std::array<Vec3, 4> x;
  std::array<double, 4> r = {0, 0, 0, 0};
};

// How many balls the two simplices have: 1+1, 1+2, 1+3 or 2+2.
struct PairShape {
  int front;
  int count;
};

MARROW_HD inline int front_count(PairKind kind) { return kind == PairKind::EdgeEdge ? 2 : 1; }
MARROW_HD inline PairShape shape_of(PairKind kind) { return {front_count(kind), 4}; }

inline constexpr PairShape kEdgeEdge = {2, 4};
inline constexpr PairShape kVertexFace = {1, 4};
inline constexpr PairShape kVertexEdge = {1, 3};
inline constexpr PairShape kVertexVertex = {1, 2};

MARROW_HD inline Stencil<double> make_stencil(const PairBalls& balls) {
  Stencil<double> s;
  for (int i = 0; i < 4; ++i) {
    const Vec3 x = balls.x[i] - balls.x[0];  // recentred
    s.x[i] = {x[0], x[1], x[2]};
    s.r[i] = balls.r[i];
  }
  return s;
}

// Signed weights from the closest parameters.
MARROW_HD inline std::array<double, 4> make_weights(PairKind kind, const Closest<double>& p) {
  if (kind == PairKind::EdgeEdge) return {1 - p.u, p.u, -(1 - p.v), -p.v};
  return {1, -p.rest, -p.u, -p.v};
}

MARROW_HD inline PairPoint make_point(PairShape shape, const PairBalls& balls,
                                      const std::array<double, 4>& w) {
  PairPoint point;
  point.w = w;
  point.c.setZero();
  for (int i = 0; i < shape.count; ++i) {
    if (w[i] == 0) continue;
    point.region = static_cast<Region>(point.region | (1 << i));
    point.c += w[i] * (balls.x[i] - balls.x[0]);
    point.rho += (i < shape.front ? w[i] : -w[i]) * balls.r[i];
  }
  return point;
}

MARROW_HD inline PairPoint find_closest(PairKind kind, const PairBalls& balls) {
  const Closest<double> closest = find_closest(kind, make_coefficients(kind, make_stencil(balls)));
  return make_point(shape_of(kind), balls, make_weights(kind, closest));
}

// The same for every shape: vertex–edge and vertex–vertex pairs are faces of the point–triangle pair.
MARROW_HD inline PairPoint find_closest(PairShape shape, const PairBalls& balls) {
  if (shape.count == 4) {
    return find_closest(shape.front == 2 ? PairKind::EdgeEdge : PairKind::PointTriangle, balls);
  }
  if (shape.count == 2) return make_point(shape, balls, {1, -1, 0, 0});
  const auto k = make_coefficients(PairKind::PointTriangle, make_stencil(balls));
  const double u = find_closest_on_edge(k);
  return make_point(shape, balls, {1, -(1 - u), -u, 0});
}

// The free directions of a region: per direction the ball that gains and the one that loses.
struct FreeDirections {
  int count = 0;
  std::array<std::array<double, 4>, 2> dw;  // signed like w
  std::array<Vec3, 2> J;
  std::array<double, 2> s;
};

MARROW_HD inline FreeDirections make_directions(PairShape shape, const PairBalls& balls, Region region) {
  FreeDirections d;
  for (const int side : {0, 1}) {
    const int begin = side == 0 ? 0 : shape.front, end = side == 0 ? shape.front : shape.count;
    const double sign = side == 0 ? 1 : -1;
    int base = kNone;
    for (int i = begin; i < end; ++i) {
      if ((region >> i & 1) == 0) continue;
      if (base == kNone) {
        base = i;
        continue;
      }
      d.dw[d.count] = {0, 0, 0, 0};
      d.dw[d.count][i] = sign;
      d.dw[d.count][base] = -sign;
      d.J[d.count] = sign * (balls.x[i] - balls.x[base]);
      d.s[d.count] = balls.r[i] - balls.r[base];
      ++d.count;
    }
  }
  return d;
}

// The factor of P H⁻¹ Pᵀ: vectors q_k with P H⁻¹ Pᵀ = Σ_k q_k q_kᵀ, four 3-vectors each. H is positive
// definite on the region of a minimiser; a direction that is degenerate to rounding is left out.
struct SchurFactor {
  int count = 0;
  std::array<std::array<Vec3, 4>, 2> q;
};

MARROW_HD inline SchurFactor compute_schur_factor(const PairPoint& point, const FreeDirections& d) {
  SchurFactor factor;
  if (d.count == 0) return factor;
  const auto p = [&](int k, int i) -> Vec3 { return d.dw[k][i] * point.c + point.w[i] * d.J[k]; };
  const double h00 = d.J[0].squaredNorm() - d.s[0] * d.s[0];
  if (h00 > 0) {
    const double scale = 1 / std::sqrt(h00);
    for (int i = 0; i < 4; ++i) factor.q[0][i] = scale * p(0, i);
    factor.count = 1;
  }
  if (d.count == 1) return factor;
  // The second direction less its part along the first (Cholesky of H).
  const double h11 = d.J[1].squaredNorm() - d.s[1] * d.s[1];
  const double h01 = d.J[0].dot(d.J[1]) - d.s[0] * d.s[1];
  const double ratio = factor.count == 1 ? h01 / h00 : 0;
  const double rest = h11 - ratio * h01;
  if (rest > 1e-13 * h11) {
    const double scale = 1 / std::sqrt(rest);
    for (int i = 0; i < 4; ++i) factor.q[factor.count][i] = scale * (p(1, i) - ratio * p(0, i));
    ++factor.count;
  }
  return factor;
}

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

// ∂f/∂z over the four balls.
inline Vec12 compute_squared_gradient(const PairPoint& point) {
  Vec12 g;
  for (int i = 0; i < 4; ++i) g.segment<3>(3 * i) = 2 * point.w[i] * point.c;
  return g;
}

// The exact ∂²f/∂z².
inline Mat12 compute_squared_hessian(const PairPoint& point, const SchurFactor& schur) {
  Mat12 H;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      Mat3 block = 2 * point.w[i] * point.w[j] * Mat3::Identity();
      for (int k = 0; k < schur.count; ++k) block -= 2 * schur.q[k][i] * schur.q[k][j].transpose();
      H.block<3, 3>(3 * i, 3 * j) = block;
    }
  }
  return H;
}

}  // namespace marrow
