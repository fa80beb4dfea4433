// Enlarges the spheres of a medial mesh until every triangle of the surface lies in one primitive. The caller
// cuts triangles that are larger than primitives, or these would have to grow around them
// (reduce_medial.cpp).
//
// A primitive is convex, so it holds a triangle whose corners it holds. A corner outside by d, with weights t
// at the nearest point, is taken in by adding d t/(t·t) to the primitive's radii, the least change that does.
// Triangles go to the primitive that has to grow least, the worst first.
#pragma once

#include "geometry/medial/medial_shape.h"

namespace marrow {

// Returns how much the most enlarged sphere grew.
double enclose_surface(const Mesh& surface, Mesh& medial);

}  // namespace marrow
