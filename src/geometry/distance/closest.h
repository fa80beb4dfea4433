// The closest points of two simplices with radii: where f = |c|² − ρ² is smallest over both.
//
//   c = u C₁ + v C₂ + C₃        relative centre       ρ = u R₁ + v R₂ + R₃        radius sum
//
// Two stencils of four balls cover every pair (docs/models/distance.md):
//
//   cone–cone    (edge–edge)       A0 A1 | B0 B1     (u, v) in the unit square: u along A, v along B
//   sphere–slab  (point–triangle)  A0 | B0 B1 B2     u, v ≥ 0, u + v ≤ 1: the weights of B1 and B2
//
// f is quadratic in (u, v). Its minimum is interior if the Hessian is positive definite and the stationary
// point is in the domain; else it lies on one of the four (three) edges, each a clamped parabola. That is
// exact even where f is not convex. Clamped parameters are exactly 0 or 1, so that the region can be read off
// them.
#pragma once

#include "math/lanes.h"

namespace marrow {

enum class PairKind : std::uint8_t { EdgeEdge, PointTriangle };

// Whether radii vary along a simplex. If not, R₁ = R₂ = 0 and only centres matter, which is cheaper.
enum class Taper : std::uint8_t { None, Some };

// Four balls. Edge–edge: a0 a1 b0 b1; point–triangle: a0 b0 b1 b2.
template <class T>
struct Stencil {
  Triple<T> x[4];
  T r[4];
};

// The weights of the closest points in their simplices; all are in [0, 1].
//   edge–edge:       a0: 1−u, a1: u, b0: 1−v, b1: v
//   point–triangle:  a0: 1, b0: rest, b1: u, b2: v
template <class T>
struct Closest {
  T u, v, rest;
};

template <class T>
MARROW_HD MaskOf<T> is_interior(PairKind kind, const Closest<T>& p) {
  const T zero(0), one(1);
  const auto is_in_square = (p.u > zero) & (p.u < one) & (p.v > zero) & (p.v < one);
  return is_in_square & ((kind == PairKind::EdgeEdge) ? (one > zero) : (p.rest > zero));
}

template <class T>
struct PairCoefficients {
  Triple<T> C1, C2, C3;
  T R1, R2, R3;
};

template <class T>
MARROW_HD PairCoefficients<T> make_coefficients(PairKind kind, const Stencil<T>& s) {
  if (kind == PairKind::EdgeEdge) {
    return {s.x[1] - s.x[0], s.x[2] - s.x[3], s.x[0] - s.x[2],
            s.r[1] - s.r[0], s.r[3] - s.r[2], s.r[0] + s.r[2]};
  }
  return {s.x[1] - s.x[2], s.x[1] - s.x[3], s.x[0] - s.x[1],
          s.r[2] - s.r[1], s.r[3] - s.r[1], s.r[0] + s.r[1]};
}

template <class T>
MARROW_HD Triple<T> relative_center(const PairCoefficients<T>& k, T u, T v) {
  return u * k.C1 + (v * k.C2 + k.C3);
}

namespace detail {

// The best point so far, and f or g there.
template <class T>
struct Candidate {
  T u, v, rest, value;
};

// f as a product of its factors, which keeps it accurate near contact. Without taper |c|² has the same
// minimiser.
template <Taper kTaper, class T>
MARROW_HD T medial_distance(const PairCoefficients<T>& k, T u, T v) {
  const Triple<T> c = relative_center(k, u, v);
  if constexpr (kTaper == Taper::None) return dot(c, c);
  const T rho = u * k.R1 + (v * k.R2 + k.R3);
  const T norm = square_root(dot(c, c));
  return (norm - rho) * (norm + rho);
}

// a of the parabola a x² + b x, ready for minimising it with one b or another.
template <class T>
struct Parabola {
  T a, inverse;  // 1/(2a)
  MaskOf<T> is_convex;

