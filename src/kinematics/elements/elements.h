// Elements are pieces of constant deformation gradient, for every kind of body.
//
//   F = Σ_k n_k ⊗ ∇w_k        over the nodes k of the element's stencil
//
// A tetrahedron of a soft body has its four vertices as nodes; a tetrahedron of a reduced body has the nodes
// on which its vertices depend. Triangles of shells and edges of wires are elements too: their gradients lie
// in the rest triangle or along the rest edge, so F has rank 2 or 1 and one or two of its stretches are zero.
#pragma once

#include <numbers>

#include "linalg/scalar_matrix.h"
#include "mesh/mesh.h"

namespace marrow {

struct Elements {
  int dimension = 3;                 // of all in this list: 3 tets, 2 triangles, 1 edges
  bool is_plane_strain = false;      // triangles of dimension 3, in the XY plane: F has the stretch 1 along Z
  std::vector<Index> offsets = {0};  // element count + 1
  std::vector<Index> nodes;
  std::vector<Vec3> gradients;  // ∇w of each stencil node, with respect to the rest shape [1/m]
  std::vector<double> volumes;  // at rest [m³]; area · thickness, length · cross-section
  std::vector<Index> materials;

  size_t count() const { return volumes.size(); }
};

// An empty list of elements of that dimension.
inline Elements make_elements(int dimension) {
  Elements elements;
  elements.dimension = dimension;
  return elements;
}

// Σ_k v_k ⊗ ∇w_k of one element for a vector at each node (three numbers per node).
inline Mat3 compute_gradient(const Elements& elements, size_t e, const VecX& n) {
  Mat3 F = Mat3::Zero();
  for (Index k = elements.offsets[e]; k < elements.offsets[e + 1]; ++k) {
    F += n.segment<3>(3 * elements.nodes[k]) * elements.gradients[k].transpose();
  }
  return F;
}

// F of one element at the node positions n.
inline Mat3 compute_deformation_gradient(const Elements& elements, size_t e, const VecX& n) {
  Mat3 F = compute_gradient(elements, e, n);
  if (elements.is_plane_strain) F(2, 2) += 1;
  return F;
}

// Appends the tets of a body whose vertices follow x = W n. first_node: where the body's nodes start in the
// global list; the columns of W are the body's own nodes.
void add_tet_elements(const Points& rest, const std::vector<Tet>& tets, const ScalarMatrix& W,
                      Index first_node, Index material, Elements& elements);

// The same for triangles of the given thickness [m], and for edges of round wires of the given diameter [m].
void add_triangle_elements(const Points& rest, const std::vector<Triangle>& triangles, const ScalarMatrix& W,
                           Index first_node, Index material, double thickness, Elements& elements);
void add_edge_elements(const Points& rest, const std::vector<Edge>& edges, const ScalarMatrix& W,
                       Index first_node, Index material, double diameter, Elements& elements);

// Cross-section of a round wire [m²].
inline double compute_cross_section(double diameter) { return std::numbers::pi / 4 * diameter * diameter; }

// The P1 mass matrix of a tet mesh over its vertices: ∫ ρ λᵢ λⱼ.
ScalarMatrix compute_vertex_mass(const Points& rest, const std::vector<Tet>& tets, double density);

// The same with a density per tet.
ScalarMatrix compute_vertex_mass(const Points& rest, const std::vector<Tet>& tets,
                                 const std::vector<double>& densities);

// The mass matrix over the nodes of a body whose vertices follow x = W n: Wᵀ M W.
ScalarMatrix compute_node_mass(const ScalarMatrix& W, const ScalarMatrix& vertex_mass);

}  // namespace marrow
