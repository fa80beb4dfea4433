// Uniform refinement: every tet becomes eight of equal volume, and the middles of edges become points.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

// Points keep their numbers; new ones follow. The octahedron in the middle of a tet is cut along its shortest
// diagonal. Triangles and edges of the mesh are cut with the tets' edges; a new point has the mean of the
// radii.
Mesh refine_tets(const Mesh& mesh);

}  // namespace marrow
