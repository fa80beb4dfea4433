// How one handle moves points, beside a rest that does not: T_j(X) = n₀ + A (X − N₀), plus a bump for each
// midpoint of a quadratic handle that is not in the middle of its edge.
#pragma once

#include "core/macros.h"
#include "core/types.h"

namespace marrow {

inline constexpr int kHandleSides = 6;

// Which corners the midpoints of a quadratic handle lie between.
MARROW_HD inline int handle_side(int side, int end) {
  constexpr int kSides[kHandleSides][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return kSides[side][end];
}

// A handle at rest.
struct HandleRest {
  Vec3 corner = Vec3::Zero();       // N₀
  Mat3 inverse = Mat3::Identity();  // of the three sides at N₀
  int first_node = 0;
  int node_count = 4;  // or 10
};

// NOLINTNEXTLINE(readability-identifier-naming): of generated code
struct HandleMotion {
  Vec3 rest_corner, corner;  // N₀, n₀
  Mat3 gradient;             // A
  Vec3 bumps[kHandleSides];  // of a quadratic handle
  int bump_count = 0;

  MARROW_HD Vec3 move(const Vec3& x) const { return corner + gradient * (x - rest_corner); }
};

// n: the nodes of the body, three numbers each.
MARROW_HD inline HandleMotion compute_handle_motion(const HandleRest& rest, const double* n) {
  const auto node = [&](int k) {
    const double* x = n + 3 * (rest.first_node + k);
    return Vec3(x[0], x[1], x[2]);
  };
  HandleMotion motion;
  motion.rest_corner = rest.corner;
  motion.corner = node(0);
  Mat3 sides;
  for (int k = 0; k < 3; ++k) sides.col(k) = node(k + 1) - motion.corner;
  motion.gradient = sides * rest.inverse;
  motion.bump_count = rest.node_count == 4 ? 0 : kHandleSides;
  for (int s = 0; s < motion.bump_count; ++s)
    motion.bumps[s] = node(4 + s) - 0.5 * (node(handle_side(s, 0)) + node(handle_side(s, 1)));
  return motion;
}

}  // namespace marrow
