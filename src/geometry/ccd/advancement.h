// Separating-direction advancement: continuous collision detection that is conservative by proof.
//
// c = u C₁ + v C₂ + C₃ and ρ = u R₁ + v R₂ + R₃ are affine in time at every corner (u, v) of the parameter
// domain. For a fixed direction |n| <= 1 so are
//
//   s_i(t) = n·c_i(t) − ρ_i(t)        over the corners i: four of the square, three of the triangle
//
// and their minimum is a lower bound of the gap at every t (docs/models/ccd.md). So from time t the pair
// cannot touch before the first s_i falls to a level >= 0, which is the least of a few ratios:
//
//   n = c/|c| of the closest points at t_n >= t;   cert = min s_i(t);   t ← t + min (s_i − level)/(−ds_i/dt)
//
// Any n is safe; a bad one costs speed. The n of t itself is best now, but loses what the pair turns until
// contact. So the next n is taken ahead of t: t_n lies as far beyond the time reached as that lies beyond the
// last t_n (a direction is good for as long before its time as after it), and short of the time at which the
// gap closes at its present pace. Where that certifies nothing, t_n = t is next.
//
// Every quantity is rounded to the safe side: u = 2⁻⁵³, D and Q the largest coefficients of c and ρ and of
// their changes, error 128 u D + 32 u Q in s and in its slope.
//
// The query is free if t passes t_max, a hit if the certificate at t_n = t falls to the stopping level. Two
// manners of stopping:
//
//   to a fraction (line search)   cert <= min(keep · first certificate, a length), keep = 0.1; t_n = t always
//   to a tolerance δ (tight)      cert <= min(δ, first certificate / 10): the time is early by at most δ in
//                                 gap, and a pair that starts closer is only a hit if it comes much closer
#pragma once

#include "geometry/ccd/double_double.h"
#include "geometry/distance/closest.h"

namespace marrow {

template <>
inline constexpr double kLeastSine<DoubleDouble> = 1e-26;
#if !defined(MARROW_DEVICE_COMPILER)
template <>
inline constexpr double kLeastSine<Quad> = 1e-30;
#endif

// Coefficients at t = 0, and how much they change until t = 1.
template <class T>
struct MovingPair {
  PairCoefficients<T> start, change;
};

template <class T>
struct AdvanceOptions {
  T t_max;                 // no contact later than this matters
  T separation;            // contact means a gap of this much
  T tolerance;             // δ: stop when the certified gap is below
  T keep;                  // and, if positive, when it is below this fraction of the first one
  T most_kept = T(1e300);  // and below this
};

template <class T>
struct AdvanceState {
  T t;                  // certified free up to here
  T t_n;                // time of the next direction
  T first_certificate;  // of the first iteration
  MaskOf<T> is_hit, is_free;
};

namespace detail {

// The size of rounding for a number type.
template <class T>
MARROW_HD T unit_roundoff() {
  return T(0x1p-53);
}
template <>
MARROW_HD inline DoubleDouble unit_roundoff<DoubleDouble>() {
  return DoubleDouble::kRoundoff;
}
#if !defined(MARROW_DEVICE_COMPILER)
template <>
inline Quad unit_roundoff<Quad>() {
  return static_cast<Quad>(0x1p-113);
}
#endif

// Bound of the rounding in s_i and in its slope.
template <class T>
MARROW_HD T compute_error_bound(const MovingPair<T>& q) {
  T D(0), Q(0);
  for (int end = 0; end < 2; ++end) {
    const PairCoefficients<T>* k = end == 0 ? &q.start : &q.change;
    D = larger(
        D, larger(largest_coordinate(k->C1), larger(largest_coordinate(k->C2), largest_coordinate(k->C3))));
    Q = larger(Q, larger(magnitude(k->R1), larger(magnitude(k->R2), magnitude(k->R3))));
  }
  return unit_roundoff<T>() * (T(128) * D + T(32) * Q);
}

// n·c − ρ as a function over the domain: its coefficients, and its value at the corners.
template <class T>
struct Supports {
  T s1, s2, s3;

