// Small loose pieces of a medial axis: near sharp rims the Voronoi complex crumbles. Each would need a sphere
// of its own, since simplification joins no pieces.
#pragma once

#include "preprocess/volume/triangle_tree.h"

namespace marrow {

// Leaves out pieces of less than a hundredth of the vertices of the largest piece in the same part of the
// surface. tree: of the surface.
void drop_debris(const Mesh& surface, const TriangleTree& tree, Mesh& axis);

}  // namespace marrow
