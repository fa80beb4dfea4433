#include "geometry/medial/voxel_query.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "exact/moving_triangles.h"
#include "exec/parallel.h"
#include "geometry/medial/voxels.h"

namespace marrow {
namespace {

// Two bodies, or one with itself.
struct VoxelSide {
  const MedialSurface& surface;
  const std::vector<Aabb>& boxes;  // of the triangles

  const Triangle& triangle(Index t) const {
    return surface.bounds->rest().surface.triangles[static_cast<size_t>(t)];
  }
  const Aabb& box(Index t) const { return boxes[static_cast<size_t>(t)]; }
};

std::vector<Aabb> box_triangles(const MedialSurface& surface) {
  const std::vector<Triangle>& triangles = surface.bounds->rest().surface.triangles;
  std::vector<Aabb> boxes(triangles.size());
  exec::parallel_for("medial.triangle_boxes", boxes.size(), [&](size_t t) {
    const Points& x = *surface.points;
    const auto corner = [&](size_t k) { return box_of_ball(x[static_cast<size_t>(triangles[t][k])], 0); };
    boxes[t] = merge(merge(corner(0), corner(1)), corner(2));
  });
  return boxes;
}

double longest_side(const std::vector<Aabb>& boxes) {
  return exec::parallel_max("medial.voxel_side", boxes.size(), 0.0, [&](size_t t) {
    const Aabb& box = boxes[t];
    return std::max({box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]});
  });
}

Aabb intersect(const Aabb& a, const Aabb& b) {
  Aabb both;
  for (int k = 0; k < 3; ++k) {
    both.lo[k] = std::max(a.lo[k], b.lo[k]);
    both.hi[k] = std::min(a.hi[k], b.hi[k]);
  }
  return both;
}

bool have_common_vertex(const Triangle& t, const Triangle& s) {
  for (const Index v : t)
    if (v == s[0] || v == s[1] || v == s[2]) return true;
  return false;
}

// A triangle in a voxel.
struct VoxelEntry {
  std::uint64_t voxel;
  Index triangle;
  int side;
};

// The pairs of one overlap.
class OverlapQuery {
 public:
  OverlapQuery(const VoxelSide& a, const VoxelSide& b, bool is_self, double side)
      : a_(a), b_(b), is_self_(is_self), side_(side) {}

  void run(const PrimitiveOverlap& overlap) {
    const Aabb region = intersect(box_balls(a_.surface.cover->primitives[static_cast<size_t>(overlap.a)]),
                                  box_balls(b_.surface.cover->primitives[static_cast<size_t>(overlap.b)]));
    const bool is_same = is_self_ && overlap.a == overlap.b;
    list(a_, overlap.a, region, triangles_[0]);
    if (!is_same) list(b_, overlap.b, region, triangles_[1]);
    counts.triangles += triangles_[0].size() + (is_same ? 0 : triangles_[1].size());
    const std::vector<Index>& others = is_same ? triangles_[0] : triangles_[1];
    if (triangles_[0].empty() || others.empty()) return;
    if (triangles_[0].size() * others.size() <= kFewPairs) {
      for (const Index t : triangles_[0])
        for (const Index s : others)
          if (!is_same || t < s) test(t, s);
      return;
    }
    fill_voxels(VoxelGrid(region, side_), is_same);
    for (size_t begin = 0; begin < entries_.size();) {
      size_t end = begin;
      while (end < entries_.size() && entries_[end].voxel == entries_[begin].voxel) ++end;
      search_voxel(begin, end, is_same);
      begin = end;
    }
  }

  VoxelCounts counts;
  std::vector<IndexPair> pairs;

 private:
  // So few pairs are compared without voxels: they fit into one of them or so. [speed only]
  static constexpr size_t kFewPairs = 256;

  static Aabb box_balls(const MedialBalls& balls) {
    Aabb box = box_of_ball(balls.x[0], balls.r[0]);
    for (size_t i = 1; i < static_cast<size_t>(balls.count); ++i)
      box = merge(box, box_of_ball(balls.x[i], balls.r[i]));
    return box;
  }

  static void list(const VoxelSide& side, Index primitive, const Aabb& region,
                   std::vector<Index>& triangles) {
    triangles.clear();
    for (const Index t : side.surface.bounds->list_triangles(primitive))
      if (is_overlapping(side.box(t), region)) triangles.push_back(t);
  }

