// Straight tets near a surface become curved ones that follow it.
//
// The nodes of order p on the boundary go to the nearest points of the true surface; the others follow
// smoothly, as means of their neighbours. Where a tet would not be certainly valid (geometry/curved/
// jacobian_path.h), its nodes go half as far, and again, until it is: nodes that do not move at all are those
// of the straight tets, which are valid.
#pragma once

#include "geometry/curved/curved_mesh.h"
#include "preprocess/volume/triangle_tree.h"

namespace marrow {

struct CurvedTetsReport {
  double straight_deviation = 0;  // largest distance from the surface: of the straight boundary,
  double deviation = 0;           // and of the curved one, at places on it
  size_t boundary_nodes = 0;
  size_t held_back = 0;       // of these, nodes that do not go all the way
  double least_jacobian = 0;  // bound over all tets, relative to that of the straight tet
};

// tets: positively oriented. surface: closed, of which the boundary of the tets is a coarse copy.
CurvedMesh curve_tets(const Mesh& tets, const TriangleTree& surface, int order, CurvedTetsReport& report);

}  // namespace marrow
