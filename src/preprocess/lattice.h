// An embedding lattice: cubes cut into tets that cover a surface and its inside. It takes any surface,
// however dirty, and the surface then follows the tets by weights.
//
// A cell is kept if a triangle touches it or if it cannot be reached from outside without crossing such a
// cell. Where a surface has a hole wider than a cell, its inside counts as outside and only its skin is kept.
// Each cell becomes the six Kuhn tets around its diagonal, so neighbours conform.
#pragma once

#include "geometry/mesh.h"
#include "preprocess/triangle_tree.h"

namespace marrow {

// Where a point is in a tet mesh.
struct EmbeddedPoint {
  Index tet = kNone;
  Vec4 weights = Vec4::Zero();
};

struct Lattice {
  Mesh mesh;                  // tets and their boundary
  std::vector<double> fills;  // per tet the fraction of it that is inside the surface; in all, its volume
  double cell = 0;            // edge of a cell [m]
  Index inner_cells = 0;      // kept without touching the surface

  // The tet of a point; the nearest kept one, its weights cut off at zero, if the point is in none.
  EmbeddedPoint locate(const Vec3& x) const;

  Vec3 origin = Vec3::Zero();
  std::array<int, 3> counts = {0, 0, 0};
  std::vector<Index> first_tets;  // per cell the first of its six tets, or kNone
};

// cells: along the longest side of the surface's box. closed: the surface bounds a solid, so that fills can
// be measured; otherwise they are 1.
Lattice build_lattice(const Mesh& surface, const TriangleTree& tree, int cells, bool is_closed);

// Whether a triangle touches a closed box.
bool touches_box(const std::array<Vec3, 3>& triangle, const Vec3& center, const Vec3& half);

}  // namespace marrow
