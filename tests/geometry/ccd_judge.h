// Holds the answer of a collision method against what is known of a query (ccd_families.h).
//
// A method claims that the pair stays apart up to the time it returns, or to the end. That is wrong if the
// pair was built to touch before, or if at some sampled time before it overlaps by more than rounding.
#pragma once

#include "geometry/ccd_families.h"

namespace marrow::ccd_families {

enum class Mistake { None, Missed, Late, OutOfRange };

// Rounding in a computed gap: far above the true bound of about 1e-14.
inline double gap_rounding(const CcdQuery& query) {
  double size = 0;
  for (int i = 0; i < 4; ++i) {
    size = std::max({size, (query.x0[i] - query.x0[0]).lpNorm<1>(), (query.x1[i] - query.x1[0]).lpNorm<1>(),
                     query.r0[i], query.r1[i]});
  }
  return 1e-13 * size;
}

// The end of the time a method says is free.
inline double free_until(const CcdResult& result, double t_max) { return result.is_hit ? result.toi : t_max; }

// The first of evenly spaced times in [0, end] at which the pair surely overlaps, else one found by looking
// closer where the gap is smallest; infinity if there is none.
inline double find_overlap(const Sample& sample, double end, int samples) {
  const double depth = sample.min_separation - gap_rounding(sample.query);
  for (int i = 0; i <= samples; ++i) {
    const double t = end * i / samples;
    if (compute_gap(sample.query, t) < depth) return t;
  }
  const double t = find_closest_time(sample.query, end, samples, 12);
  return compute_gap(sample.query, t) < depth ? t : std::numeric_limits<double>::infinity();
}

// overlap: a time at which the pair surely overlaps, or infinity.
inline Mistake judge(const Sample& sample, const CcdResult& result, double t_max, double overlap) {
  if (result.is_hit && !(result.toi >= 0 && result.toi <= t_max)) return Mistake::OutOfRange;
  // A contact at the very end counts; one at the returned time is what the method says.
  const double end = free_until(result, t_max);
  const bool is_touched = result.is_hit ? sample.contact < end : sample.contact <= end;
  if (!is_touched && !(overlap < end)) return Mistake::None;
  return result.is_hit ? Mistake::Late : Mistake::Missed;
}

}  // namespace marrow::ccd_families
