#include "preprocess/volume/solid_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/disjoint_sets.h"
#include "core/error.h"
#include "exact/predicates.h"
#include "exact/simplices.h"
#include "geometry/bvh/bvh.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_merger.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// A part is flat if its volume is below this times its area to the power of 3/2 (a sphere has 0.094).
constexpr double kFlat = 1e-7;

// Surfaces of more parts are not looked through for parts inside others: the time grows with their number.
constexpr int kMostNested = 200;

// Equal points become one; returns how many went.
size_t merge_points(Mesh& mesh) {
  PointMerger merger(mesh.points.size());
  std::vector<Index> numbers;
  numbers.reserve(mesh.points.size());
  for (const Vec3& p : mesh.points) numbers.push_back(merger.add(p));
  for (Triangle& t : mesh.triangles) {
    for (Index& v : t) v = numbers[v];
  }
  const size_t before = mesh.points.size();
  mesh.points = merger.take();
  return before - mesh.points.size();
}

// Triangles without three different points, and later copies of the same corners, go.
size_t drop_triangles(Mesh& mesh) {
  const size_t before = mesh.triangles.size();
  std::vector<std::pair<Triangle, size_t>> sorted;
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    Triangle t = mesh.triangles[i];
    std::sort(t.begin(), t.end());
    if (t[0] != t[1] && t[1] != t[2]) sorted.emplace_back(t, i);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<size_t> kept;
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || sorted[i].first != sorted[i - 1].first) kept.push_back(sorted[i].second);
  }
  std::sort(kept.begin(), kept.end());
  std::vector<Triangle> triangles;
  for (const size_t i : kept) triangles.push_back(mesh.triangles[i]);
  mesh.triangles = std::move(triangles);
  return before - mesh.triangles.size();
}

void drop_unused_points(Mesh& mesh) {
  std::vector<Index> numbers(mesh.points.size(), kNone);
  for (const Triangle& t : mesh.triangles) {
    for (const Index v : t) numbers[v] = 0;
  }
  Points points;
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    if (numbers[i] == kNone) continue;
    numbers[i] = static_cast<Index>(points.size());
    points.push_back(mesh.points[i]);
  }
  for (Triangle& t : mesh.triangles) {
    for (Index& v : t) v = numbers[v];
  }
  mesh.points = std::move(points);
}

void check_parts(const SolidSurface& surface, const std::vector<Index>& parts, const std::string& name) {
  std::vector<double> areas(static_cast<size_t>(surface.part_count), 0), volumes = areas;
  const Vec3 origin = surface.mesh.points[0];
  for (const Triangle& t : surface.mesh.triangles) {
    const Vec3 a = surface.mesh.points[t[0]] - origin, b = surface.mesh.points[t[1]] - origin,
               c = surface.mesh.points[t[2]] - origin;
    areas[parts[t[0]]] += (b - a).cross(c - a).norm() / 2;
    volumes[parts[t[0]]] += a.dot(b.cross(c)) / 6;
  }
  for (size_t p = 0; p < areas.size(); ++p) {
    if (std::abs(volumes[p]) > kFlat * std::pow(areas[p], 1.5)) continue;
    throw InputError(
        {name, 0, 0, {}},
        fmt::format("part {} of {} encloses no volume: it is a sheet", p + 1, surface.part_count),
        "A solid is needed here; give the sheet a thickness, or simulate it as a shell.");
  }
}

// How often the parts other than p go around a point, by the solid angles of their triangles.
int compute_winding(const Mesh& mesh, const std::vector<Index>& parts, Index p, const Vec3& x) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    if (parts[t[0]] == p) continue;
    const Vec3 a = mesh.points[t[0]] - x, b = mesh.points[t[1]] - x, c = mesh.points[t[2]] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return static_cast<int>(std::lround(sum / (4 * std::numbers::pi)));
}

// A part inside another one is a cavity, and faces the other way.
void check_nesting(const SolidSurface& surface, const std::vector<Index>& parts, const std::string& name) {
  if (surface.part_count == 1 || surface.part_count > kMostNested) return;
  const Mesh& mesh = surface.mesh;
  std::vector<Index> first(static_cast<size_t>(surface.part_count), kNone);
  std::vector<double> volumes(first.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    const auto part = static_cast<size_t>(parts[t[0]]);
    if (first[part] == kNone) first[part] = t[0];
    const Vec3& origin = mesh.points[first[part]];
    const Vec3 a = mesh.points[t[0]] - origin;
    volumes[part] += a.dot((mesh.points[t[1]] - origin).cross(mesh.points[t[2]] - origin)) / 6;
  }
  for (size_t p = 0; p < first.size(); ++p) {
    const int winding = compute_winding(mesh, parts, static_cast<Index>(p), mesh.points[first[p]]);
    if (winding == (volumes[p] > 0 ? 0 : 1)) continue;
    throw InputError(
        {name, 0, 0, {}},
        volumes[p] > 0
            ? fmt::format(
                  "part {} of {} lies inside another with the same orientation: its volume would count twice",
                  p + 1, surface.part_count)
            : fmt::format("part {} of {} is inside out, but is not a cavity of another part", p + 1,
                          surface.part_count),
        "Reverse its triangles, or remove it.");
  }
}

