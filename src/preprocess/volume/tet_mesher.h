// Tet meshes whose boundary is a given surface: Delaunay refinement (CGAL's Mesh_3).
//
// The surface is meshed anew with triangles of the size asked for; edges between triangles that meet at more
// than 120 degrees to flat are kept sharp. Slivers are removed by perturbation and exudation. One thread, and
// the same result on every run.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace marrow {

struct TetMesherOptions {
  double size = 0.05;           // edge of tets and triangles, a fraction of the box diagonal
  double deviation = 0.005;     // of the new surface from the given one at most, likewise
  double sharp_angle = 60;      // degrees by which a surface turns at an edge that is kept; 180: none is
  size_t most_points = 500000;  // if more are needed, the surface is refused
};

// surface: as make_solid_surface gives it. Tets positively oriented, and their boundary. Throws InputError if
// nothing could be meshed, too many points are needed, or thin parts stay empty.
Mesh mesh_solid(const Mesh& surface, const std::string& name, const TetMesherOptions& options);

}  // namespace marrow
