// What a medial body is at rest, for its bounds and collisions: a surface, the medial mesh around it, and how
// both follow the nodes of handles,
//
//   y_p = Σ W_pk n_k        c_i = Σ C_ik n_k
//
// A handle has four nodes, the corners of a tetrahedron (it moves its points affinely), or ten, with the
// midpoints of the six edges (quadratically; order of edges: 01 02 03 12 13 23). What the rows of W lack to a
// sum of 1 stays at rest.
#pragma once

#include <span>

#include "geometry/bvh/node.h"
#include "geometry/medial/primitives.h"
#include "linalg/scalar_matrix.h"
#include "mesh/buckets.h"

namespace marrow {

struct MedialRest {
  Mesh surface;                           // points and triangles
  Mesh medial;                            // spheres, and edges and triangles over them
  Points nodes;                           // at rest, handle by handle
  std::vector<Index> handle_nodes = {0};  // per handle its first node, and the end: 4 or 10 each
  ScalarMatrix surface_weights;           // W: surface points × nodes
  ScalarMatrix sphere_weights;            // C: spheres × nodes

  size_t handle_count() const { return handle_nodes.size() - 1; }
};

// The same points of the surface and centres of spheres for other nodes (three numbers each).
Points compute_surface(const MedialRest& rest, const Eigen::Ref<const VecX>& n);
Points compute_centers(const MedialRest& rest, const Eigen::Ref<const VecX>& n);

}  // namespace marrow
