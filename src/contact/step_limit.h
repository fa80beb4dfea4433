// How far along a direction the geometry may move, and what forbids more.
//
// Every motion of nodes passes through this limit (solve/line_search); nothing else may move geometry.
// Collision detection joins here; element inversion is reported by the potentials that cannot bear it.
#pragma once

#include <cstdint>

namespace marrow {

enum class LimitCause : std::uint8_t { None, Collision, Inversion };

inline const char* to_string(LimitCause cause) {
  switch (cause) {
    case LimitCause::None:
      return "none";
    case LimitCause::Collision:
      return "collision";
    case LimitCause::Inversion:
      return "inversion";
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

}  // namespace marrow
