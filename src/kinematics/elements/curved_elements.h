// A curved body is a soft body of tets of order 1 to 4.
//
//   x(ξ) = Σ_k w_k(ξ) n_k        over the nodes of the tet, w: its shape functions (geometry/curved)
//
// Nodes are points of the body, but not its corners only. What collides and is seen is a surface that follows
// them: the boundary cut into triangles, or any mesh near it.
//
//   F(ξ) = Σ_k n_k ⊗ ∇w_k(ξ)     (∂X/∂ξ)⁻¹ turns the shape functions' gradients into ∇w
//
// The energy is integrated by quadrature: each point is an element of its own in the list of all
// (elements.h); those of a tet follow each other and have the same nodes.
#pragma once

#include "geometry/curved/curved_mesh.h"
#include "geometry/curved/place_points.h"
#include "kinematics/elements/densities.h"
#include "kinematics/elements/elements.h"

namespace marrow {

// In the world.
struct CurvedShape {
  Mesh surface;                   // points and triangles
  CurvedMesh volume;              // its nodes at rest
  ScalarMatrix weights;           // surface points × nodes
  bool is_straight = true;        // the tets have flat faces at rest
  std::vector<double> densities;  // per tet, relative to that of the body; empty: 1
};

// The surface cut from the boundary, cells² triangles per face, with its weights.
CurvedShape make_curved_shape(CurvedMesh volume, int cells, bool is_straight);

// A surface near the tets that follows them: the places of its points say how
// (geometry/curved/place_points.h).
CurvedShape make_carrying_shape(CurvedMesh volume, Mesh surface, const std::vector<PointPlace>& places,
                                bool is_straight);

// Appends the points of quadrature of all tets.
void add_curved_elements(const CurvedShape& shape, Index first_node, Index material, Elements& elements);

// Appends, for every tet, its corners and the middles of its edges, where a Jacobian is smallest most often;
// each stands for a tenth of the tet's volume.
void add_curved_guards(const CurvedShape& shape, Index first_node, Index material, Elements& elements);

// Of each tet, with the density 1.
std::vector<TetMass> compute_tet_masses(const CurvedMesh& mesh, bool is_straight);

// The consistent mass matrix over the nodes.
ScalarMatrix compute_curved_mass(const CurvedShape& shape, double density);

}  // namespace marrow
