// Nearest points on a triangle surface, and which side of it a point is on.
//
// A binary tree of boxes over the triangles, split at the middle of the longest axis. The side comes from the
// nearest point: the sign of (p − nearest)·n, with the angle-weighted normal of the vertex, edge or triangle
// that holds it. For a closed, outward oriented surface without intersections that is exact (Bærentzen and
// Aanæs 2005, "Signed Distance Computation Using the Angle Weighted Pseudonormal").
#pragma once

#include <array>
#include <limits>

#include "geometry/distance/nearest_point.h"
#include "mesh/mesh.h"

namespace marrow {

struct NearestPoint {
  Index triangle = kNone;  // kNone: nothing within the reach
  Vec3 point = Vec3::Zero();
  Vec3 weights = Vec3::Zero();  // of the triangle's corners
  double distance = std::numeric_limits<double>::infinity();
};

class TriangleTree {
 public:
  // Both must outlive the tree. Triangles may be degenerate; at least one.
  TriangleTree(const Points& points, const std::vector<Triangle>& triangles);

  // The nearest point of the surface within reach. Many threads may ask at once.
  NearestPoint find_nearest(const Vec3& p, double reach = std::numeric_limits<double>::infinity()) const;

  // The same among the triangles whose normals turn away from the direction: their product is below −0.2.
  NearestPoint find_nearest_against(const Vec3& direction, const Vec3& p, double reach) const;

  // The distance, negative inside. Only for closed surfaces.
  double compute_signed_distance(const Vec3& p, double reach = std::numeric_limits<double>::infinity()) const;
  bool is_inside(const Vec3& p) const { return compute_signed_distance(p) < 0; }

  // Unit normals of the corners, weighted by angle.
  const Points& vertex_normals() const { return vertex_normals_; }

 private:
  struct Node {
    Vec3 lower, upper;
    Index first = 0;  // of its triangles in order_
    Index count = 0;  // 0: an inner node
    Index right = 0;  // the second child; the first is the next node
  };

  // is_wanted(triangle): whether it counts.
  template <typename IsWanted>
  NearestPoint search(const Vec3& p, double reach, const IsWanted& is_wanted) const;
  void build_node(Index first, Index last, std::vector<Vec3>& centers);
  void build_normals();

  const Points& points_;
  const std::vector<Triangle>& triangles_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;
  Points face_normals_;
  Points vertex_normals_;
  std::vector<std::array<Vec3, 3>> edge_normals_;  // of the edge from corner i to corner i + 1
};

}  // namespace marrow
