// Surfaces for the tests of the preparation.
#pragma once

#include "mesh/shapes.h"
#include "preprocess/volume/solid_surface.h"

namespace marrow {

// The surface of a built-in shape, without its tets.
inline Mesh make_surface(const Shape& shape) {
  Mesh mesh = build_shape(shape);
  mesh.tets.clear();
  return clean_surface(mesh, "shape").mesh;
}

// Both in one mesh, the second moved.
inline Mesh join(Mesh a, const Mesh& b, const Vec3& offset) {
  const Index first = static_cast<Index>(a.points.size());
  for (const Vec3& p : b.points) a.points.push_back(p + offset);
  for (const Triangle& t : b.triangles) a.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  return a;
}

}  // namespace marrow
