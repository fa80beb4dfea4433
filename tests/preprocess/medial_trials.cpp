#include "preprocess/medial_trials.h"

#include <algorithm>
#include <numeric>

#include "exact/moving_triangles.h"
#include "geometry/distance/gap.h"

namespace marrow {
namespace {

struct TriangleBoxes {
  std::vector<Aabb> boxes;
  std::vector<Index> ids, corners;

  TriangleBoxes(const std::vector<Triangle>& triangles, const Points& x, Index first_vertex) {
    for (const Triangle& t : triangles) {
      ids.push_back(static_cast<Index>(ids.size()));
      Aabb box = box_of_ball(x[static_cast<size_t>(t[0])], 0);
      for (const Index v : t) {
        box = merge(box, box_of_ball(x[static_cast<size_t>(v)], 0));
        corners.push_back(first_vertex + v);
      }
      boxes.push_back(box);
    }
  }
  void build(Bvh& tree) const {
    tree.build({.ids = ids, .corner_count = 3, .corners = corners, .labels = {}}, boxes);
  }
};

void check_enclosure(const MedialBounds& bounds, const MedialCover& cover, const Points& x,
                     MedialTrial& trial) {
  const auto& points = bounds.pieces().points;
  for (size_t p = 0; p < bounds.primitives().size(); ++p) {
    const MedialBalls& balls = cover.primitives[p];
    for (size_t i = points.starts[p]; i < points.starts[p + 1]; ++i) {
      PairBalls pair;
      pair.x = {locate(points.values[i], bounds.rest().surface, x), balls.x[0], balls.x[1], balls.x[2]};
      pair.r = {0, balls.r[0], balls.r[1], balls.r[2]};
      const double gap = find_gap(PairKind::PointTriangle, pair).compute_gap();
      ++trial.points;
      trial.outside += gap > 0 ? 1 : 0;
      trial.worst = std::max(trial.worst, gap);
    }
  }
}

void compare(const std::vector<IndexPair>& exact, const std::vector<IndexPair>& found, MedialTrial& trial) {
  std::vector<IndexPair> only;
  std::set_difference(exact.begin(), exact.end(), found.begin(), found.end(), std::back_inserter(only));
  trial.missed = only.size();
  only.clear();
  std::set_difference(found.begin(), found.end(), exact.begin(), exact.end(), std::back_inserter(only));
  trial.invented = only.size();
  trial.pairs = exact.size();
}

}  // namespace

std::vector<IndexPair> find_meeting_exactly(const std::vector<Triangle>& triangles, const Points& x) {
  const TriangleBoxes items(triangles, x, 0);
  Bvh tree;
  items.build(tree);
  BvhQuery query;
  std::vector<IndexPair> pairs;
  query.find_self_pairs(
      tree,
      [&](Index a, Index b) {
        return triangles_meet(x, triangles[static_cast<size_t>(a)], triangles[static_cast<size_t>(b)]);
      },
      pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<IndexPair> find_meeting_exactly(const std::vector<Triangle>& a, const Points& x,
                                            const std::vector<Triangle>& b, const Points& y) {
  const auto first = static_cast<Index>(x.size());
  const TriangleBoxes items_a(a, x, 0), items_b(b, y, first);
  Points both = x;
  both.insert(both.end(), y.begin(), y.end());
  Bvh tree_a, tree_b;
  items_a.build(tree_a);
  items_b.build(tree_b);
  BvhQuery query;
  std::vector<IndexPair> pairs;
  query.find_cross_pairs(
      tree_a, tree_b,
      [&](Index i, Index j) {
        const Triangle& s = b[static_cast<size_t>(j)];
        return triangles_meet(both, a[static_cast<size_t>(i)], {s[0] + first, s[1] + first, s[2] + first});
      },
      pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

MedialTrial try_self(const MedialBounds& bounds, BoundKind kind, const VecX& n, MedialCulling& culling) {
  MedialTrial trial;
  const Points x = compute_surface(bounds.rest(), n);
  MedialCover cover;
  bounds.update(kind, n, cover);
  check_enclosure(bounds, cover, x, trial);
  std::vector<PrimitiveOverlap> overlaps;
  trial.culled = culling.find_self(bounds.primitives(), cover, overlaps);
  trial.overlaps = overlaps.size();
  std::vector<IndexPair> found;
  const MedialSurface surface = {&bounds, &cover, &x};
  trial.voxels = find_meeting_triangles(surface, surface, overlaps, found);
  compare(find_meeting_exactly(bounds.rest().surface.triangles, x), found, trial);
  return trial;
}

MedialTrial try_two(const MedialBounds& a, const VecX& na, const MedialBounds& b, const VecX& nb,
                    BoundKind kind, MedialCulling& culling) {
  MedialTrial trial;
  const Points x = compute_surface(a.rest(), na), y = compute_surface(b.rest(), nb);
  MedialCover cover_a, cover_b;
  a.update(kind, na, cover_a);
  b.update(kind, nb, cover_b);
  check_enclosure(a, cover_a, x, trial);
  check_enclosure(b, cover_b, y, trial);
  std::vector<PrimitiveOverlap> overlaps;
  trial.culled = culling.find(cover_a, cover_b, overlaps);
  trial.overlaps = overlaps.size();
  std::vector<IndexPair> found;
  trial.voxels = find_meeting_triangles({&a, &cover_a, &x}, {&b, &cover_b, &y}, overlaps, found);
  compare(find_meeting_exactly(a.rest().surface.triangles, x, b.rest().surface.triangles, y), found, trial);
  return trial;
}

}  // namespace marrow
