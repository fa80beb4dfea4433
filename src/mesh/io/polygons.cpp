#include "mesh/io/polygons.h"

#include <Eigen/Geometry>
#include <numeric>

namespace marrow {
namespace {

using PolygonCut = std::array<size_t, 3>;

// Twice the area of a triangle as seen along the normal.
double seen_area(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal) {
  return (b - a).cross(c - a).dot(normal);
}

// Twice the area of the polygon, as a vector.
Vec3 sum_normal(const Points& corners) {
  Vec3 sum = Vec3::Zero();
  for (size_t i = 1; i + 1 < corners.size(); ++i) {
    sum += (corners[i] - corners[0]).cross(corners[i + 1] - corners[0]);
  }
  return sum;
}

bool fan_fits(const Points& corners, const Vec3& normal) {
  for (size_t i = 2; i < corners.size(); ++i) {
    if (seen_area(corners[0], corners[i - 1], corners[i], normal) < 0) return false;
  }
  return true;
}

// Whether the middle one of three neighbours can be cut off. rest: the corners that are left.
bool is_ear(const Points& corners, const PolygonCut& ear, const std::vector<size_t>& rest,
            const Vec3& normal) {
  const Vec3 &a = corners[ear[0]], &b = corners[ear[1]], &c = corners[ear[2]];
  if (!(seen_area(a, b, c, normal) > 0)) return false;
  for (const size_t i : rest) {
    const Vec3& p = corners[i];
    if (p == a || p == b || p == c) continue;
    const bool is_inside =
        seen_area(a, b, p, normal) >= 0 && seen_area(b, c, p, normal) >= 0 && seen_area(c, a, p, normal) >= 0;
    if (is_inside) return false;
  }
  return true;
}

std::vector<PolygonCut> cut_ears(const Points& corners, const Vec3& normal) {
  std::vector<size_t> rest(corners.size());
  std::iota(rest.begin(), rest.end(), size_t{0});
  std::vector<PolygonCut> triangles;
  for (size_t at = 0, misses = 0; rest.size() > 2;) {
    const size_t n = rest.size();
    const PolygonCut ear = {rest[at % n], rest[(at + 1) % n], rest[(at + 2) % n]};
    // After a whole round without an ear, the polygon crosses itself or is flat: any corner will do.
    if (n > 3 && misses < n && !is_ear(corners, ear, rest, normal)) {
      at = (at + 1) % n;
      ++misses;
      continue;
    }
    triangles.push_back(ear);
    const size_t gone = (at + 1) % n;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(gone));
    if (gone < at) --at;
    misses = 0;
  }
  return triangles;
}

}  // namespace

std::vector<PolygonCut> cut_polygon(const Points& corners) {
  const Vec3 normal = sum_normal(corners);
  if (!fan_fits(corners, normal)) return cut_ears(corners, normal);
  std::vector<PolygonCut> fan;
  for (size_t i = 2; i < corners.size(); ++i) fan.push_back({0, i - 1, i});
  return fan;
}

void Polygons::add(std::span<const Index> corners, std::vector<Triangle>& triangles) {
  if (corners.size() > 3) fans_.push_back({triangles.size(), corners.size() - 2});
  for (size_t i = 2; i < corners.size(); ++i) triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

void Polygons::finish(Mesh& mesh) const {
  std::vector<Index> names;
  Points corners;
  for (const Fan& fan : fans_) {
    Triangle* const triangles = mesh.triangles.data() + fan.first;
    names = {triangles[0][0], triangles[0][1]};
    for (size_t i = 0; i < fan.count; ++i) names.push_back(triangles[i][2]);
    corners.clear();
    for (const Index name : names) corners.push_back(mesh.points[static_cast<size_t>(name)]);
    const std::vector<PolygonCut> cut = cut_polygon(corners);
    for (size_t i = 0; i < fan.count; ++i) {
      triangles[i] = {names[cut[i][0]], names[cut[i][1]], names[cut[i][2]]};
    }
  }
}

}  // namespace marrow
