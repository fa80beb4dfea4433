#include "exact/moving_triangles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "exact/motion.h"

namespace marrow {
namespace {

constexpr double kMargin =
    1e-13;  // of the lengths involved: several times what rounding does to a dot product

using Corners = std::array<Vec3, 6>;

Corners gather(const Points& x, const Triangle& a, const Triangle& b) {
  const auto at = [&](Index v) -> const Vec3& { return x[static_cast<size_t>(v)]; };
  const Vec3& origin = at(a[0]);
  return {Vec3::Zero(),      at(a[1]) - origin, at(a[2]) - origin,
          at(b[0]) - origin, at(b[1]) - origin, at(b[2]) - origin};
}

double largest_of(const Corners& x) {
  double largest = 0;
  for (const Vec3& corner : x) largest = std::max(largest, corner.lpNorm<1>());
  return largest;
}

// +1, −1: all of b is beyond all of a along the direction, or before it; 0: neither, or too close to tell.
int side_of(const Corners& x, const Vec3& n, double margin) {
  const auto along = [&](size_t k) { return n.dot(x[k]); };
  const double a0 = along(0), a1 = along(1), a2 = along(2), b0 = along(3), b1 = along(4), b2 = along(5);
  if (std::min({b0, b1, b2}) - std::max({a0, a1, a2}) > margin) return 1;
  return std::min({a0, a1, a2}) - std::max({b0, b1, b2}) > margin ? -1 : 0;
}

bool is_separated(const Corners& x0, const Corners& x1, double size, const Vec3& n) {
  const double margin = kMargin * size * n.lpNorm<1>();
  if (!(margin > 0)) return false;
  const int side = side_of(x0, n, margin);
  return side != 0 && side_of(x1, n, margin) == side;
}

bool is_surely_apart(const Corners& x0, const Corners& x1) {
  Corners middle;
  for (size_t k = 0; k < 6; ++k) middle[k] = x0[k] + x1[k];
  const double size = std::max(largest_of(x0), largest_of(x1));
  const auto edge = [&](size_t k) -> Vec3 {
    return middle[k < 3 ? (k + 1) % 3 : 3 + (k + 1) % 3] - middle[k];
  };
  for (const size_t k : {size_t{0}, size_t{3}}) {
    if (is_separated(x0, x1, size, edge(k).cross(edge(k + 1)))) return true;
  }
  const Vec3 way = middle[3] + middle[4] + middle[5] - middle[1] - middle[2];
  if (is_separated(x0, x1, size, way)) return true;
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 3; j < 6; ++j) {
      if (is_separated(x0, x1, size, edge(i).cross(edge(j)))) return true;
    }
  }
  // In one plane: along the edges' normals within it.
  for (const size_t k : {size_t{0}, size_t{3}}) {
    const Vec3 normal = edge(k).cross(edge(k + 1));
    for (size_t i = 0; i < 6; ++i) {
      if (is_separated(x0, x1, size, normal.cross(edge(i)))) return true;
    }
  }
  return false;
}

}  // namespace

bool triangles_meet(const Points& x, const Triangle& a, const Triangle& b) {
  return exact::meet(exact::PointSigns{x}, exact::make_simplex(a[0], a[1], a[2]),
                     exact::make_simplex(b[0], b[1], b[2]));
}

bool triangles_meet_moving(const Points& x0, const Points& x1, const Triangle& a, const Triangle& b) {
  if (is_surely_apart(gather(x0, a, b), gather(x1, a, b))) return false;
  if (triangles_meet(x0, a, b) || triangles_meet(x1, a, b)) return true;
  const exact::Motion motion{x0, x1};
  const exact::Simplex A = exact::make_simplex(a[0], a[1], a[2]);
  const exact::Simplex B = exact::make_simplex(b[0], b[1], b[2]);
  for (size_t k = 0; k < 3; ++k) {
    if (exact::find_meeting(motion, exact::make_simplex(a[k]), B)) return true;
    if (exact::find_meeting(motion, exact::make_simplex(b[k]), A)) return true;
  }
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      if (exact::find_meeting(motion, exact::make_simplex(a[i], a[(i + 1) % 3]),
                              exact::make_simplex(b[j], b[(j + 1) % 3]))) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace marrow
