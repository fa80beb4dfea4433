// The translations along a direction for which two simplices meet.
//
// Corners are given in a frame (u, v, h) with h along the direction. If the first simplex moves by t, it
// meets the second where (u, v) of both agree and t = h₂ − h₁. On the overlap of the projections that is
// linear, so the extremes are at corners of one in the other and at crossings of edges.
#pragma once

#include <array>
#include <limits>

#include "core/types.h"

namespace marrow {

struct FlatSimplex {
  std::array<Vec3, 3> corners = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  // (u, v, h)
  int count = 1;
};

struct MeetingSpan {
  double lo = std::numeric_limits<double>::infinity();
  double hi = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return lo > hi; }
  void add(double t) {
    lo = t < lo ? t : lo;
    hi = t > hi ? t : hi;
  }
};

// Projections that are at most this near to each other overlap [m].
MeetingSpan find_meeting_span(const FlatSimplex& moved, const FlatSimplex& still, double near);

// The height of a triangle above a point (u, v); false if its projection does not cover it.
bool find_height(const FlatSimplex& triangle, const Vec3& point, double& height);

}  // namespace marrow
