// The primitives of a medial mesh: slabs, cones and spheres, which are triangles, edges and points with
// radii.
#pragma once

#include "core/macros.h"
#include "mesh/mesh.h"

namespace marrow {

// A slab, a cone (the last vertex repeated) or a sphere (one vertex three times).
struct MedialPrimitive {
  std::array<Index, 3> vertices;
  int count = 3;  // of different vertices
};

// Slabs, then the edges that are in none, then the vertices that are in neither.
std::vector<MedialPrimitive> list_primitives(const Mesh& medial);

// A primitive somewhere: the first count balls are its own.
struct MedialBalls {
  std::array<Vec3, 3> x;
  std::array<double, 3> r = {0, 0, 0};
  int count = 0;
};

MedialBalls make_balls(const MedialPrimitive& primitive, const Mesh& medial);

}  // namespace marrow
