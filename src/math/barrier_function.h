// The clamped logarithmic barrier, dimensionless: b(x) = −(x − 1)² ln x for 0 < x < 1, else 0; infinite at 0.
#pragma once

#include <cmath>
#include <limits>

#include "core/macros.h"

namespace marrow {

struct BarrierFunction {
  double value = 0;
  double first = 0;   // b′ < 0 on (0, 1)
  double second = 0;  // b″ > 0 on (0, 1)
};

MARROW_HD inline double compute_barrier_value(double x) {
  if (x >= 1) return 0;
  if (!(x > 0)) return std::numeric_limits<double>::infinity();
  return -(x - 1) * (x - 1) * std::log(x);
}

MARROW_HD inline BarrierFunction compute_barrier_function(double x) {
  if (x >= 1) return {};
  if (!(x > 0)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double log_x = std::log(x), y = x - 1, r = y / x;
  return {-y * y * log_x, -2 * y * log_x - y * r, -2 * log_x - 4 * r + r * r};
}

}  // namespace marrow
