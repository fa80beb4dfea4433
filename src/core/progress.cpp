#include "core/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace marrow {

void ProgressEstimate::add_unit(double seconds) {
  ++done_;
  ++measured_;
  const double share = std::max(0.05, 1.0 / measured_);
  pace_ += share * (seconds - pace_);
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds)) return "unknown";
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace marrow
