#include "sim/start/meeting_span.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace marrow {
namespace {

// Sides are parallel, and triangles edge-on, if their areas in projection are below these parts of their
// lengths' product. Their corners are looked at in any case. [derived: some units of rounding]
constexpr double kParallel = 1e-14;
constexpr double kEdgeOn = 1e-12;

double cross2(const Vec3& a, const Vec3& b) { return a.x() * b.y() - a.y() * b.x(); }

// The height of an edge (or a corner given twice) next to a point, if its projection is that near.
bool find_height_near(const Vec3& a, const Vec3& b, const Vec3& point, double near, double& height) {
  const Vec3 side = b - a;
  const double squared = side.head<2>().squaredNorm();
  double s = squared > 0 ? (point - a).head<2>().dot(side.head<2>()) / squared : 0;
  s = std::clamp(s, 0.0, 1.0);
  const Vec3 closest = a + s * side;
  if ((closest - point).head<2>().norm() > near) return false;
  height = closest.z();
  return true;
}

int count_sides(const FlatSimplex& simplex) { return simplex.count == 3 ? 3 : 1; }

std::array<Vec3, 2> side_of(const FlatSimplex& simplex, int i) {
  const auto& c = simplex.corners;
  return {c[static_cast<size_t>(i)], c[static_cast<size_t>((i + 1) % simplex.count)]};
}

// Heights of `other` at the corners of `one`, above the corner.
template <class Add>
void visit_corners(const FlatSimplex& one, const FlatSimplex& other, double near, const Add& add) {
  for (int i = 0; i < one.count; ++i) {
    const Vec3& point = one.corners[static_cast<size_t>(i)];
    double height = 0;
    if (find_height(other, point, height)) add(height - point.z());
    for (int k = 0; k < count_sides(other); ++k) {
      const auto [a, b] = side_of(other, k);
      const Vec3& end = b;
      if (!find_height_near(a, end, point, near, height)) continue;
      add(height - point.z());
      // A side along the direction: all of it is there.
      if (find_height_near(a, a, point, near, height)) add(height - point.z());
      if (find_height_near(end, end, point, near, height)) add(height - point.z());
    }
  }
}

void add_crossings(const FlatSimplex& moved, const FlatSimplex& still, MeetingSpan& span) {
  if (moved.count < 2 || still.count < 2) return;
  for (int i = 0; i < count_sides(moved); ++i) {
    for (int k = 0; k < count_sides(still); ++k) {
      const auto [a, b] = side_of(moved, i);
      const auto [c, d] = side_of(still, k);
      const Vec3 p = b - a, q = d - c;
      const double area = cross2(p, q);
      if (std::abs(area) <= kParallel * p.head<2>().norm() * q.head<2>().norm()) continue;
      const double s = cross2(c - a, q) / area, t = cross2(c - a, p) / area;
      if (s < 0 || s > 1 || t < 0 || t > 1) continue;
      span.add(c.z() + t * q.z() - (a.z() + s * p.z()));
    }
  }
}

}  // namespace

bool find_height(const FlatSimplex& triangle, const Vec3& point, double& height) {
  if (triangle.count < 3) return false;
  const auto& [a, b, c] = triangle.corners;
  const double area = cross2(b - a, c - a);
  const double longest = std::max((b - a).head<2>().norm(), (c - a).head<2>().norm());
  if (std::abs(area) <= kEdgeOn * longest * longest) return false;
  const double wb = cross2(point - a, c - a) / area, wc = cross2(b - a, point - a) / area;
  if (wb < 0 || wc < 0 || wb + wc > 1) return false;
  height = a.z() + wb * (b.z() - a.z()) + wc * (c.z() - a.z());
  return true;
}

MeetingSpan find_meeting_span(const FlatSimplex& moved, const FlatSimplex& still, double near) {
  MeetingSpan span;
  visit_corners(moved, still, near, [&](double t) { span.add(t); });
  visit_corners(still, moved, near, [&](double t) { span.add(-t); });
  add_crossings(moved, still, span);
  return span;
}

}  // namespace marrow