void check_intersections(const Mesh& mesh, const std::string& name) {
  std::vector<Aabb> boxes;
  std::vector<Index> ids(mesh.triangles.size());
  std::iota(ids.begin(), ids.end(), 0);
  for (const Triangle& t : mesh.triangles) {
    boxes.push_back(merge(merge(box_of_ball(mesh.points[t[0]], 0), box_of_ball(mesh.points[t[1]], 0)),
                          box_of_ball(mesh.points[t[2]], 0)));
  }
  // Items without shared corners listed, so that neighbours are tested too.
  Bvh tree;
  tree.build({.ids = ids, .corner_count = 1, .corners = ids, .labels = {}}, boxes);
  std::vector<IndexPair> pairs;
  const auto simplex = [&](Index i) {
    const auto [a, b, c] = mesh.triangles[i];
    return exact::make_simplex(a, b, c);
  };
  BvhQuery().find_self_pairs(
      tree,
      [&](Index a, Index b) {
        return exact::meet_beyond_shared(exact::PointSigns{mesh.points}, simplex(a), simplex(b));
      },
      pairs);
  if (pairs.empty()) return;
  const IndexPair first = *std::min_element(pairs.begin(), pairs.end());
  throw InputError(
      {name, 0, 0, {}},
      fmt::format("the surface intersects itself: {} of triangles, the first {} and {}",
                  pairs.size() == 1 ? "1 pair" : fmt::format("{} pairs", pairs.size()), first[0], first[1]),
      "`marrow check` writes all of them to a file; a body of this surface can be made with "
      "`marrow prepare tet --lattice`.");
}

}  // namespace

std::vector<Index> find_parts(size_t point_count, const std::vector<Triangle>& triangles) {
  DisjointSets sets(point_count);
  for (const Triangle& t : triangles) {
    for (int i = 1; i < 3; ++i) sets.join(static_cast<size_t>(t[0]), static_cast<size_t>(t[i]));
  }
  std::vector<Index> parts(point_count, kNone);
  Index count = 0;
  for (size_t i = 0; i < point_count; ++i) {
    const size_t root = sets.find(i);
    if (root == i) parts[i] = count++;
    parts[i] = parts[root];
  }
  return parts;
}

SolidSurface clean_surface(const Mesh& mesh, const std::string& name) {
  SolidSurface surface;
  surface.mesh.points = mesh.points;
  surface.mesh.triangles = mesh.triangles.empty() ? extract_surface(mesh.tets) : mesh.triangles;
  if (surface.mesh.triangles.empty()) {
    throw InputError({name, 0, 0, {}}, "the mesh has no triangles", "This needs a surface.");
  }
  const size_t merged = merge_points(surface.mesh), dropped = drop_triangles(surface.mesh);
  drop_unused_points(surface.mesh);
  if (surface.mesh.triangles.empty()) {
    throw InputError({name, 0, 0, {}}, "every triangle names a point twice", "This needs a surface.");
  }
  check_mesh(surface.mesh, name);
  if (merged > 0) {
    surface.notes.push_back(fmt::format("{} at the position of another merged with it",
                                        merged == 1 ? "1 point" : fmt::format("{} points", merged)));
  }
  if (dropped > 0) {
    surface.notes.push_back(fmt::format("{} without area or listed twice removed",
                                        dropped == 1 ? "1 triangle" : fmt::format("{} triangles", dropped)));
  }
  const std::vector<Index> parts = find_parts(surface.mesh.points.size(), surface.mesh.triangles);
  surface.part_count = 1 + *std::max_element(parts.begin(), parts.end());
  return surface;
}

SolidSurface make_solid_surface(const Mesh& mesh, const std::string& name) {
  SolidSurface surface = clean_surface(mesh, name);
  const std::vector<Index> parts = find_parts(surface.mesh.points.size(), surface.mesh.triangles);
  check_parts(surface, parts, name);
  if (compute_enclosed_volume(surface.mesh.points, surface.mesh.triangles) < 0) {
    for (Triangle& t : surface.mesh.triangles) std::swap(t[1], t[2]);
    surface.notes.push_back("the surface was inside out and has been reversed");
  }
  check_closed_surface(surface.mesh, name);
  check_intersections(surface.mesh, name);
  check_nesting(surface, parts, name);
  return surface;
}

}  // namespace marrow
