#include "geometry/transfer/nearest_simplex.h"

#include <Eigen/Dense>
#include <limits>
#include <numeric>

#include "exec/parallel.h"
#include "geometry/bvh/bvh.h"
#include "mesh/buckets.h"

namespace marrow {
namespace {

using Corners = std::array<Vec3, 4>;

struct Candidate {
  double squared = std::numeric_limits<double>::infinity();
  Vec4 weights = Vec4::Zero();
};

// The point of the face with the corners of mask that is closest to x, if it has no negative weight.
void try_face(const Corners& corners, unsigned mask, const Vec3& x, Candidate& best) {
  std::array<size_t, 4> used{};
  size_t count = 0;
  for (size_t c = 0; c < 4; ++c) {
    if ((mask >> c) & 1U) used[count++] = c;
  }
  const auto edges = static_cast<Index>(count) - 1;
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> span(3, edges);
  for (Index e = 0; e < edges; ++e) {
    span.col(e) = corners[used[static_cast<size_t>(e) + 1]] - corners[used[0]];
  }
  Vec4 weights = Vec4::Zero();
  weights[static_cast<Index>(used[0])] = 1;
  if (edges > 0) {
    const auto gram = (span.transpose() * span).eval();
    const auto along = gram.ldlt().solve(span.transpose() * (x - corners[used[0]])).eval();
    for (Index e = 0; e < edges; ++e) {
      if (!(along[e] >= 0)) return;
      weights[static_cast<Index>(used[static_cast<size_t>(e) + 1])] = along[e];
    }
    weights[static_cast<Index>(used[0])] = 1 - along.sum();
    if (weights[static_cast<Index>(used[0])] < 0) return;
  }
  Vec3 closest = Vec3::Zero();
  for (size_t c = 0; c < 4; ++c) closest += weights[static_cast<Index>(c)] * corners[c];
  const double squared = (x - closest).squaredNorm();
  if (squared < best.squared) best = {squared, weights};
}

// The smallest over all faces of the simplex, itself included, which are few.
Candidate find_closest_in(const Corners& corners, size_t corner_count, const Vec3& x) {
  Candidate best;
  for (unsigned mask = 1; mask < (1U << corner_count); ++mask) try_face(corners, mask, x, best);
  return best;
}

struct Tree {
  std::vector<Index> ids, corners;
  std::vector<Aabb> boxes;
  Bvh bvh;

  void build(Index first_corner) {
    ids.resize(boxes.size());
    std::iota(ids.begin(), ids.end(), 0);
    corners.resize(boxes.size());
    std::iota(corners.begin(), corners.end(), first_corner);
    bvh.build({ids, 1, corners, {}}, boxes);
  }
};

double longest_side(const Aabb& box) {
  return std::max({box.hi[0] - box.lo[0], box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]});
}

}  // namespace

std::vector<NearestPoint> find_nearest(const Points& points, const std::vector<SimplexCorners>& simplices,
                                       size_t corner_count, const Points& queries) {
  Tree tree;
  for (const SimplexCorners& simplex : simplices) {
    Aabb box = box_of_ball(points[static_cast<size_t>(simplex[0])], 0);
    for (size_t c = 1; c < corner_count; ++c) {
      box = merge(box, box_of_ball(points[static_cast<size_t>(simplex[c])], 0));
    }
    tree.boxes.push_back(box);
  }
  tree.build(0);
  Aabb all = tree.boxes[0];
  for (const Aabb& box : tree.boxes) all = merge(all, box);

  // Queries look within a radius that doubles until something is found that is not farther than the radius.
  std::vector<NearestPoint> nearest(queries.size());
  std::vector<size_t> open(queries.size());
  std::iota(open.begin(), open.end(), size_t{0});
  double radius = longest_side(all) / std::cbrt(static_cast<double>(simplices.size()));
  BvhQuery query;
  for (; !open.empty(); radius *= 2) {
    Tree around;
    for (const size_t q : open) around.boxes.push_back(box_of_ball(queries[q], radius));
    around.build(static_cast<Index>(simplices.size()));
    std::vector<IndexPair> pairs;
    query.find_cross_pairs(around.bvh, tree.bvh, {}, pairs);
    std::sort(pairs.begin(), pairs.end());
    std::vector<Candidate> best(open.size());
    for (const IndexPair& pair : pairs) {
      const auto q = static_cast<size_t>(pair[0]);
      Corners corners;
      for (size_t c = 0; c < 4; ++c) {
        const size_t used = std::min(c, corner_count - 1);
        corners[c] = points[static_cast<size_t>(simplices[static_cast<size_t>(pair[1])][used])];
      }
      const Candidate found = find_closest_in(corners, corner_count, queries[open[q]]);
      if (found.squared < best[q].squared) {
        best[q] = found;
        nearest[open[q]] = {pair[1], found.weights};
      }
    }
    std::vector<size_t> left;
    for (size_t i = 0; i < open.size(); ++i) {
      if (!(best[i].squared <= radius * radius)) left.push_back(open[i]);
    }
    open = std::move(left);
  }
  return nearest;
}

}  // namespace marrow
