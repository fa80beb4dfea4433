// This file finds the primitives of one body that overlap before anything moves.
//
// A medial mesh fills a body with spheres, cones and slabs. Those that share a vertex overlap by design and
// are never a contact; but the mesh is coarse and its spheres are thick, so others overlap too, or come so
// close that contact would push the body out of its own rest shape. They cannot be kept apart and are left
// out: every pair of simplices (sphere, cone, slab) whose gap at rest is below the margin.
//
// The remaining pairs are sound. The gap of a pair is at most that of any pair of its faces, so if two
// primitives are not left out, no pair of their faces is: contact sees all of them, and they stay apart.
// Pairs of edges that keep no such primitives apart are left out too: between nearly parallel edges contact
// fades (geometry/distance/mollifier.h), and the pairs of their ends with the slabs carry it, which may be
// left out.
#pragma once

#include "mesh/mesh.h"
#include "mesh/simplex_pairs.h"

namespace marrow {

struct RestOverlaps {
  SimplexPairs pairs;     // of points, edges and triangles, by the mesh's numbers
  size_t primitives = 0;  // pairs of triangles, of edges in none, of points in neither
  size_t contacts = 0;    // pairs of contact: point–triangle, edge–edge, point–wire, loose points
};

// mesh: points with radii, edges (those of triangles may be listed or not), triangles. Points in no simplex
// collide by themselves.
RestOverlaps find_rest_overlaps(const Mesh& mesh, double margin);

}  // namespace marrow
