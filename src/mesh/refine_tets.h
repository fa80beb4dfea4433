// Tets cut into eight each, at the middles of their edges: four corners, and the octahedron between them
// along the middles of the edges (0, 1) and (2, 3).
#pragma once

#include "mesh/mesh.h"

namespace marrow {

// Points keep their numbers, the middles of edges follow them; triangles, edges and radii are dropped.
Mesh refine_tets(const Mesh& mesh);

}  // namespace marrow
