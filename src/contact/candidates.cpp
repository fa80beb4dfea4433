#include "contact/candidates.h"

#include <algorithm>
#include <numeric>

#include "core/macros.h"
#include "core/trace.h"
#include "exec/parallel.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

constexpr size_t kGrain = 2048;  // [speed only]

template <size_t N>
std::vector<Index> flatten(const std::vector<std::array<Index, N>>& simplices) {
  std::vector<Index> flat;
  flat.reserve(N * simplices.size());
  for (const auto& simplex : simplices) flat.insert(flat.end(), simplex.begin(), simplex.end());
  return flat;
}

template <size_t N>
void mark(const std::vector<std::array<Index, N>>& simplices, std::vector<std::uint8_t>& marks) {
  for (const auto& simplex : simplices) {
    for (const Index point : simplex) marks[static_cast<size_t>(point)] = 1;
  }
}

// Both directions of every pair, sorted, so that a search finds either.
void make_symmetric(std::vector<IndexPair>& pairs) {
  const size_t count = pairs.size();
  for (size_t i = 0; i < count; ++i) pairs.push_back({pairs[i][1], pairs[i][0]});
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

bool has_pair(const std::vector<IndexPair>& sorted, Index a, Index b) {
  return std::binary_search(sorted.begin(), sorted.end(), IndexPair{a, b});
}

}  // namespace

CollisionMesh build_collision_mesh(const Mesh& mesh) {
  CollisionMesh built;
  built.point_count = static_cast<Index>(mesh.points.size());
  built.triangles = mesh.triangles;
  built.radii = mesh.radii;
  built.edges = unique_edges(mesh.triangles);
  built.wire_start = built.edges.size();
  // Wires, each once, that are not edges of triangles.
  std::vector<Edge> wires = mesh.edges;
  for (Edge& wire : wires) std::sort(wire.begin(), wire.end());
  std::sort(wires.begin(), wires.end());
  wires.erase(std::unique(wires.begin(), wires.end()), wires.end());
  const std::vector<Edge> of_triangles = built.edges;
  std::set_difference(wires.begin(), wires.end(), of_triangles.begin(), of_triangles.end(),
                      std::back_inserter(built.edges));
  std::vector<std::uint8_t> is_used(mesh.points.size(), 0);
  mark(built.edges, is_used);
  mark(mesh.tets, is_used);
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i] == 0) built.loose.push_back(static_cast<Index>(i));
  }
  return built;
}

VertexWireRule::VertexWireRule(const CollisionMesh& mesh)
    : meets_all_(static_cast<size_t>(mesh.point_count), 0), tapers_(mesh.edges.size(), 0) {
  mark(mesh.triangles, meets_all_);
  for (std::uint8_t& flag : meets_all_) flag = flag == 0 || mesh.has_vertex_wires ? 1 : 0;
  for (size_t i = 0; i < mesh.edges.size() && !mesh.radii.empty(); ++i) {
    const Edge& e = mesh.edges[i];
    if (mesh.radii[e[0]] == mesh.radii[e[1]]) continue;
    tapers_[i] = meets_all_[e[0]] = meets_all_[e[1]] = 1;
  }
}

CandidateFinder::CandidateFinder(CollisionMesh mesh, CandidateFilter filter)
    : mesh_(std::move(mesh)), filter_(std::move(filter)), vertex_wire_rule_(mesh_) {
  make_symmetric(filter_.ignored_bodies);
  make_symmetric(filter_.neighbours);
  for (const Index body : mesh_.bodies) first_region_ = std::max(first_region_, body + 1);
  first_region_ = std::max<Index>(first_region_, 1);
  points_.corners.resize(static_cast<size_t>(mesh_.point_count));
  std::iota(points_.corners.begin(), points_.corners.end(), 0);
  edges_.corner_count = 2;
  edges_.corners = flatten(mesh_.edges);
  triangles_.corner_count = 3;
  triangles_.corners = flatten(mesh_.triangles);
  for (Simplices* simplices : {&points_, &edges_, &triangles_}) {
    simplices->boxes.resize(simplices->count());
    add_labels(*simplices);
  }
  choose_ids();
}