  void fill_voxels(const VoxelGrid& grid, bool is_same) {
    entries_.clear();
    spans_[0].clear();
    spans_[1].clear();
    for (const int side : {0, 1}) {
      if (is_same && side == 1) break;
      const VoxelSide& body = side == 0 ? a_ : b_;
      const std::vector<Index>& triangles = triangles_[static_cast<size_t>(side)];
      for (size_t i = 0; i < triangles.size(); ++i) {
        const VoxelSpan span = grid.span_of(body.box(triangles[i]));
        spans_[static_cast<size_t>(side)].push_back(span);
        for_each_voxel(span, [&](std::uint64_t voxel) {
          entries_.push_back({voxel, static_cast<Index>(i), side});
        });
      }
    }
    std::sort(entries_.begin(), entries_.end(), [](const VoxelEntry& x, const VoxelEntry& y) {
      return std::tie(x.voxel, x.side, x.triangle) < std::tie(y.voxel, y.side, y.triangle);
    });
  }

  // Entries of one voxel, those of a first. A pair counts in the first voxel of both.
  void search_voxel(size_t begin, size_t end, bool is_same) {
    size_t middle = begin;
    while (middle < end && entries_[middle].side == 0) ++middle;
    const size_t others = is_same ? 0 : 1;
    for (size_t i = begin; i < middle; ++i) {
      const auto t = static_cast<size_t>(entries_[i].triangle);
      for (size_t j = is_same ? i + 1 : middle; j < end; ++j) {
        const auto s = static_cast<size_t>(entries_[j].triangle);
        if (first_common_voxel(spans_[0][t], spans_[others][s]) != entries_[i].voxel) continue;
        test(triangles_[0][t], triangles_[others][s]);
      }
    }
  }

  void test(Index t, Index s) {
    ++counts.box_tests;
    if (!is_overlapping(a_.box(t), b_.box(s))) return;
    const Triangle& triangle = a_.triangle(t);
    const Triangle& other = b_.triangle(s);
    if (is_self_ && have_common_vertex(triangle, other)) return;
    ++counts.triangle_tests;
    if (!meet(triangle, other)) return;
    if (is_self_) {
      pairs.push_back({std::min(t, s), std::max(t, s)});
    } else {
      pairs.push_back({t, s});
    }
  }

  bool meet(const Triangle& t, const Triangle& s) const {
    const Points& x = *a_.surface.points;
    if (is_self_) return triangles_meet(x, t, s);
    const Points& y = *b_.surface.points;
    Points both(6);
    for (size_t k = 0; k < 3; ++k) {
      both[k] = x[static_cast<size_t>(t[k])];
      both[3 + k] = y[static_cast<size_t>(s[k])];
    }
    return triangles_meet(both, {0, 1, 2}, {3, 4, 5});
  }

  const VoxelSide& a_;
  const VoxelSide& b_;
  bool is_self_;
  double side_;
  std::array<std::vector<Index>, 2> triangles_;
  std::array<std::vector<VoxelSpan>, 2> spans_;
  std::vector<VoxelEntry> entries_;
};

}  // namespace

VoxelCounts find_meeting_triangles(const MedialSurface& a, const MedialSurface& b,
                                   const std::vector<PrimitiveOverlap>& overlaps,
                                   std::vector<IndexPair>& pairs) {
  pairs.clear();
  const bool is_self = a.bounds == b.bounds && a.points == b.points;
  const std::vector<Aabb> boxes_a = box_triangles(a);
  const std::vector<Aabb> boxes_b = is_self ? std::vector<Aabb>() : box_triangles(b);
  const VoxelSide side_a = {a, boxes_a}, side_b = {b, is_self ? boxes_a : boxes_b};
  const double side = std::max(longest_side(side_a.boxes), longest_side(side_b.boxes));
  constexpr size_t kOverlapChunk = 8;
  const size_t chunk_count = (overlaps.size() + kOverlapChunk - 1) / kOverlapChunk;
  std::vector<OverlapQuery> queries(chunk_count, OverlapQuery(side_a, side_b, is_self, side));
  const auto search = [&](size_t chunk) {
    for (size_t i = chunk * kOverlapChunk; i < std::min(overlaps.size(), (chunk + 1) * kOverlapChunk); ++i)
      queries[chunk].run(overlaps[i]);
  };
  exec::parallel_for("medial.voxels", chunk_count, search, 1);
  VoxelCounts counts;
  for (const OverlapQuery& query : queries) {
    pairs.insert(pairs.end(), query.pairs.begin(), query.pairs.end());
    counts.triangles += query.counts.triangles;
    counts.box_tests += query.counts.box_tests;
    counts.triangle_tests += query.counts.triangle_tests;
  }
  // A triangle with pieces in several primitives is found in several overlaps.
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return counts;
}

}  // namespace marrow
