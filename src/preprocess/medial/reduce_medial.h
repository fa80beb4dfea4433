// From the medial axis of a solid to a medial mesh of so many handles, or of so small an error: simplified,
// fitted to the surface, freed of what contact would find degenerate, and enlarged until it encloses the
// surface.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "preprocess/medial/measure_medial.h"
#include "preprocess/medial/simplify_medial.h"
#include "preprocess/volume/surface_samples.h"
#include "preprocess/volume/triangle_tree.h"

namespace marrow {

// A solid and what the stages ask of it.
struct Solid {
  const Mesh& surface;
  Mesh pieces;  // of the surface
  const TriangleTree& tree;
  Eigen::AlignedBox3d box;
  double diagonal;  // of the box
  std::vector<SurfaceSample> fit_samples;
};

struct ReducedMedial {
  Mesh fitted;
  Mesh enclosing;
};

// A mesh of just so many handles. Fewer come back if gates go on leaving out, or if there is no room for
// more: those of a ball would all be at its centre. notes: says so. Throws InputError.
ReducedMedial reduce_to_count(const Solid& solid, MedialSimplifier& axis, int handles,
                              const std::string& name, std::vector<std::string>& notes);

// The fewest handles whose mean error, in box diagonals, is below the target, to five percent of the number.
// Throws InputError.
ReducedMedial reduce_to_error(const Solid& solid, MedialSimplifier& axis, double target,
                              const std::string& name);

// Enlarges the mesh until it encloses the surface and passes the gates.
void enclose_with_gates(const Solid& solid, Mesh& medial);

// Distance of the surfaces, in box diagonals.
MedialError measure_error(const Solid& solid, const Mesh& medial);

}  // namespace marrow