// Label 0: the body, if it ignores itself, else the region. Label 1: zero, if all corners are fixed.
ItemLabels CandidateFinder::make_labels(std::span<const Index> corners) const {
  const Index body = mesh_.bodies.empty() ? 0 : mesh_.bodies[static_cast<size_t>(corners[0])];
  const bool is_fixed =
      !filter_.fixed.empty() && std::all_of(corners.begin(), corners.end(), [&](Index point) {
        return filter_.fixed[static_cast<size_t>(point)] != 0;
      });
  return {has_pair(filter_.ignored_bodies, body, body) ? body : kNone, is_fixed ? 0 : kNone};
}

void CandidateFinder::add_labels(Simplices& simplices) const {
  if (filter_.ignored_bodies.empty() && filter_.fixed.empty()) return;
  simplices.labels.resize(simplices.count());
  for (size_t i = 0; i < simplices.count(); ++i) {
    simplices.labels[i] = make_labels(simplices.corners_of(static_cast<Index>(i)));
  }
}

void CandidateFinder::set_regions(std::span<const Index> points, std::span<const Index> edges,
                                  std::span<const Index> triangles) {
  update_labels(points, points_);
  update_labels(edges, edges_);
  update_labels(triangles, triangles_);
}

void CandidateFinder::update_labels(std::span<const Index> regions, Simplices& simplices) const {
  if (regions.empty() && simplices.labels.empty()) return;
  MARROW_ASSERT(regions.empty() || regions.size() == simplices.count());
  if (simplices.labels.empty()) simplices.labels.assign(simplices.count(), {kNone, kNone});
  const auto update = [&](size_t i) {
    Index& label = simplices.labels[i][0];
    if (label != kNone && label < first_region_) return;  // a body that ignores itself
    label = regions.empty() || regions[i] == kNone ? kNone : first_region_ + regions[i];
  };
  exec::parallel_for("broad_phase.regions", simplices.count(), update, kGrain);
}

// Lists the simplices of every tree.
void CandidateFinder::choose_ids() {
  std::vector<std::uint8_t> is_vertex(points_.count(), 0);
  mark(mesh_.edges, is_vertex);
  for (const Index point : mesh_.loose) is_vertex[static_cast<size_t>(point)] = 1;
  for (size_t i = 0; i < points_.count(); ++i) {
    if (is_vertex[i] != 0) vertex_tree_.ids.push_back(static_cast<Index>(i));
  }
  edge_tree_.ids.resize(edges_.count());
  std::iota(edge_tree_.ids.begin(), edge_tree_.ids.end(), 0);
  wire_tree_.ids.assign(edge_tree_.ids.begin() + static_cast<std::ptrdiff_t>(mesh_.wire_start),
                        edge_tree_.ids.end());
  triangle_tree_.ids.resize(triangles_.count());
  std::iota(triangle_tree_.ids.begin(), triangle_tree_.ids.end(), 0);
  loose_tree_.ids = mesh_.loose;
}

void CandidateFinder::find(const Points& x, double activation_distance, Candidates& candidates) {
  find_swept(x, x, activation_distance, candidates);
}

void CandidateFinder::find_swept(const Points& x0, const Points& x1, double activation_distance,
                                 Candidates& candidates) {
  const trace::Scope scope("broad_phase.total");
  update_boxes(x0, x1, activation_distance);
  for (Tree* tree : {&vertex_tree_, &edge_tree_, &triangle_tree_, &wire_tree_, &loose_tree_}) {
    update_tree(*tree);
  }
  candidates.edge_edge.clear();
  if (!mesh_.is_planar)
    query_.find_self_pairs(edge_tree_.bvh, make_keep(edges_, edges_), candidates.edge_edge);
  query_.find_cross_pairs(vertex_tree_.bvh, triangle_tree_.bvh, make_keep(points_, triangles_),
                          candidates.vertex_triangle);
  query_.find_self_pairs(loose_tree_.bvh, make_keep(points_, points_), candidates.vertex_vertex);
  const auto keep_vertex_edge = [&](Index vertex, Index wire) {
    return vertex_wire_rule_.is_pair(vertex, wire) && is_kept(points_, vertex, edges_, wire);
  };
  query_.find_cross_pairs(vertex_tree_.bvh, wire_tree_.bvh, keep_vertex_edge, candidates.vertex_edge);
}

