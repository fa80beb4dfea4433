// The surface of a medial mesh's solid as triangles: for pictures and for measuring distances to it.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

// The parts of all spheres, cones and slabs that are not inside another primitive, cut so that no edge is
// much longer than spacing. Pieces are kept or dropped whole, so the surface has small gaps and overlaps
// where primitives meet.
Mesh tessellate_medial(const Mesh& medial, double spacing);

// The same without leaving anything out, and coarse: every primitive as a body of its own.
Mesh tessellate_primitives(const Mesh& medial, double spacing);

}  // namespace marrow