  MARROW_HD explicit Parabola(T leading) : a(leading), is_convex(leading > T(1e-300)) {
    inverse = T(0.5) / select(is_convex, a, T(1));
  }
  // The minimiser on [0, 1].
  MARROW_HD T minimize(T b) const {
    const T zero(0), one(1);
    const T clamped = smaller(larger(-b * inverse, zero), one);
    return select(is_convex, clamped, select(a + b < zero, one, zero));
  }
};

// Takes the point over if its value is smaller.
template <class T>
MARROW_HD void consider(T value, T u, T v, T rest, Candidate<T>& best) {
  const auto is_better = value < best.value;
  best.u = select(is_better, u, best.u);
  best.v = select(is_better, v, best.v);
  best.rest = select(is_better, rest, best.rest);
  best.value = select(is_better, value, best.value);
}

}  // namespace detail

// The edge v = 0 of the domain alone: u.
template <class T>
MARROW_HD T find_closest_on_edge(const PairCoefficients<T>& k) {
  const detail::Parabola<T> along(dot(k.C1, k.C1) - k.R1 * k.R1);
  return along.minimize(T(2) * (dot(k.C1, k.C3) - k.R1 * k.R3));
}

// Edges count as parallel where four times the squared sine of their angle is below this: its digits are
// noise.
template <class T>
inline constexpr double kLeastSine = 4e-13;

template <Taper kTaper = Taper::Some, class T>
MARROW_HD Closest<T> find_closest(PairKind kind, const PairCoefficients<T>& k) {
  const T zero(0), one(1), two(2), four(4);
  const auto product = [](const Triple<T>& a, const Triple<T>& b, T ra, T rb) {
    return kTaper == Taper::None ? dot(a, b) : dot(a, b) - ra * rb;
  };
  const auto value_at = [&](T u, T v) { return detail::medial_distance<kTaper>(k, u, v); };
  const T A = product(k.C1, k.C1, k.R1, k.R1);
  const T B = two * product(k.C1, k.C2, k.R1, k.R2);
  const T C = product(k.C2, k.C2, k.R2, k.R2);
  const T D = two * product(k.C1, k.C3, k.R1, k.R3);
  const T E = two * product(k.C2, k.C3, k.R2, k.R3);

  // The edges of the domain.
  const bool is_edge_edge = kind == PairKind::EdgeEdge;
  const detail::Parabola<T> in_u(A), in_v(C);
  const T along_u = in_u.minimize(D);
  detail::Candidate<T> best{along_u, zero, one - along_u, value_at(along_u, zero)};
  const T along_v = in_v.minimize(E);
  detail::consider(value_at(zero, along_v), zero, along_v, one - along_v, best);
  if (is_edge_edge) {
    const T far_u = in_u.minimize(B + D), far_v = in_v.minimize(B + E);
    detail::consider(value_at(far_u, one), far_u, one, zero, best);
    detail::consider(value_at(one, far_v), one, far_v, zero, best);
  } else {
    const T across = detail::Parabola<T>(A - B + C).minimize(B + D - two * C - E);
    detail::consider(value_at(across, one - across), across, one - across, zero, best);
  }

  // The interior, where f is strictly convex: its stationary point is then the minimum over the whole plane.
  const T delta = four * A * C - B * B;
  const auto is_convex = in_u.is_convex & in_v.is_convex & (delta > T(kLeastSine<T>) * A * C);
  // Given v, u is the minimum along its own line: near-parallel edges would lose its digits otherwise.
  const T v = (B * D - two * A * E) / select(is_convex, delta, one);
  const T u = -(D + B * v) * in_u.inverse;
  const T rest = one - u - v;
  const auto is_in_square = (u > zero) & (v > zero) & (u < one) & (v < one);
  const auto is_inside = is_convex & is_in_square & (is_edge_edge ? (one > zero) : (rest > zero));
  return {select(is_inside, u, best.u), select(is_inside, v, best.v), select(is_inside, rest, best.rest)};
}

// The same for the gap g = |c| − ρ, whose minimiser differs where radii vary along a simplex. g is convex,
// and on a face with directions J, radius slopes s and base c_F it has the closed form
//
//   η_c = −G⁻¹Jᵀc_F,   h = |c_F + J η_c|,   σ² = sᵀG⁻¹s < 1,   η = η_c + G⁻¹s h/√(1−σ²),        G = JᵀJ
//
// On a segment the clamp of that η is right; if σ² >= 1, one end ball contains the other, and the larger one
// counts.
namespace detail {

template <class T>
MARROW_HD T gap_at(const PairCoefficients<T>& k, T u, T v) {
  const Triple<T> c = relative_center(k, u, v);
  return square_root(dot(c, c)) - (u * k.R1 + (v * k.R2 + k.R3));
}

template <class T>
MARROW_HD T minimize_gap(const Triple<T>& base, const Triple<T>& J, T s) {
  const T zero(0), one(1);
  const T length2 = dot(J, J);
  const auto is_proper = length2 > s * s;
  const T inverse = one / select(is_proper, length2, one);
  const T foot = -dot(J, base) * inverse;
  const Triple<T> nearest = base + foot * J;
  const T root = square_root(select(is_proper, one - s * s * inverse, one));
  const T inner = foot + s * inverse * square_root(dot(nearest, nearest)) / root;
  const T clamped = smaller(larger(inner, zero), one);
  return select(is_proper, clamped, select(s > zero, one, zero));
}

}  // namespace detail

template <class T>
MARROW_HD Closest<T> find_least_gap(PairKind kind, const PairCoefficients<T>& k) {
  const T zero(0), one(1);
  // The edges of the domain.
  const bool is_edge_edge = kind == PairKind::EdgeEdge;
  const T along_u = detail::minimize_gap(k.C3, k.C1, k.R1);
  detail::Candidate<T> best{along_u, zero, one - along_u, detail::gap_at(k, along_u, zero)};
  const T along_v = detail::minimize_gap(k.C3, k.C2, k.R2);
  detail::consider(detail::gap_at(k, zero, along_v), zero, along_v, one - along_v, best);
  if (is_edge_edge) {
    const T far_u = detail::minimize_gap(k.C3 + k.C2, k.C1, k.R1);
    const T far_v = detail::minimize_gap(k.C3 + k.C1, k.C2, k.R2);
    detail::consider(detail::gap_at(k, far_u, one), far_u, one, zero, best);
    detail::consider(detail::gap_at(k, one, far_v), one, far_v, zero, best);
  } else {
    const T across = detail::minimize_gap(k.C3 + k.C2, k.C1 - k.C2, k.R1 - k.R2);
    detail::consider(detail::gap_at(k, across, one - across), across, one - across, zero, best);
  }

  // The interior.
  const T a = dot(k.C1, k.C1), b = dot(k.C1, k.C2), c = dot(k.C2, k.C2);
  const T det = a * c - b * b;
  const auto is_proper = det > T(1e-13) * a * c;
  const T inverse = one / select(is_proper, det, one);
  const T p = -dot(k.C1, k.C3), q = -dot(k.C2, k.C3);
  const T foot_u = (c * p - b * q) * inverse, foot_v = (a * q - b * p) * inverse;
  const T tilt_u = (c * k.R1 - b * k.R2) * inverse, tilt_v = (a * k.R2 - b * k.R1) * inverse;
  const T sigma2 = k.R1 * tilt_u + k.R2 * tilt_v;
  const auto is_stationary = is_proper & (sigma2 < one);
  const Triple<T> nearest = relative_center(k, foot_u, foot_v);
  const T reach = square_root(dot(nearest, nearest)) / square_root(select(is_stationary, one - sigma2, one));
  const T u = foot_u + tilt_u * reach, v = foot_v + tilt_v * reach;
  const T rest = one - u - v;
  const auto is_in_square = (u > zero) & (v > zero) & (u < one) & (v < one);
  const auto is_inside = is_stationary & is_in_square & (is_edge_edge ? (one > zero) : (rest > zero));
  return {select(is_inside, u, best.u), select(is_inside, v, best.v), select(is_inside, rest, best.rest)};
}

}  // namespace marrow
