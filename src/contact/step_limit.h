// The step limit says how far geometry may move along a direction, and what forbids more.
//
// Every motion of nodes passes through this limit (solve/line_search); nothing else may move geometry. CCD is
// computed here; the potentials that do not allow element inversion report it.
#pragma once

#include <cstdint>
#include <limits>

#include "contact/stencils.h"

namespace marrow {

enum class LimitCause : std::uint8_t { None, Collision, Inversion, Turn };

inline const char* to_string(LimitCause cause) {
  switch (cause) {
    case LimitCause::None:
      return "none";
    case LimitCause::Collision:
      return "collision";
    case LimitCause::Inversion:
      return "inversion";
    case LimitCause::Turn:
      return "turn";
  }
  return "unknown";
}

struct StepLimit {
  double alpha = 1;  // the largest safe fraction of the direction, in (0, 1]
  LimitCause cause = LimitCause::None;

  // Keeps the smaller of the two limits; the earlier cause wins a tie.
  void tighten(const StepLimit& other) {
    if (other.alpha < alpha) *this = other;
  }
};

// The fraction of the path from x0 to x1 that points may move without any of the candidate pairs touching. It
// never goes beyond the first contact, and it stops when a pair has lost nine tenths of its gap and is closer
// than most_kept [m]. The candidates must include every pair that can come that close.
StepLimit compute_collision_limit(const MovingPoints& points, const PairStencils& pairs,
                                  double min_separation,
                                  double most_kept = std::numeric_limits<double>::infinity());

// The earliest time of impact over all pairs; infinity if all are free.
double find_earliest_collision(const PairStencils& pairs, const MovingPoints& points, BatchOptions options);

}  // namespace marrow
