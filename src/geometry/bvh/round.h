// Doubles to the next float below or above, for boxes that must not shrink. Without branches, which would be
// mispredicted half the time; IEEE conversion takes what is too large to infinity.
#pragma once

#include <bit>
#include <cstdint>

namespace marrow {

// The largest float ≤ x: where rounding went above x, one step down. +0 is never above; −0 steps to the
// number below.
inline float round_down(double x) {
  const auto f = static_cast<float>(x);
  const auto bits = std::bit_cast<std::int32_t>(f);
  const std::int32_t sign = bits >> 31 | 1;
  const std::int32_t is_above = static_cast<double>(f) > x;
  return std::bit_cast<float>(bits - is_above * sign);
}

// The smallest float ≥ x.
inline float round_up(double x) { return -round_down(-x); }

// The float before f; NaN for −∞.
inline float next_below(float f) {
  f = f == 0 ? -0.0F : f;
  return std::bit_cast<float>(std::bit_cast<std::int32_t>(f) + (f > 0 ? -1 : 1));
}

// The float after f; NaN for +∞.
inline float next_above(float f) { return -next_below(-f); }

}  // namespace marrow
