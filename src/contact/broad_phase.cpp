#include "contact/broad_phase.h"

#include <algorithm>
#include <numeric>

#include "exec/parallel.h"

namespace marrow {
namespace {

template <class Pick>
void renumber(std::vector<IndexPair>& pairs, const Pick& pick) {
  for (IndexPair& pair : pairs) pair = pick(pair);
}

}  // namespace

BroadPhase::BroadPhase(CollisionMesh mesh, CandidateFilter filter, MovedGroups groups)
    : mesh_(std::move(mesh)), groups_(std::move(groups)) {
  for (Index i = 0; i < mesh_.point_count; ++i) {
    if (groups_.group_of(i) == kNone) free_points_.push_back(i);
  }
  if (groups_.count == 0) {
    free_finder_ = std::make_unique<CandidateFinder>(mesh_, std::move(filter));
    return;
  }
  const bool has_pairs = std::any_of(free_points_.begin(), free_points_.end(),
                                     [&](Index i) { return filter.fixed.empty() || filter.fixed[i] == 0; });
  if (has_pairs) {
    CollisionMesh free_mesh = make_free_mesh();
    free_finder_ = std::make_unique<CandidateFinder>(std::move(free_mesh), make_free_filter(filter));
  }
  group_finder_ = std::make_unique<GroupCandidateFinder>(mesh_, std::move(filter), groups_);
}

CollisionMesh BroadPhase::make_free_mesh() {
  CollisionMesh part;
  part.point_count = static_cast<Index>(free_points_.size());
  number_.assign(static_cast<size_t>(mesh_.point_count), kNone);
  for (size_t i = 0; i < free_points_.size(); ++i) {
    const Index point = free_points_[i];
    number_[point] = static_cast<Index>(i);
    if (!mesh_.radii.empty()) part.radii.push_back(mesh_.radii[point]);
    if (!mesh_.bodies.empty()) part.bodies.push_back(mesh_.bodies[point]);
  }
  for (size_t i = 0; i < mesh_.edges.size(); ++i) {
    const Edge& e = mesh_.edges[i];
    if (i == mesh_.wire_start) part.wire_start = part.edges.size();
    if (number_[e[0]] == kNone) continue;
    part.edges.push_back({number_[e[0]], number_[e[1]]});
    free_edges_.push_back(static_cast<Index>(i));
  }
  if (mesh_.wire_start >= mesh_.edges.size()) part.wire_start = part.edges.size();
  for (size_t i = 0; i < mesh_.triangles.size(); ++i) {
    const Triangle& t = mesh_.triangles[i];
    if (number_[t[0]] == kNone) continue;
    part.triangles.push_back({number_[t[0]], number_[t[1]], number_[t[2]]});
    free_triangles_.push_back(static_cast<Index>(i));
  }
  for (const Index point : mesh_.loose) {
    if (number_[point] != kNone) part.loose.push_back(number_[point]);
  }
  return part;
}

CandidateFilter BroadPhase::make_free_filter(const CandidateFilter& filter) const {
  CandidateFilter part;
  part.ignored_bodies = filter.ignored_bodies;
  for (const IndexPair& pair : filter.neighbours) {
    const IndexPair numbers = {number_[pair[0]], number_[pair[1]]};
    if (numbers[0] != kNone && numbers[1] != kNone) part.neighbours.push_back(numbers);
  }
  for (const Index point : free_points_) {
    if (!filter.fixed.empty()) part.fixed.push_back(filter.fixed[point]);
  }
  part.overlapping = filter.overlapping.renumbered(number_);
  return part;
}

void BroadPhase::set_regions(std::span<const Index> points, std::span<const Index> edges,
                             std::span<const Index> triangles) {
  if (!free_finder_) return;
  if (groups_.count == 0) {
    free_finder_->set_regions(points, edges, triangles);
    return;
  }
  const auto pick = [](std::span<const Index> regions, const std::vector<Index>& numbers) {
    std::vector<Index> picked;
    if (regions.empty()) return picked;
    for (const Index i : numbers) picked.push_back(regions[i]);
    return picked;
  };
  free_finder_->set_regions(pick(points, free_points_), pick(edges, free_edges_),
                            pick(triangles, free_triangles_));
}

void BroadPhase::find(const PointPaths& paths, double activation_distance, Candidates& candidates,
                      std::span<const double> growth) {
  if (free_finder_) {
    x0_.resize(free_points_.size());
    x1_.resize(free_points_.size());
    exec::parallel_for(
        "broad_phase.free", free_points_.size(),
        [&](size_t i) {
          x0_[i] = paths.x0[free_points_[i]];
          x1_[i] = paths.x1[free_points_[i]];
        },
        4096);
    free_finder_->find_swept(x0_, x1_, activation_distance, candidates);
    if (groups_.count == 0) return;
    // Numbers of free points and simplices become their numbers in the mesh.
    const auto& points = free_points_;
    renumber(candidates.edge_edge, [&](const IndexPair& p) -> IndexPair {
      return {free_edges_[p[0]], free_edges_[p[1]]};
    });
    renumber(candidates.vertex_triangle, [&](const IndexPair& p) -> IndexPair {
      return {points[p[0]], free_triangles_[p[1]]};
    });
    renumber(candidates.vertex_edge, [&](const IndexPair& p) -> IndexPair {
      return {points[p[0]], free_edges_[p[1]]};
    });
    renumber(candidates.vertex_vertex, [&](const IndexPair& p) -> IndexPair {
      return {points[p[0]], points[p[1]]};
    });
  } else {
    candidates = {};
  }
  group_finder_->add_pairs(paths, activation_distance, growth, candidates);
}

}  // namespace marrow
