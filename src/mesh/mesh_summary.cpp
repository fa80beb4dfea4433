#include "mesh/mesh_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "core/disjoint_sets.h"
#include "mesh/surface.h"
#include "mesh/surface_edges.h"

namespace marrow {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Vec3& point(const Mesh& mesh, Index v) { return mesh.points[static_cast<size_t>(v)]; }

template <class Visit>
void for_each_element(const Mesh& mesh, const Visit& visit) {
  for (const Edge& e : mesh.edges) visit(e);
  for (const Triangle& t : mesh.triangles) visit(t);
  for (const Tet& t : mesh.tets) visit(t);
}

void add_connectivity(const Mesh& mesh, MeshSummary& summary) {
  DisjointSets components(mesh.points.size());
  std::vector<char> used(mesh.points.size(), 0);
  for_each_element(mesh, [&](const auto& element) {
    for (const Index v : element) {
      used[static_cast<size_t>(v)] = 1;
      components.join(static_cast<size_t>(element[0]), static_cast<size_t>(v));
    }
  });
  summary.components = static_cast<int>(components.count_sets());
  summary.loose_points = static_cast<int>(std::count(used.begin(), used.end(), 0));
}

void add_edge_lengths(const Mesh& mesh, MeshSummary& summary) {
  double shortest = kInfinity;
  double longest = 0;
  for_each_element(mesh, [&](const auto& element) {
    for (size_t i = 0; i < element.size(); ++i) {
      for (size_t j = i + 1; j < element.size(); ++j) {
        const double squared_length = (point(mesh, element[i]) - point(mesh, element[j])).squaredNorm();
        shortest = std::min(shortest, squared_length);
        longest = std::max(longest, squared_length);
      }
    }
  });
  summary.min_edge_length = std::isfinite(shortest) ? std::sqrt(shortest) : 0;
  summary.max_edge_length = std::sqrt(longest);
}

void add_surface(const Mesh& mesh, MeshSummary& summary) {
  const std::vector<Triangle> surface = mesh.triangles.empty() ? extract_surface(mesh.tets) : mesh.triangles;
  for (const Triangle& t : surface) {
    const Vec3& a = point(mesh, t[0]);
    summary.area += 0.5 * (point(mesh, t[1]) - a).cross(point(mesh, t[2]) - a).norm();
  }
  int edges = 0;
  summary.closed = !surface.empty();
  summary.manifold = true;
  summary.oriented = true;
  for_each_surface_edge(surface, [&](const SurfaceEdge& e) {
    ++edges;
    summary.closed = summary.closed && (e.forward + e.backward) % 2 == 0;
    summary.manifold = summary.manifold && e.forward + e.backward <= 2;
    summary.oriented = summary.oriented && e.forward <= 1 && e.backward <= 1;
  });
  std::vector<char> used(mesh.points.size(), 0);
  for (const Triangle& t : surface) {
    for (const Index v : t) used[static_cast<size_t>(v)] = 1;
  }
  const int vertices = static_cast<int>(std::count(used.begin(), used.end(), 1));
  summary.euler_characteristic = vertices - edges + static_cast<int>(surface.size());
  if (mesh.tets.empty() && summary.closed) summary.volume = compute_enclosed_volume(mesh.points, surface);
}

void add_tets(const Mesh& mesh, MeshSummary& summary) {
  if (mesh.tets.empty()) return;
  summary.min_tet_volume = kInfinity;
  for (const Tet& t : mesh.tets) {
    const Vec3& a = point(mesh, t[0]);
    const Vec3& b = point(mesh, t[1]);
    const Vec3& c = point(mesh, t[2]);
    const Vec3& d = point(mesh, t[3]);
    const double volume = compute_tet_volume(a, b, c, d);
    summary.volume += volume;
    summary.min_tet_volume = std::min(summary.min_tet_volume, volume);
    summary.worst_tet_quality = std::min(summary.worst_tet_quality, compute_tet_quality(a, b, c, d));
  }
}

}  // namespace

double compute_tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a) / 6;
}

double compute_tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const double squared_lengths = (b - a).squaredNorm() + (c - a).squaredNorm() + (d - a).squaredNorm() +
                                 (c - b).squaredNorm() + (d - b).squaredNorm() + (d - c).squaredNorm();
  const double volume = compute_tet_volume(a, b, c, d);
  const double size = std::cbrt(3 * volume);
  return squared_lengths == 0 ? 0 : 12 * size * std::abs(size) / squared_lengths;
}

double compute_enclosed_volume(const Points& points, const std::vector<Triangle>& triangles) {
  if (triangles.empty()) return 0;
  const auto at = [&](Index v) -> const Vec3& { return points[static_cast<size_t>(v)]; };
  const Vec3 origin = at(triangles[0][0]);  // near the surface, so that far-away bodies lose no digits
  double volume = 0;
  for (const Triangle& t : triangles) volume += compute_tet_volume(origin, at(t[0]), at(t[1]), at(t[2]));
  return volume;
}

MeshSummary summarize(const Mesh& mesh) {
  MeshSummary summary;
  summary.points = static_cast<int>(mesh.points.size());
  summary.edges = static_cast<int>(mesh.edges.size());
  summary.triangles = static_cast<int>(mesh.triangles.size());
  summary.tets = static_cast<int>(mesh.tets.size());
  if (mesh.points.empty()) return summary;
  summary.lower = summary.upper = mesh.points[0];
  for (const Vec3& p : mesh.points) {
    summary.lower = summary.lower.cwiseMin(p);
    summary.upper = summary.upper.cwiseMax(p);
  }
  if (!mesh.radii.empty()) {
    const auto [low, high] = std::minmax_element(mesh.radii.begin(), mesh.radii.end());
    summary.min_radius = *low;
    summary.max_radius = *high;
  }
  add_connectivity(mesh, summary);
  add_edge_lengths(mesh, summary);
  add_surface(mesh, summary);
  add_tets(mesh, summary);
  return summary;
}

}  // namespace marrow
