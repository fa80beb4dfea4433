// A ball of eight tets that meet in its centre, with its boundary curved towards the sphere.
#pragma once

#include "geometry/curved/curved_mesh.h"
#include "mesh/io/curved_file.h"

namespace marrow::test {

inline CurvedMesh make_curved_ball(int order, double radius = 1) {
  const Points corners = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  std::vector<Tet> tets;
  for (const Index x : {1, 2}) {
    for (const Index y : {3, 4}) {
      for (const Index z : {5, 6}) {
        const bool is_right = (x == 2) + (y == 4) + (z == 6) == 0 || (x == 2) + (y == 4) + (z == 6) == 2;
        tets.push_back(is_right ? Tet{0, x, y, z} : Tet{0, y, x, z});
      }
    }
  }
  CurvedMesh mesh = raise_order(corners, tets, order);
  for (Vec3& x : mesh.nodes) {
    const double s = x.lpNorm<1>();  // 0 in the centre, 1 on the boundary
    if (s > 0) x *= radius * (1 - s * s + s * s * s / x.norm());
  }
  return mesh;
}

inline CurvedFile make_ball_file(int order, double radius = 1) {
  const CurvedMesh mesh = make_curved_ball(order, radius);
  CurvedFile file;
  file.order = order;
  file.mesh.points = mesh.nodes;
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    const auto nodes = mesh.nodes_of(t);
    file.mesh.tets.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
  }
  if (order > 1) file.tet_nodes = mesh.tets;
  return file;
}

}  // namespace marrow::test
