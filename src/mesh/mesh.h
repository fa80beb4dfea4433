// A mesh as files hold it: points, optionally with radii, and simplices over them.
//
// A tet (a, b, c, d) is positively oriented when (b−a)×(c−a)·(d−a) > 0; surface triangles are
// counter-clockwise seen from outside. Indices are 0-based whatever the file format says.
#pragma once

#include <array>

#include "core/types.h"

namespace marrow {

using Edge = std::array<Index, 2>;
using Triangle = std::array<Index, 3>;
using Tet = std::array<Index, 4>;

struct Mesh {
  Points points;
  std::vector<double> radii;  // one per point, or empty: all zero
  std::vector<Edge> edges;  // wires only, not the edges of triangles (medial meshes: as the file lists them)
  std::vector<Triangle> triangles;
  std::vector<Tet> tets;
};

}  // namespace marrow
