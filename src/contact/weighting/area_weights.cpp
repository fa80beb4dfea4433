#include "contact/weighting/area_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "contact/contact_set.h"

namespace marrow {
namespace {

template <size_t N>
Buckets<Index> list_at_points(size_t point_count, const std::vector<std::array<Index, N>>& simplices) {
  return fill_buckets<Index>(point_count, [&](const auto& visit) {
    for (size_t i = 0; i < simplices.size(); ++i) {
      for (const Index p : simplices[i]) visit(p, static_cast<Index>(i));
    }
  });
}

template <size_t N>
bool has_point(const std::array<Index, N>& simplex, Index p) {
  return std::find(simplex.begin(), simplex.end(), p) != simplex.end();
}

double compute_area(const Triangle& t, std::span<const Vec3> x) {
  const Vec3& a = x[static_cast<size_t>(t[0])];
  return 0.5 * (x[static_cast<size_t>(t[1])] - a).cross(x[static_cast<size_t>(t[2])] - a).norm();
}

double radius_of(const CollisionMesh& mesh, Index p, double d_hat) {
  return std::max(mesh.radii.empty() ? 0 : mesh.radii[static_cast<size_t>(p)], d_hat / 2);
}

// The bodies side by side, so that a search finds pairs of one body only. Obstacles and bodies that ignore
// themselves may stay where they are: their pairs are left out.
Points place_side_by_side(const CollisionMesh& mesh, std::span<const Vec3> rest, double d_hat) {
  Points placed(rest.begin(), rest.end());
  if (mesh.bodies.empty()) return placed;
  const auto body_count = static_cast<size_t>(*std::max_element(mesh.bodies.begin(), mesh.bodies.end())) + 1;
  std::vector<double> low(body_count, std::numeric_limits<double>::infinity()), high(body_count, 0);
  std::fill(high.begin(), high.end(), -std::numeric_limits<double>::infinity());
  for (size_t i = 0; i < rest.size(); ++i) {
    const auto body = static_cast<size_t>(mesh.bodies[i]);
    const double radius = mesh.radii.empty() ? 0 : mesh.radii[i];
    low[body] = std::min(low[body], rest[i].x() - radius);
    high[body] = std::max(high[body], rest[i].x() + radius);
  }
  std::vector<double> shift(body_count, 0);
  double at = 0;
  for (size_t b = 0; b < body_count; ++b) {
    if (!(low[b] <= high[b])) continue;
    shift[b] = at - low[b];
    at += high[b] - low[b] + 8 * d_hat;
  }
  for (size_t i = 0; i < rest.size(); ++i) placed[i].x() += shift[static_cast<size_t>(mesh.bodies[i])];
  return placed;
}

}  // namespace

AreaWeights::AreaWeights(const CollisionMesh& mesh, const CandidateFilter& filter, std::span<const Vec3> rest,
                         double d_hat)
    : triangles_(mesh.triangles),
      edges_(mesh.edges),
      wire_start_(mesh.wire_start),
      is_planar_(mesh.is_planar),
      fixed_(filter.fixed) {
  const auto count = static_cast<size_t>(mesh.point_count);
  triangles_at_ = list_at_points(count, triangles_);
  edges_at_ = list_at_points(count, edges_);
  add_areas(mesh, rest, d_hat);
  add_own_limits(mesh, filter, rest, d_hat);
}

void AreaWeights::add_areas(const CollisionMesh& mesh, std::span<const Vec3> rest, double d_hat) {
  areas_.assign(static_cast<size_t>(mesh.point_count), 0);
  for (const Triangle& t : triangles_) {
    for (const Index p : t) areas_[static_cast<size_t>(p)] += compute_area(t, rest) / 3;
  }
  widths_.assign(edges_.size(), 0);
  for (size_t i = 0; i < edges_.size(); ++i) {
    const auto [a, b] = edges_[i];
    const double length = (rest[static_cast<size_t>(b)] - rest[static_cast<size_t>(a)]).norm();
    if (i < wire_start_) {
      double area = 0;
      for (const Index t : triangles_at_.of(static_cast<size_t>(a))) {
        const Triangle& triangle = triangles_[static_cast<size_t>(t)];
        if (has_point(triangle, b)) area += compute_area(triangle, rest) / 3;
      }
      widths_[i] = length > 0 ? area / length : 0;
      continue;
    }
    const double radius = (radius_of(mesh, a, d_hat) + radius_of(mesh, b, d_hat)) / 2;
    widths_[i] = is_planar_ ? 1 : 2 * std::sqrt(2 * radius * d_hat);
    for (const Index p : {a, b}) areas_[static_cast<size_t>(p)] += widths_[i] * length / 2;
  }
  for (const Index p : mesh.loose) {
    areas_[static_cast<size_t>(p)] = 2 * std::numbers::pi * radius_of(mesh, p, d_hat) * d_hat;
  }
}

void AreaWeights::add_own_limits(const CollisionMesh& mesh, const CandidateFilter& filter,
                                 std::span<const Vec3> rest, double d_hat) {
  own_limits_.assign(static_cast<size_t>(mesh.point_count), std::numeric_limits<double>::infinity());
  const Candidates pairs = compute_candidates(mesh, place_side_by_side(mesh, rest, d_hat), 2 * d_hat, filter);
  PairStencils stencils;
  make_pair_stencils(mesh, pairs, stencils);
  const auto limit = [&](PairShape shape, const std::vector<PairStencil>& list) {
    const ContactPoints points = {rest, rest, mesh.radii, mesh.bodies};
    for (const PairStencil& vertices : list) {
      if (!mesh.bodies.empty() && !is_one_body(vertices, shape, points)) continue;
      const double f =
          find_closest(shape, gather_balls(vertices, shape.count, rest, mesh.radii)).compute_squared();
      for (const Index v : {vertices[0], shape.count == 2 ? vertices[1] : vertices[0]}) {
        double& own = own_limits_[static_cast<size_t>(v)];
        own = limit_at_rest(own, f);
      }
    }
  };
  limit(kVertexFace, stencils.vertex_face);
  limit(kVertexEdge, stencils.vertex_edge);
  limit(kVertexVertex, stencils.vertex_vertex);
}

double AreaWeights::vertex_area(Index vertex, Index other) const {
  const double area = areas_[static_cast<size_t>(vertex)];
  const bool is_seen_back = !is_loose(vertex) || is_loose(other);
  if (is_loose(vertex) && is_loose(other)) return (area + areas_[static_cast<size_t>(other)]) / 2;
  if (!is_seen_back) return area;
  double share = 0.5;
  if (is_fixed(vertex)) share = kAreaShares.obstacle;
  if (is_fixed(other)) share = 1 - kAreaShares.obstacle;
  return (is_planar_ ? 1 : kAreaShares.vertices) * share * area;
}

double AreaWeights::crossing_area(const Edge& a, const Edge& b) const {
  const auto width_of = [&](const Edge& e) {
    for (const Index i : edges_at_.of(static_cast<size_t>(e[0]))) {
      if (has_point(edges_[static_cast<size_t>(i)], e[1])) return widths_[static_cast<size_t>(i)];
    }
    return 0.0;
  };
  return (1 - kAreaShares.vertices) * std::numbers::pi / 2 * width_of(a) * width_of(b);
}

// c of the edge a–b: 1 less the triangles around it.
double AreaWeights::edge_coefficient(Index v, Index a, Index b) const {
  double coefficient = 1;
  for (const Index t : triangles_at_.of(static_cast<size_t>(a))) {
    const Triangle& triangle = triangles_[static_cast<size_t>(t)];
    if (has_point(triangle, b) && !has_point(triangle, v)) coefficient -= 1;
  }
  return coefficient;
}

// c of the point p: 1 less its triangles, less what its edges have.
double AreaWeights::point_coefficient(Index v, Index p) const {
  double coefficient = 1;
  for (const Index t : triangles_at_.of(static_cast<size_t>(p))) {
    if (!has_point(triangles_[static_cast<size_t>(t)], v)) coefficient -= 1;
  }
  for (const Index i : edges_at_.of(static_cast<size_t>(p))) {
    const Edge& edge = edges_[static_cast<size_t>(i)];
    if (has_point(edge, v)) continue;
    const double of_edge = edge_coefficient(v, edge[0], edge[1]);
    // An edge all of whose triangles contain v is none of the simplices that v sees.
    const bool is_wire = i >= static_cast<Index>(wire_start_);
    if (is_wire || of_edge < 1) coefficient -= of_edge;
  }
  return coefficient;
}

double AreaWeights::coefficient(Index v, const Edge& side, const Triangle& of) const {
  for (const Index t : triangles_at_.of(static_cast<size_t>(side[0]))) {
    const Triangle& triangle = triangles_[static_cast<size_t>(t)];
    if (!has_point(triangle, side[1]) || has_point(triangle, v)) continue;
    return triangle == of ? edge_coefficient(v, side[0], side[1]) : 0;
  }
  return 0;
}

double AreaWeights::coefficient(Index v, Index side, const Triangle& of) const {
  for (const Index t : triangles_at_.of(static_cast<size_t>(side))) {
    const Triangle& triangle = triangles_[static_cast<size_t>(t)];
    if (has_point(triangle, v)) continue;
    return triangle == of ? point_coefficient(v, side) : 0;
  }
  return 0;
}

double AreaWeights::coefficient(Index v, Index side, const Edge& wire) const {
  for (const Index t : triangles_at_.of(static_cast<size_t>(side))) {
    if (!has_point(triangles_[static_cast<size_t>(t)], v)) return 0;  // a triangle has it
  }
  for (const Index i : edges_at_.of(static_cast<size_t>(side))) {
    const Edge& edge = edges_[static_cast<size_t>(i)];
    if (i < static_cast<Index>(wire_start_) || has_point(edge, v)) continue;
    return edge == wire ? point_coefficient(v, side) : 0;
  }
  return 0;
}

}  // namespace marrow
