// Is a mesh the surface of a solid? Small faults are repaired and told; the rest is refused with a reason.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace marrow {

struct SolidSurface {
  Mesh mesh;                       // points and triangles, every point used
  std::vector<std::string> notes;  // what was repaired, one sentence each, without a full stop
  int part_count = 1;
};

// Repairs: equal points become one, triangles that name a point twice and copies go, unused points go, and a
// surface that is inside out as a whole is turned. Then every edge must lie in two triangles that run along
// it in opposite directions, no part may be flat, and no two triangles may intersect. Throws InputError; name
// is the file in it.
SolidSurface make_solid_surface(const Mesh& mesh, const std::string& name);

// The repairs alone: for uses that take any surface.
SolidSurface clean_surface(const Mesh& mesh, const std::string& name);

// The part of each point, counted from 0 in the order of their first points.
std::vector<Index> find_parts(size_t point_count, const std::vector<Triangle>& triangles);

}  // namespace marrow
