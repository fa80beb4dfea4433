// Curved tets with nodes of another order, and what must hold of their nodes and faces.
#pragma once

#include "geometry/curved/curved_mesh.h"

namespace marrow {

// The same tets with nodes of another order, on the curved tets: exactly these if the order is not below
// theirs, else their interpolant. Nodes are numbered anew, the corners first; nodes of no tet are left out.
CurvedMesh change_order(const CurvedMesh& mesh, int order);

// Two tets with the same corners on an edge or a face, but other nodes there; {kNone, kNone} if there are
// none.
std::array<Index, 2> find_torn_tets(const CurvedMesh& mesh);

// A face that lies in one tet only.
struct BoundaryFace {
  size_t tet;
  std::array<size_t, 3> corners;  // of the tet's four, counter-clockwise seen from outside
};
std::vector<BoundaryFace> list_boundary_faces(const CurvedMesh& mesh);

}  // namespace marrow
