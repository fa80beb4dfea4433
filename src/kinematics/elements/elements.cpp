#include "kinematics/elements/elements.h"

#include <Eigen/Dense>
#include <map>

#include "mesh/mesh_summary.h"

namespace marrow {
namespace {

// The gradients of the four barycentric coordinates.
std::array<Vec3, 4> compute_barycentric_gradients(const Points& rest, const Tet& tet) {
  Mat3 D;
  for (int k = 0; k < 3; ++k) D.col(k) = rest[tet[k + 1]] - rest[tet[0]];
  const Mat3 inverse = D.inverse();
  std::array<Vec3, 4> gradients;
  gradients[0] = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    gradients[k + 1] = inverse.row(k).transpose();
    gradients[0] -= gradients[k + 1];
  }
  return gradients;
}

double compute_volume(const Points& x, const Tet& tet) {
  return compute_tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]);
}

// Appends one element whose vertices' shape functions have the given gradients: ∇w_k = Σ_v W(v, k) ∇λ_v.
template <size_t N>
void append_element(const std::array<Index, N>& vertices, const std::array<Vec3, N>& gradients, double volume,
                    const ScalarMatrix& W, Index first_node, Index material, Elements& elements) {
  std::map<Index, Vec3> stencil;  // ordered, so that the nodes of an element are ascending
  for (size_t v = 0; v < N; ++v) {
    for (Index k = W.offsets[vertices[v]]; k < W.offsets[vertices[v] + 1]; ++k) {
      const auto at = stencil.try_emplace(W.indices[k], Vec3::Zero()).first;
      at->second += W.values[k] * gradients[v];
    }
  }
  for (const auto& [node, gradient] : stencil) {
    elements.nodes.push_back(first_node + node);
    elements.gradients.push_back(gradient);
  }
  elements.offsets.push_back(static_cast<Index>(elements.nodes.size()));
  elements.volumes.push_back(volume);
  elements.materials.push_back(material);
}

}  // namespace

void add_tet_elements(const Points& rest, const std::vector<Tet>& tets, const ScalarMatrix& W,
                      Index first_node, Index material, Elements& elements) {
  for (const Tet& tet : tets) {
    append_element(tet, compute_barycentric_gradients(rest, tet), compute_volume(rest, tet), W, first_node,
                   material, elements);
  }
}

void add_triangle_elements(const Points& rest, const std::vector<Triangle>& triangles, const ScalarMatrix& W,
                           Index first_node, Index material, double thickness, Elements& elements) {
  for (const Triangle& triangle : triangles) {
    const std::array<Vec3, 3> x = {rest[triangle[0]], rest[triangle[1]], rest[triangle[2]]};
    const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
    // Perpendicular to each edge, towards the opposite corner: normal × edge / |normal|².
    std::array<Vec3, 3> gradients;
    for (size_t k = 0; k < 3; ++k) {
      gradients[k] = normal.cross(x[(k + 2) % 3] - x[(k + 1) % 3]) / normal.squaredNorm();
    }
    append_element(triangle, gradients, 0.5 * normal.norm() * thickness, W, first_node, material, elements);
  }
}

void add_edge_elements(const Points& rest, const std::vector<Edge>& edges, const ScalarMatrix& W,
                       Index first_node, Index material, double diameter, Elements& elements) {
  for (const Edge& edge : edges) {
    const Vec3 along = rest[edge[1]] - rest[edge[0]];
    const Vec3 gradient = along / along.squaredNorm();
    append_element(edge, {Vec3(-gradient), gradient}, along.norm() * compute_cross_section(diameter), W,
                   first_node, material, elements);
  }
}

ScalarMatrix compute_vertex_mass(const Points& rest, const std::vector<Tet>& tets, double density) {
  return compute_vertex_mass(rest, tets, std::vector<double>(tets.size(), density));
}

ScalarMatrix compute_vertex_mass(const Points& rest, const std::vector<Tet>& tets,
                                 const std::vector<double>& densities) {
  std::vector<Triplet> triplets;
  triplets.reserve(16 * tets.size());
  for (size_t t = 0; t < tets.size(); ++t) {
    const double share = densities[t] * compute_volume(rest, tets[t]) / 20;
    for (const Index i : tets[t]) {
      for (const Index j : tets[t]) triplets.push_back({i, j, i == j ? 2 * share : share});
    }
  }
  const Index count = static_cast<Index>(rest.size());
  return build_scalar_matrix(count, count, std::move(triplets));
}

ScalarMatrix compute_node_mass(const ScalarMatrix& W, const ScalarMatrix& vertex_mass) {
  return multiply_transposed(W, multiply(vertex_mass, W));
}

}  // namespace marrow
