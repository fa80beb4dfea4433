// Does a pair that is nearly touching plainly go on into contact? The cheap confirmation of a hit, before any
// effort is spent on telling it from a close pass (ccd.h, confirm_collision).
#pragma once

#include "geometry/ccd/advancement.h"

namespace marrow {

// A quantity of this many error bounds is not rounding.
inline constexpr double kClearlyAboveRounding = 16;

// Where the pair stands at a time: the gap and its rate of change, and on which side the one is of the other.
template <class T>
struct Standing {
  T gap;
  T rate;    // of the gap, with the closest points held (envelope theorem)
  T volume;  // C₃·(C₁×C₂): changes its sign when they pass through each other
  MaskOf<T> is_interior;
  Triple<T> c;
};

template <Taper kTaper, class T>
MARROW_HD Standing<T> stand(PairKind kind, const MovingPair<T>& q, T t, T separation) {
  const T zero(0), one(1);
  const PairCoefficients<T> k = place(q, t);
  const Closest<T> p = kTaper == Taper::Some ? find_least_gap(kind, k) : find_closest<Taper::None>(kind, k);
  const Triple<T> c = relative_center(k, p.u, p.v);
  const T norm = square_root(dot(c, c));
  const T radius_rate = p.u * q.change.R1 + (p.v * q.change.R2 + q.change.R3);
  const T approach = dot(c, relative_center(q.change, p.u, p.v)) / select(norm > zero, norm, one);
  return {norm - (p.u * k.R1 + (p.v * k.R2 + k.R3)) - separation, approach - radius_rate,
          dot(k.C3, cross(k.C1, k.C2)), is_interior(kind, p), c};
}

// Whether the pair, nearly touching at t, plainly goes on into contact: it overlaps a moment later, or has
// changed sides between interior points. A wrong yes costs a false alarm, never a miss.
template <Taper kTaper, class T>
MARROW_HD MaskOf<T> is_crossing(PairKind kind, const MovingPair<T>& q, const AdvanceOptions<T>& options, T t,
                                T error) {
  const T zero(0), one(1);
  const T clear = T(kClearlyAboveRounding) * error;
  const Standing<T> now = stand<kTaper>(kind, q, t, options.separation);
  const auto is_closing = (now.gap > zero) & (now.rate < zero);
  const T closing_time = now.gap / select(is_closing, -now.rate, one);
  MaskOf<T> is_contact = one < zero;
  // Look a few times as far ahead as the gap takes to close at the present pace.
  constexpr double kAhead[2] = {2, 30};
  for (int look = 0; look < 2; ++look) {
    const T after = smaller(t + T(kAhead[look]) * closing_time, options.t_max);
    const Standing<T> later = stand<kTaper>(kind, q, after, options.separation);
    const auto has_passed = (now.volume * later.volume < zero) & (dot(now.c, later.c) < zero) &
                            now.is_interior & later.is_interior & (later.gap > clear);
    is_contact = is_contact | (is_closing & ((later.gap < -clear) | has_passed));
    if (!is_any(is_closing & !is_contact)) break;
  }
  return is_contact;
}

}  // namespace marrow
