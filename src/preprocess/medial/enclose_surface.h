// Enlarges the spheres of a medial mesh until every triangle of the surface lies in one primitive. The caller
// cuts triangles that are larger than primitives, or these would have to grow around them
// (reduce_medial.cpp).
//
// A primitive is convex, so it holds a triangle whose corners it holds. A corner outside by d, with weights t
// at the nearest point, is taken in by adding d t/(t·t) to the primitive's radii, the least change that does.
// Triangles go to the primitive that has to grow least, the worst first.
#pragma once

#include "preprocess/medial/medial_shape.h"

namespace marrow {

struct BestPrimitive {
  Index primitive = kNone;
  double need = std::numeric_limits<double>::infinity();  // the largest gap of the triangle's corners
};

// The primitive with the least need.
BestPrimitive find_best_primitive(const Mesh& surface, const Triangle& triangle, const MedialShape& shape);

// Returns how much the most enlarged sphere grew.
double enclose_surface(const Mesh& surface, Mesh& medial);

}  // namespace marrow
