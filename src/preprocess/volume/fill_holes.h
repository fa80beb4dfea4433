// Closes small holes of a surface.
//
// A hole is a loop of edges that lie in one triangle each. It is closed by the triangles over its corners
// with the least area in all (dynamic programming over sub-polygons: Barequet and Sharir 1995). No points are
// added. Holes with many edges, and those that meet in a point, are left.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

struct HoleReport {
  size_t closed = 0;      // holes
  size_t triangles = 0;   // added
  size_t left = 0;        // holes with too many edges
  size_t largest = 0;     // edges of the largest of these
  size_t open_edges = 0;  // edges of no triangle pair, afterwards
};

// most_edges: of a hole that is closed; the time grows with its third power.
HoleReport fill_holes(Mesh& mesh, size_t most_edges);

}  // namespace marrow
