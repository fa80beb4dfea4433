#include "preprocess/volume/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mesh/buckets.h"

namespace marrow {
namespace {

constexpr Index kLeafSize = 4;
constexpr double kAgainst = -0.2;

double squared_distance_to_box(const Vec3& p, const Vec3& lower, const Vec3& upper) {
  return (lower - p).cwiseMax(p - upper).cwiseMax(0).squaredNorm();
}

}  // namespace

TriangleTree::TriangleTree(const Points& points, const std::vector<Triangle>& triangles)
    : points_(points), triangles_(triangles), order_(triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vec3> centers;
  centers.reserve(triangles.size());
  for (const Triangle& t : triangles) centers.push_back((points[t[0]] + points[t[1]] + points[t[2]]) / 3);
  nodes_.reserve(triangles.size());
  build_node(0, static_cast<Index>(triangles.size()), centers);
  build_normals();
}

void TriangleTree::build_node(Index first, Index last, std::vector<Vec3>& centers) {
  const size_t id = nodes_.size();
  nodes_.emplace_back();
  Eigen::AlignedBox3d box, middle;
  for (Index i = first; i < last; ++i) {
    for (const Index v : triangles_[order_[i]]) box.extend(points_[v]);
    middle.extend(centers[order_[i]]);
  }
  nodes_[id].lower = box.min();
  nodes_[id].upper = box.max();
  if (last - first <= kLeafSize) {
    nodes_[id].first = first;
    nodes_[id].count = last - first;
    return;
  }
  int axis = 0;
  middle.sizes().maxCoeff(&axis);
  const Index half = first + (last - first) / 2;
  std::nth_element(order_.begin() + first, order_.begin() + half, order_.begin() + last,
                   [&](Index a, Index b) {
                     const double xa = centers[a][axis], xb = centers[b][axis];
                     return xa < xb || (xa == xb && a < b);
                   });
  build_node(first, half, centers);
  nodes_[id].right = static_cast<Index>(nodes_.size());
  build_node(half, last, centers);
}

void TriangleTree::build_normals() {
  face_normals_.resize(triangles_.size());
  vertex_normals_.assign(points_.size(), Vec3::Zero());
  edge_normals_.resize(triangles_.size());
  for (size_t t = 0; t < triangles_.size(); ++t) {
    const Triangle& v = triangles_[t];
    const Vec3 n = (points_[v[1]] - points_[v[0]]).cross(points_[v[2]] - points_[v[0]]);
    face_normals_[t] = n.stableNormalized();
    for (int i = 0; i < 3; ++i) {
      const Vec3 a = points_[v[(i + 1) % 3]] - points_[v[i]], b = points_[v[(i + 2) % 3]] - points_[v[i]];
      vertex_normals_[v[i]] += std::atan2(a.cross(b).norm(), a.dot(b)) * face_normals_[t];
    }
  }
  for (Vec3& n : vertex_normals_) n = n.stableNormalized();
  // An edge's normal is the sum of those of its triangles.
  auto sides = fill_buckets<Index>(points_.size(), [&](const auto& add) {
    for (size_t t = 0; t < triangles_.size(); ++t) {
      for (int i = 0; i < 3; ++i) {
        add(std::min(triangles_[t][i], triangles_[t][(i + 1) % 3]), static_cast<Index>(3 * t) + i);
      }
    }
  });
  const auto highest_of = [&](Index side) {
    return std::max(triangles_[side / 3][side % 3], triangles_[side / 3][(side % 3 + 1) % 3]);
  };
  for (size_t low = 0; low < sides.key_count(); ++low) {
    for (const Index side : sides.of(low)) {
      Vec3 sum = Vec3::Zero();
      for (const Index other : sides.of(low)) {
        if (highest_of(other) == highest_of(side)) sum += face_normals_[other / 3];
      }
      edge_normals_[side / 3][side % 3] = sum;
    }
  }
}

NearestPoint TriangleTree::find_nearest(const Vec3& p, double reach) const {
  return search(p, reach, [](Index) { return true; });
}

NearestPoint TriangleTree::find_nearest_against(const Vec3& direction, const Vec3& p, double reach) const {
  return search(p, reach, [&](Index t) { return face_normals_[t].dot(direction) < kAgainst; });
}

template <typename IsWanted>
NearestPoint TriangleTree::search(const Vec3& p, double reach, const IsWanted& is_wanted) const {
  NearestPoint best;
  double least = reach * reach;
  std::array<Index, 64> stack;
  int depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const Index id = stack[--depth];
    const Node& node = nodes_[id];
    if (squared_distance_to_box(p, node.lower, node.upper) > least) continue;
    if (node.count == 0) {
      // The nearer child first, so that it shortens the reach for the other.
      const Index left = id + 1, right = node.right;
      const double to_left = squared_distance_to_box(p, nodes_[left].lower, nodes_[left].upper);
      const double to_right = squared_distance_to_box(p, nodes_[right].lower, nodes_[right].upper);
      stack[depth++] = to_left < to_right ? right : left;
      stack[depth++] = to_left < to_right ? left : right;
      continue;
    }
    for (Index i = node.first; i < node.first + node.count; ++i) {
      if (!is_wanted(order_[i])) continue;
      const Triangle& t = triangles_[order_[i]];
      const Vec3 k = find_nearest_weights(p, points_[t[0]], points_[t[1]], points_[t[2]]);
      const Vec3 x = k[0] * points_[t[0]] + k[1] * points_[t[1]] + k[2] * points_[t[2]];
      const double squared = (x - p).squaredNorm();
      if (squared > least || (squared == least && best.triangle != kNone)) continue;
      least = squared;
      best = {order_[i], x, k, 0};
    }
  }
  if (best.triangle != kNone) best.distance = std::sqrt(least);
  return best;
}

double TriangleTree::compute_signed_distance(const Vec3& p, double reach) const {
  const NearestPoint nearest = find_nearest(p, reach);
  // Far away the sign of the product below is rounding.
  const Node& root = nodes_[0];
  if (squared_distance_to_box(p, root.lower, root.upper) > 0) return nearest.distance;
  if (nearest.triangle == kNone) return std::numeric_limits<double>::infinity();
  // The normal of the smallest element that holds the nearest point.
  const Triangle& t = triangles_[nearest.triangle];
  int zeros = 0, zero = 0, largest = 0;
  for (int i = 0; i < 3; ++i) {
    if (nearest.weights[i] == 0) {
      ++zeros;
      zero = i;
    }
    if (nearest.weights[i] > nearest.weights[largest]) largest = i;
  }
  Vec3 n = face_normals_[nearest.triangle];
  if (zeros == 1) n = edge_normals_[nearest.triangle][(zero + 1) % 3];
  if (zeros == 2) n = vertex_normals_[t[largest]];
  return (p - nearest.point).dot(n) < 0 ? -nearest.distance : nearest.distance;
}

}  // namespace marrow
