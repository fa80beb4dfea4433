// How far the triangles that are cut from the boundary are from the curved faces.
//
//   |x(λ) − flat(λ)| ≤ max_a |c_a − flat(a/p)|        c: the control points of a piece of a face
//
// The difference is a polynomial of degree p on the piece, and control points contain it (bernstein.h), so
// the bound holds at every place of the piece. It falls with the square of the number of cells.
#pragma once

#include "geometry/curved/mesh_order.h"

namespace marrow {

// For faces cut into cells² triangles, at these nodes [m]. Up to rounding.
double bound_surface_deviation(const CurvedMesh& mesh, int cells);

// The fewest cells, from least to most, with which the bound is at most the deviation; 0 if most do not do.
int choose_surface_cells(const CurvedMesh& mesh, double deviation, int least, int most);

}  // namespace marrow
