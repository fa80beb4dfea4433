#include "preprocess/medial/medial_gates.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/medial/medial_shape.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// σ² of a slab; infinity if its centres lie on a line.
double compute_slope2(const Mesh& medial, const Triangle& t) {
  const Vec3 e1 = medial.points[t[1]] - medial.points[t[0]], e2 = medial.points[t[2]] - medial.points[t[0]];
  const double s1 = medial.radii[t[1]] - medial.radii[t[0]], s2 = medial.radii[t[2]] - medial.radii[t[0]];
  const double a = e1.squaredNorm(), b = e1.dot(e2), c = e2.squaredNorm(), det = a * c - b * b;
  if (!(det > 1e-6 * a * c)) return std::numeric_limits<double>::infinity();
  return (c * s1 * s1 - 2 * b * s1 * s2 + a * s2 * s2) / det;
}

// Keeps the vertices that are their own heirs; the others' edges and triangles go to theirs, and go where two
// corners have become one. kNone: no heir is needed.
void renumber(const std::vector<Index>& heirs, Mesh& medial) {
  std::vector<Index> numbers(medial.points.size(), kNone);
  Mesh kept;
  for (size_t i = 0; i < heirs.size(); ++i) {
    if (heirs[i] != static_cast<Index>(i)) continue;
    numbers[i] = static_cast<Index>(kept.points.size());
    kept.points.push_back(medial.points[i]);
    kept.radii.push_back(medial.radii[i]);
  }
  const auto number_of = [&](Index i) { return numbers[static_cast<size_t>(heirs[static_cast<size_t>(i)])]; };
  for (const Edge& e : medial.edges) {
    Edge edge = {number_of(e[0]), number_of(e[1])};
    std::sort(edge.begin(), edge.end());
    if (edge[0] != edge[1]) kept.edges.push_back(edge);
  }
  for (const Triangle& t : medial.triangles) {
    const Triangle triangle = {number_of(t[0]), number_of(t[1]), number_of(t[2])};
    if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
      kept.triangles.push_back(triangle);
  }
  std::sort(kept.edges.begin(), kept.edges.end());
  kept.edges.erase(std::unique(kept.edges.begin(), kept.edges.end()), kept.edges.end());
  medial = std::move(kept);
}

int drop_vertices(Mesh& medial) {
  std::vector<std::uint8_t> is_dropped(medial.points.size(), 0);
  const MedialShape shape(medial);
  for (size_t p = 0; p < shape.primitives().size(); ++p) {
    if (shape.primitives()[p].count > 1) continue;
    const Index v = shape.primitives()[p].vertices[0];
    for (size_t other = 0; other < shape.primitives().size(); ++other) {
      const auto& corners = shape.primitives()[other].vertices;
      if (other == p || is_dropped[corners[0]] != 0) continue;
      const double gap = shape.find_in_primitive(static_cast<Index>(other), medial.points[v]).gap;
      if (gap + medial.radii[v] <= 0) is_dropped[v] = 1;
    }
  }
  std::vector<Index> heirs(medial.points.size());
  for (size_t i = 0; i < heirs.size(); ++i) heirs[i] = is_dropped[i] != 0 ? kNone : static_cast<Index>(i);
  const size_t before = medial.points.size();
  renumber(heirs, medial);
  return static_cast<int>(before - medial.points.size());
}

}  // namespace

GateReport apply_gates(Mesh& medial) {
  GateReport report;
  // All edges are listed, those of slabs too.
  const std::vector<Edge> sides = unique_edges(medial.triangles);
  for (Edge& e : medial.edges) std::sort(e.begin(), e.end());
  medial.edges.insert(medial.edges.end(), sides.begin(), sides.end());
  std::sort(medial.edges.begin(), medial.edges.end());
  medial.edges.erase(std::unique(medial.edges.begin(), medial.edges.end()), medial.edges.end());

  report.slabs = static_cast<int>(std::erase_if(
      medial.triangles, [&](const Triangle& t) { return !(compute_slope2(medial, t) <= kMaxSlabSlope2); }));
  report.cones = static_cast<int>(std::erase_if(medial.edges, [&](const Edge& e) {
    const double length = (medial.points[e[1]] - medial.points[e[0]]).norm();
    return !(length > 0 && std::abs(medial.radii[e[1]] - medial.radii[e[0]]) <= kMaxConeSlope * length);
  }));
  report.vertices = drop_vertices(medial);
  return report;
}

void merge_spheres(Mesh& medial) {
  const size_t count = medial.points.size();
  std::vector<Index> order(count), heirs(count, kNone);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return medial.radii[a] > medial.radii[b]; });
  for (const Index a : order) {
    if (heirs[a] != kNone) continue;
    for (const Index b : order) {
      const double reach = kSamePlace * std::min(medial.radii[a], medial.radii[b]);
      if (heirs[b] == kNone && (medial.points[a] - medial.points[b]).norm() < reach) heirs[b] = a;
    }
    heirs[a] = a;
  }
  renumber(heirs, medial);
}

}  // namespace marrow
