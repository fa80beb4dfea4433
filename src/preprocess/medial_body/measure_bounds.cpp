#include "preprocess/medial_body/measure_bounds.h"

#include <cmath>
#include <numbers>

#include "geometry/distance/gap.h"
#include "geometry/medial/culling.h"
#include "mesh/point_box.h"
#include "preprocess/medial/measure_medial.h"
#include "preprocess/medial_body/medial_body.h"

namespace marrow {
namespace {

constexpr double kBoundSpacing = 1.0 / 60;  // of the points that are measured, in largest sides

// Nodes on an arc: the largest side becomes a quarter of a circle.
VecX bend_nodes(const MedialRest& rest) {
  const Eigen::AlignedBox3d box = compute_box(rest.surface.points);
  int u = 0;
  const double length = box.sizes().maxCoeff(&u), radius = length / (std::numbers::pi / 2);
  const int v = (u + 1) % 3;
  VecX n(3 * static_cast<Eigen::Index>(rest.nodes.size()));
  for (size_t i = 0; i < rest.nodes.size(); ++i) {
    const Vec3 X = rest.nodes[i] - box.center();
    Vec3 y = X;
    y[u] = (radius - X[v]) * std::sin(X[u] / radius);
    y[v] = radius - (radius - X[v]) * std::cos(X[u] / radius);
    n.segment<3>(3 * static_cast<Eigen::Index>(i)) = box.center() + y;
  }
  return n;
}

VecX list_numbers(const Points& nodes) {
  VecX n(3 * static_cast<Eigen::Index>(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i) n.segment<3>(3 * static_cast<Eigen::Index>(i)) = nodes[i];
  return n;
}

void count_outside(const MedialBounds& bounds, const MedialCover& cover, const Points& x,
                   BoundReport& report) {
  const auto& points = bounds.pieces().points;
  for (size_t p = 0; p < bounds.primitives().size(); ++p) {
    const MedialBalls& balls = cover.primitives[p];
    for (size_t i = points.starts[p]; i < points.starts[p + 1]; ++i) {
      PairBalls pair;
      pair.x = {locate(points.values[i], bounds.rest().surface, x), balls.x[0], balls.x[1], balls.x[2]};
      pair.r = {0, balls.r[0], balls.r[1], balls.r[2]};
      ++report.points;
      report.outside += find_gap(PairKind::PointTriangle, pair).compute_gap() > 0 ? 1 : 0;
    }
  }
}

}  // namespace

BoundReport measure_bounds(const PreparedMedial& prepared) {
  const MedialBounds bounds(make_medial_rest(prepared, list_body_handles(prepared, HandleKind::Affine)));
  const MedialRest& rest = bounds.rest();
  const double side = compute_box(rest.surface.points).sizes().maxCoeff();
  BoundReport report;
  MedialCover cover;
  const auto measure = [&](BoundKind kind, const VecX& n) {
    bounds.update(kind, n, cover);
    Mesh surface = rest.surface;
    surface.points = compute_surface(rest, n);
    const TriangleTree tree(surface.points, surface.triangles);
    return measure_medial(surface, tree, make_mesh(cover), kBoundSpacing * side).mean / side;
  };
  const VecX bent = bend_nodes(rest);
  report.rest = measure(BoundKind::Affine, list_numbers(rest.nodes));
  report.measured = measure(BoundKind::Measured, bent);
  report.bent = measure(BoundKind::Affine, bent);
  count_outside(bounds, cover, compute_surface(rest, bent), report);
  MedialCulling culling;
  std::vector<PrimitiveOverlap> overlaps;
  culling.find_self(bounds.primitives(), cover, overlaps);
  report.primitives = bounds.primitives().size();
  report.pairs = report.primitives * (report.primitives + 1) / 2;
  for (const PrimitiveOverlap& overlap : overlaps)
    ++(overlap.is_neighbor ? report.neighbors : report.overlaps);
  return report;
}

}  // namespace marrow