  template <class Visit>
  MARROW_HD void for_each_corner(PairKind kind, const Visit& visit) const {
    visit(0, s3);
    visit(1, s3 + s1);
    visit(2, s3 + s2);
    if (kind == PairKind::EdgeEdge) visit(3, (s3 + s1) + s2);
  }
  MARROW_HD T at(T u, T v) const { return u * s1 + (v * s2 + s3); }
};

template <class T>
MARROW_HD Supports<T> compute_supports(const PairCoefficients<T>& k, const Triple<T>& n) {
  return {dot(n, k.C1) - k.R1, dot(n, k.C2) - k.R2, dot(n, k.C3) - k.R3};
}

}  // namespace detail

template <class T>
MARROW_HD PairCoefficients<T> place(const MovingPair<T>& q, T t) {
  const PairCoefficients<T>&a = q.start, &d = q.change;
  return {a.C1 + t * d.C1, a.C2 + t * d.C2, a.C3 + t * d.C3,
          a.R1 + t * d.R1, a.R2 + t * d.R2, a.R3 + t * d.R3};
}

template <class T>
MARROW_HD MovingPair<T> make_moving_pair(PairKind kind, const Stencil<T>& start, const Stencil<T>& end) {
  const PairCoefficients<T> a = make_coefficients(kind, start), b = make_coefficients(kind, end);
  return {a, {b.C1 - a.C1, b.C2 - a.C2, b.C3 - a.C3, b.R1 - a.R1, b.R2 - a.R2, b.R3 - a.R3}};
}

// Number types beyond double precision.
template <class T>
inline constexpr bool kIsPrecise = false;
template <>
inline constexpr bool kIsPrecise<DoubleDouble> = true;
#if !defined(MARROW_DEVICE_COMPILER)
template <>
inline constexpr bool kIsPrecise<Quad> = true;
#endif

// The direction between the closest points, at most of length 1; zero if it cannot be had. Where the gap may
// be next to nothing, the common normal C₁ × C₂ is taken between interior points: it is accurate however
// short c is. Double precision stops long before that matters.
template <Taper kTaper, class T>
MARROW_HD Triple<T> compute_direction(PairKind kind, const PairCoefficients<T>& k, const Closest<T>& p,
                                      const Triple<T>& c) {
  const T zero(0), one(1), u = detail::unit_roundoff<T>();
  const T c2 = dot(c, c);
  Triple<T> m = c;
  T m2 = c2;
  if constexpr (kTaper == Taper::None && kIsPrecise<T>) {
    const Triple<T> normal = cross(k.C1, k.C2);
    const T normal2 = dot(normal, normal);
    const T sign = select(dot(normal, c) < zero, -one, one);
    const auto is_better = is_interior(kind, p) & (normal2 > smaller(dot(k.C1, k.C1), dot(k.C2, k.C2)) * c2);
    m = {select(is_better, sign * normal.x, c.x), select(is_better, sign * normal.y, c.y),
         select(is_better, sign * normal.z, c.z)};
    m2 = select(is_better, normal2, c2);
  }
  const auto is_proper = m2 > T(1e-290);
  const T scale = (one - T(8) * u) / square_root(select(is_proper, m2, one));
  return select(is_proper, scale, zero) * m;
}

// How far the next direction is taken ahead: this part of the time until contact at the present pace, and of
// the stretch just certified beyond the last direction.
inline constexpr double kLookAhead = 0.9;
inline constexpr double kLookReach = 0.8;

// One evaluation: certifies the pair from state.t on and advances t, or finds a hit. Decided lanes stay as
// they are.
template <Taper kTaper, class T>
MARROW_HD void advance_once(PairKind kind, const MovingPair<T>& q, T error, const AdvanceOptions<T>& options,
                            bool is_first, AdvanceState<T>& state) {
  const T zero(0), one(1), u = detail::unit_roundoff<T>();

  // The direction of the closest points at t_n.
  const PairCoefficients<T> k = place(q, state.t_n);
  const Closest<T> p = kTaper == Taper::Some ? find_least_gap(kind, k) : find_closest<Taper::None>(kind, k);
  const Triple<T> c = relative_center(k, p.u, p.v);
  const Triple<T> n = compute_direction<kTaper>(kind, k, p, c);

  // The certificate along it, at t.
  const detail::Supports<T> at_start = detail::compute_supports(q.start, n);
  const detail::Supports<T> slopes = detail::compute_supports(q.change, n);
  const detail::Supports<T> now = {at_start.s1 + state.t * slopes.s1, at_start.s2 + state.t * slopes.s2,
                                   at_start.s3 + state.t * slopes.s3};
  const T offset = options.separation + error;
  T s[4], ds[4];
  now.for_each_corner(kind, [&](int i, T value) { s[i] = value - offset; });
  slopes.for_each_corner(kind, [&](int i, T value) { ds[i] = value - error; });
  const int corners = kind == PairKind::EdgeEdge ? 4 : 3;
  T certificate = s[0];
  for (int i = 1; i < corners; ++i) certificate = smaller(certificate, s[i]);

  // Is it a hit? The first evaluation only is one if nothing at all can be certified.
  const auto is_undecided = !(state.is_hit | state.is_free);
  if (is_first) state.first_certificate = certificate;
  const T tenth = T(0.1) * state.first_certificate;
  const T stop =
      select(options.keep > zero,
             larger(smaller(options.keep * state.first_certificate, options.most_kept), options.tolerance),
             smaller(tenth, options.tolerance));
  const auto is_plain = state.t_n <= state.t;
  const auto is_close = is_first ? (certificate <= zero) : ((certificate <= zero) | (certificate <= stop));
  state.is_hit = state.is_hit | (is_undecided & is_plain & is_close);

  // How long every falling corner stays above the level: the least ratio of room to speed.
  const T fraction = T(0.1) * certificate;
  const T level = select(options.keep > zero, fraction, smaller(fraction, T(0.5) * stop));
  T room(2), speed(1);
  for (int i = 0; i < corners; ++i) {
    const T room_i = s[i] - level, speed_i = -ds[i];
    const auto is_sooner = (speed_i > zero) & (room_i * speed < room * speed_i);
    room = select(is_sooner, room_i, room);
    speed = select(is_sooner, speed_i, speed);
  }
  const T next = (state.t + (one - T(16) * u) * (room / speed)) * (one - T(2) * u);
  const auto is_moving = is_undecided & !state.is_hit & (certificate > zero);
  const T reached = select(is_moving, next, state.t);
  state.is_free = state.is_free | (is_moving & (next >= options.t_max));

  // Still a hit if the points that were closest at t_n are close by now.
  const T since = reached - state.t_n;
  const Triple<T> c_now = c + since * relative_center(q.change, p.u, p.v);
  const T reach = (p.u * k.R1 + (p.v * k.R2 + k.R3)) + options.separation;
  const T growth = p.u * q.change.R1 + (p.v * q.change.R2 + q.change.R3);
  const T limit = stop + (reach + since * growth);
  state.is_hit = state.is_hit | (is_moving & !state.is_free & (dot(c_now, c_now) <= limit * limit));

  // Where to take the next direction: ahead, if the gap closes, by as much as is likely to certify t still.
  T steepest = ds[0];
  for (int i = 1; i < corners; ++i) steepest = larger(steepest, ds[i]);
  const T rate = slopes.at(p.u, p.v);
  const auto is_closing = (rate < zero) & !(options.keep > zero) & is_moving;
  const T pace = select(is_closing, -rate, one);
  const T until_contact = (dot(n, c) - reach) / pace - since;
  const T part = smaller(T(kLookAhead), T(kLookReach) * pace / (larger(steepest + pace, T(1e-300))));
  const T ahead = larger(part * until_contact, zero);
  state.t_n = select(is_closing, smaller(reached + ahead, larger(options.t_max, reached)), reached);
  state.t = reached;
}

template <class T>
MARROW_HD AdvanceState<T> start_advance(T t) {
  const T zero(0), one(1);
  return {t, t, zero, one < zero, one < zero};
}

}  // namespace marrow
