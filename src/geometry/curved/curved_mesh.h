// Meshes of curved tets, and their boundary cut into triangles.
#pragma once

#include <span>

#include "geometry/curved/lagrange.h"
#include "mesh/mesh.h"

namespace marrow {

struct CurvedMesh {
  int order = 1;
  Points nodes;
  std::vector<Index> tets;  // count_lattice(order) nodes per tet, in Gmsh's order

  size_t tet_count() const { return tets.size() / static_cast<size_t>(count_lattice(order)); }
  std::span<const Index> nodes_of(size_t tet) const {
    const auto count = static_cast<size_t>(count_lattice(order));
    return {tets.data() + tet * count, count};
  }
};

// The nodes of order p on straight tets; neighbours share those of common faces. The corners keep their
// numbers.
CurvedMesh raise_order(const Points& points, const std::vector<Tet>& tets, int order);

// A point of a curved mesh: its place in a tet.
struct CurvedPlace {
  Index tet = kNone;
  Vec4 lambda = Vec4::Zero();
};

// The boundary with every face cut into cells² triangles, outward oriented if the tets are positively
// oriented. On common edges, faces have the same points.
struct CutBoundary {
  std::vector<CurvedPlace> points;
  std::vector<Triangle> triangles;
};
CutBoundary cut_boundary(const CurvedMesh& mesh, int cells);

}  // namespace marrow
