// An embedding lattice: cubes cut into tets that cover a surface and its inside. It takes any surface,
// however dirty, and the surface then follows the tets by weights.
//
// A cell is kept if a triangle touches it or if it cannot be reached from outside without crossing such a
// cell. Where a surface has a hole wider than a cell, its inside counts as outside and only its skin is kept.
// Each cell becomes the six Kuhn tets around its diagonal, so neighbours conform. Parts of a solid that are
// nearer to each other than a cell are glued, or a cell is there once for each of them
// (preprocess/volume/cell_parts.h): then tets lie in each other, and points too.
#pragma once

#include <optional>

#include "mesh/mesh.h"
#include "preprocess/volume/cell_parts.h"
#include "preprocess/volume/triangle_tree.h"

namespace marrow {

// Where a point is in a tet mesh.
struct EmbeddedPoint {
  Index tet = kNone;
  Vec4 weights = Vec4::Zero();
};

struct Lattice {
  Mesh mesh;                  // tets and their boundary
  std::vector<double> fills;  // per tet the fraction of it that is inside the surface; in all, its volume
  Index inner_cells = 0;      // kept without touching the surface

  // The tet of a point; the nearest kept one, its weights cut off at zero, if the point is in none.
  EmbeddedPoint locate(const Vec3& x) const;

  // The tet of that order in the part of a kept cell that a point is in.
  Index find_tet(const CellPlace& at, const Vec3& x, int order) const;

  CellGrid grid;
  std::optional<CellParts> parts;  // none: each cell has one
  std::vector<Index> tets;         // six of each part of each kept cell
  std::vector<Index> first_tets;   // per cell the first of these, or kNone
};

// Of a closed surface fills are measured, otherwise they are 1. Where taking parts for themselves would leave
// some without connection to the others, the lattice is that of the closed surface as it is.
enum class LatticeSolid { Open, Closed, ClosedInParts };

// Whether cells are added until no two meet in an edge or a corner alone: then every edge of the boundary
// lies in two triangles.
enum class LatticeBoundary { AsKept, Manifold };

// cells: along the longest side of the surface's box.
Lattice build_lattice(const Mesh& surface, const TriangleTree& tree, int cells, LatticeSolid solid,
                      LatticeBoundary boundary = LatticeBoundary::AsKept);

}  // namespace marrow
