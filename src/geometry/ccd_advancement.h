// Separating-direction advancement: continuous collision detection that is conservative by proof.
//
// For a fixed direction |n| <= 1 the functions
//
//   s_ij(t) = n·(A_i(t) − B_j(t)) − (ra_i + rb_j)        over the corners i of one simplex, j of the other
//
// are affine in t, and their minimum is a lower bound of the gap at every t (docs/models/ccd.md, from the
// hull property of simplices with radii). So from time t the pair cannot touch before the first s_ij falls to
// a level >= 0, which is one division per corner pair. Repeat from there with the direction of the closest
// points:
//
//   n = c/|c| at t;   cert = min s_ij(t);   t ← t + min over falling s_ij of (s_ij − level)/(−ds_ij/dt)
//
// The closest points are those of the gap; where radii are constant along both simplices they are those of
// the squared distance too, which is cheaper. A wrong n costs speed, never safety. Every quantity is rounded
// to the safe side: u = 2⁻⁵³, M the largest coordinate after recentring, R the largest radius, error 48 u M +
// 12 u R in s and in its slope.
//
// The query is free if t passes t_max, a hit if the certificate falls to the stopping level. Two manners of
// stopping:
//
//   to a fraction (line search)   cert <= keep · first certificate, keep = 0.1; about two evaluations a query
//   to a tolerance δ (tight)      cert <= min(δ, first certificate / 10): the time is early by at most δ in
//   gap, and a
//                                 pair that starts closer than δ is only a hit if it comes much closer
#pragma once

#include "geometry/closest.h"

namespace marrow {

// Four balls that move straight and change their radii evenly over t in [0, 1].
template <class T>
struct MovingStencil {
  Triple<T> x[4], dx[4];
  T r[4], dr[4];
};

// Whether the radii vary along a simplex.
enum class Taper : std::uint8_t { None, Some };

template <class T>
struct AdvanceOptions {
  T t_max;       // no contact later than this matters
  T separation;  // contact means a gap of this much
  T tolerance;   // δ: stop when the certified gap is below
  T keep;        // and, if positive, when it is below this fraction of the first one
};

template <class T>
using MaskOf = decltype(T(0) < T(0));

template <class T>
struct AdvanceState {
  T t;                  // certified free up to here
  T first_certificate;  // of the first iteration
  T certificate;        // at the last evaluated t
  MaskOf<T> is_hit, is_free;
};

namespace detail {

// The size of rounding for a number type.
template <class T>
MARROW_HD T unit_roundoff() {
  return T(0x1p-53);
}
#if !defined(MARROW_DEVICE_COMPILER)
template <>
inline Quad unit_roundoff<Quad>() {
  return static_cast<Quad>(0x1p-113);
}
#endif

// Bound of the rounding in s_ij and in its slope.
template <class T>
MARROW_HD T compute_error_bound(const MovingStencil<T>& q) {
  T M(0), R(0);
  for (int i = 0; i < 4; ++i) {
    M = larger(M, larger(largest_coordinate(q.x[i]), largest_coordinate(q.dx[i])));
    R = larger(R, larger(magnitude(q.r[i]), magnitude(q.dr[i])));
  }
  return unit_roundoff<T>() * (T(48) * M + T(12) * R);
}

// Corner sums along n: one number per ball, such that s_ij = front[i] − back[j].
template <class T>
struct Supports {
  T value[4], slope[4];
};

}  // namespace detail

// Moves the coordinates of the query near the origin, so that rounding is relative to the pair and not to the
// scene.
template <class T>
MARROW_HD void recenter(MovingStencil<T>& q) {
  const Triple<T> center = q.x[0];
  for (int i = 0; i < 4; ++i) q.x[i] = q.x[i] - center;
}

// One evaluation: certifies the pair from state.t on and advances t, or finds a hit. Decided lanes stay as
// they are.
template <Taper kTaper, class T>
MARROW_HD void advance_once(PairKind kind, const MovingStencil<T>& q, T error,
                            const AdvanceOptions<T>& options, bool is_first, AdvanceState<T>& state) {
  const T zero(0), one(1), u = detail::unit_roundoff<T>();
  const int front_count = kind == PairKind::EdgeEdge ? 2 : 1;

  // The direction of the closest points at t.
  Stencil<T> now;
  for (int i = 0; i < 4; ++i) {
    now.x[i] = q.x[i] + state.t * q.dx[i];
    now.r[i] = q.r[i] + state.t * q.dr[i];
  }
  const PairCoefficients<T> k = make_coefficients(kind, now);
  const Closest<T> closest = kTaper == Taper::Some ? find_least_gap(kind, k) : find_closest(kind, k);
  const Triple<T> c = relative_center(k, closest.u, closest.v);
  const T norm = square_root(dot(c, c));
  const T scale = select(norm > zero, (one - T(8) * u) / select(norm > zero, norm, one), zero);
  const Triple<T> n = scale * c;

  // Value and slope of every corner along it.
  detail::Supports<T> a;
  for (int i = 0; i < 4; ++i) {
    const T sign = i < front_count ? -one : one;
    a.value[i] = dot(n, now.x[i]) + sign * now.r[i];
    a.slope[i] = dot(n, q.dx[i]) + sign * q.dr[i];
  }
  const T offset = options.separation + error;
  T certificate = a.value[0] - a.value[3] - offset;
  for (int i = 0; i < front_count; ++i) {
    for (int j = front_count; j < 4; ++j)
      certificate = smaller(certificate, a.value[i] - a.value[j] - offset);
  }

  // Is it a hit? The first evaluation only is one if nothing at all can be certified.
  const auto is_undecided = !(state.is_hit | state.is_free);
  if (is_first) state.first_certificate = certificate;
  const T tenth = T(0.1) * state.first_certificate;
  const T stop =
      select(options.keep > zero, larger(options.keep * state.first_certificate, options.tolerance),
             smaller(tenth, options.tolerance));
  const auto is_close = is_first ? (certificate <= zero) : ((certificate <= zero) | (certificate <= stop));
  state.is_hit = state.is_hit | (is_undecided & is_close);
  state.certificate = select(is_undecided, certificate, state.certificate);

  // How long every falling corner pair stays above the level.
  const T fraction = T(0.1) * certificate;
  const T level = select(options.keep > zero, fraction, smaller(fraction, T(0.5) * stop));
  T step(2);
  for (int i = 0; i < front_count; ++i) {
    for (int j = front_count; j < 4; ++j) {
      const T slope = a.slope[i] - a.slope[j] - error;
      const T room = a.value[i] - a.value[j] - offset - level;
      const auto is_falling = slope < zero;
      const T duration = room / select(is_falling, -slope, one);
      step = select(is_falling, smaller(step, duration), step);
    }
  }
  const T next = (state.t + (one - T(4) * u) * step) * (one - T(2) * u);
  const auto is_moving = is_undecided & !state.is_hit;
  state.t = select(is_moving, next, state.t);
  state.is_free = state.is_free | (is_moving & (next >= options.t_max));
}

template <class T>
MARROW_HD AdvanceState<T> start_advance() {
  const T zero(0), one(1);
  return {zero, zero, zero, one < zero, one < zero};
}

}  // namespace marrow