// Computes the boxes of points, and from them those of edges and triangles.
void CandidateFinder::update_boxes(const Points& x0, const Points& x1, double activation_distance) {
  MARROW_ASSERT(x0.size() == points_.count() && x1.size() == points_.count() && activation_distance >= 0);
  const auto update_point = [&](size_t i) {
    const double r = mesh_.radii.empty() ? 0 : mesh_.radii[i];
    points_.boxes[i] = box_of_swept_ball(x0[i], x1[i], r + 0.5 * activation_distance);
  };
  exec::parallel_for("broad_phase.points", points_.count(), update_point, kGrain);
  const auto point_box = [&](Index point) -> const Aabb& {
    return points_.boxes[static_cast<size_t>(point)];
  };
  const auto update_edge = [&](size_t i) {
    const Edge& e = mesh_.edges[i];
    edges_.boxes[i] = merge(point_box(e[0]), point_box(e[1]));
  };
  exec::parallel_for("broad_phase.edges", edges_.count(), update_edge, kGrain);
  const auto update_triangle = [&](size_t i) {
    const Triangle& t = mesh_.triangles[i];
    triangles_.boxes[i] = merge(merge(point_box(t[0]), point_box(t[1])), point_box(t[2]));
  };
  exec::parallel_for("broad_phase.triangles", triangles_.count(), update_triangle, kGrain);
}

void CandidateFinder::update_tree(Tree& tree) const {
  const Simplices& simplices = tree.simplices;
  tree.bvh.build({tree.ids, simplices.corner_count, simplices.corners, simplices.labels}, simplices.boxes);
}

// True if the filters that the trees do not apply keep the pair: ignored bodies, overlaps at rest,
// neighbours.
bool CandidateFinder::is_kept(const Simplices& a, Index id_a, const Simplices& b, Index id_b) const {
  const std::span<const Index> corners_a = a.corners_of(id_a);
  const std::span<const Index> corners_b = b.corners_of(id_b);
  if (!filter_.ignored_bodies.empty() && !mesh_.bodies.empty() &&
      has_pair(filter_.ignored_bodies, mesh_.bodies[static_cast<size_t>(corners_a[0])],
               mesh_.bodies[static_cast<size_t>(corners_b[0])])) {
    return false;
  }
  if (filter_.overlapping.contains(corners_a, corners_b)) return false;
  if (filter_.neighbours.empty()) return true;
  for (const Index point_a : corners_a) {
    for (const Index point_b : corners_b) {
      if (has_pair(filter_.neighbours, point_a, point_b)) return false;
    }
  }
  return true;
}

KeepPair CandidateFinder::make_keep(const Simplices& a, const Simplices& b) const {
  const bool has_other_bodies = std::any_of(filter_.ignored_bodies.begin(), filter_.ignored_bodies.end(),
                                            [](const IndexPair& pair) { return pair[0] != pair[1]; });
  if (!has_other_bodies && filter_.neighbours.empty() && filter_.overlapping.empty()) return {};
  return [&](Index id_a, Index id_b) { return is_kept(a, id_a, b, id_b); };
}

Candidates compute_candidates(const CollisionMesh& mesh, const Points& x, double activation_distance,
                              const CandidateFilter& filter) {
  return compute_swept_candidates(mesh, x, x, activation_distance, filter);
}

Candidates compute_swept_candidates(const CollisionMesh& mesh, const Points& x0, const Points& x1,
                                    double activation_distance, const CandidateFilter& filter) {
  Candidates candidates;
  CandidateFinder(mesh, filter).find_swept(x0, x1, activation_distance, candidates);
  return candidates;
}

}  // namespace marrow
