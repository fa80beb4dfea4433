// Trees of boxes and of spheres over the triangles of a surface, to compare medial culling with: so many
// leaves, by halving along the longest side, as figures 15 and 16 of Lan et al. 2020 have them.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "geometry/bvh/aabb.h"
#include "mesh/mesh.h"
#include "preprocess/volume/triangle_tree.h"

namespace marrow {

enum class LeafKind { Box, Sphere };

struct LeafNode {
  Aabb box = {};
  Vec3 center = Vec3::Zero();
  double radius = 0;
  size_t begin = 0, end = 0;  // of the triangles in order
  int left = -1, right = -1;  // none: a leaf
};

struct LeafTree {
  LeafKind kind;
  const Mesh& mesh;
  std::vector<Index> order;
  std::vector<LeafNode> nodes;

  LeafTree(LeafKind k, const Mesh& m, size_t leaves) : kind(k), mesh(m), order(m.triangles.size()) {
    std::iota(order.begin(), order.end(), 0);
    build(0, order.size(), std::min(leaves, order.size()));
  }

  bool meet(const LeafNode& a, const LeafTree& other, const LeafNode& b) const {
    if (kind == LeafKind::Box && other.kind == LeafKind::Box) return is_overlapping(a.box, b.box);
    return (a.center - b.center).norm() <= a.radius + b.radius;
  }

  // The mean distance from the surface of the leaves, where no other leaf is, to that of the mesh.
  double measure_error(const TriangleTree& surface) const {
    double sum = 0;
    size_t count = 0;
    for (const LeafNode& leaf : nodes) {
      if (leaf.left >= 0) continue;
      for (const Vec3& x : sample(leaf)) {
        const bool is_inside = std::any_of(nodes.begin(), nodes.end(), [&](const LeafNode& other) {
          return &other != &leaf && other.left < 0 && holds(other, x);
        });
        if (is_inside) continue;
        sum += surface.find_nearest(x).distance;
        ++count;
      }
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }

 private:
  Vec3 middle(Index t) const {
    const Triangle& v = mesh.triangles[static_cast<size_t>(t)];
    return (mesh.points[static_cast<size_t>(v[0])] + mesh.points[static_cast<size_t>(v[1])] +
            mesh.points[static_cast<size_t>(v[2])]) /
           3;
  }

  bool holds(const LeafNode& leaf, const Vec3& x) const {
    if (kind == LeafKind::Sphere) return (x - leaf.center).norm() < leaf.radius;
    for (int k = 0; k < 3; ++k)
      if (!(leaf.box.lo[k] < x[k] && x[k] < leaf.box.hi[k])) return false;
    return true;
  }

  // The middles of a cube's 54 small faces, on the box or pulled onto the sphere.
  std::vector<Vec3> sample(const LeafNode& leaf) const {
    std::vector<Vec3> points;
    for (int face = 0; face < 6; ++face)
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) {
          Vec3 u;
          u[face / 2] = face % 2 == 0 ? -1 : 1;
          u[(face / 2 + 1) % 3] = i * 2.0 / 3;
          u[(face / 2 + 2) % 3] = j * 2.0 / 3;
          if (kind == LeafKind::Sphere) {
            points.push_back(leaf.center + leaf.radius * u.normalized());
            continue;
          }
          Vec3 x;
          for (int k = 0; k < 3; ++k)
            x[k] = 0.5 * (leaf.box.lo[k] + leaf.box.hi[k]) + 0.5 * u[k] * (leaf.box.hi[k] - leaf.box.lo[k]);
          points.push_back(x);
        }
    return points;
  }

  int build(size_t begin, size_t end, size_t leaves) {
    const auto id = static_cast<int>(nodes.size());
    nodes.push_back({});
    LeafNode node;
    node.begin = begin;
    node.end = end;
    bool is_first = true;
    for (size_t i = begin; i < end; ++i)
      for (const Index v : mesh.triangles[static_cast<size_t>(order[i])]) {
        const Aabb corner = box_of_ball(mesh.points[static_cast<size_t>(v)], 0);
        node.box = is_first ? corner : merge(node.box, corner);
        is_first = false;
      }
    for (int k = 0; k < 3; ++k) node.center[k] = 0.5 * (node.box.lo[k] + node.box.hi[k]);
    for (size_t i = begin; i < end; ++i)
      for (const Index v : mesh.triangles[static_cast<size_t>(order[i])])
        node.radius = std::max(node.radius, (mesh.points[static_cast<size_t>(v)] - node.center).norm());
    if (leaves > 1 && end - begin > 1) {
      int axis = 0;
      for (int k = 1; k < 3; ++k)
        if (node.box.hi[k] - node.box.lo[k] > node.box.hi[axis] - node.box.lo[axis]) axis = k;
      const size_t half = begin + (end - begin) / 2;
      const auto at = [&](size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
      std::nth_element(at(begin), at(half), at(end),
                       [&](Index s, Index t) { return middle(s)[axis] < middle(t)[axis]; });
      node.left = build(begin, half, leaves / 2);
      node.right = build(half, end, leaves - leaves / 2);
    }
    nodes[static_cast<size_t>(id)] = node;
    return id;
  }
};

struct LeafCounts {
  size_t tests = 0;           // of two volumes, on all levels
  size_t leaf_pairs = 0;      // leaves that meet
  size_t triangle_pairs = 0;  // in them
};

inline void count_meetings(const LeafTree& a, const LeafTree& b, int i, int j, LeafCounts& counts) {
  const LeafNode& x = a.nodes[static_cast<size_t>(i)];
  const LeafNode& y = b.nodes[static_cast<size_t>(j)];
  ++counts.tests;
  if (!a.meet(x, b, y)) return;
  if (x.left < 0 && y.left < 0) {
    ++counts.leaf_pairs;
    counts.triangle_pairs += (x.end - x.begin) * (y.end - y.begin);
  } else if (y.left < 0 || (x.left >= 0 && x.end - x.begin >= y.end - y.begin)) {
    count_meetings(a, b, x.left, j, counts);
    count_meetings(a, b, x.right, j, counts);
  } else {
    count_meetings(a, b, i, y.left, counts);
    count_meetings(a, b, i, y.right, counts);
  }
}

}  // namespace marrow
