#include "kinematics/elements/codimensional.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "mesh/mesh_summary.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// Rest curvatures of wires below this are the rounding of a straight line.
constexpr double kStraight = 1e-9;

Edge sorted_edge(Index a, Index b) { return {std::min(a, b), std::max(a, b)}; }

template <size_t N>
std::array<Index, N> sorted(std::array<Index, N> element) {
  std::sort(element.begin(), element.end());
  return element;
}

// Adds ∫ ρ λᵢ λⱼ of a simplex with the given mass to the list.
template <size_t N>
void add_simplex_mass(const std::array<Index, N>& simplex, double mass, std::vector<Triplet>& triplets) {
  const double share = mass / static_cast<double>(N * (N + 1));
  for (const Index i : simplex) {
    for (const Index j : simplex) triplets.push_back({i, j, i == j ? 2 * share : share});
  }
}

double compute_area(const Points& x, const Triangle& t) {
  return 0.5 * (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).norm();
}

// For every edge of the triangles, those that contain it.
std::map<Edge, std::vector<size_t>> list_edge_triangles(const std::vector<Triangle>& triangles) {
  std::map<Edge, std::vector<size_t>> around;
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (size_t k = 0; k < 3; ++k) {
      around[sorted_edge(triangles[t][k], triangles[t][(k + 1) % 3])].push_back(t);
    }
  }
  return around;
}

Index find_far_corner(const Triangle& triangle, const Edge& edge) {
  for (const Index i : triangle) {
    if (i != edge[0] && i != edge[1]) return i;
  }
  return kNone;
}

// m_k ⊗ m_k as (11, 22, 12) for edge k, in a frame of the triangle's plane.
Mat3 compute_edge_tensors(const Points& rest, const Triangle& triangle) {
  const Vec3 first = (rest[triangle[1]] - rest[triangle[0]]).normalized();
  const Vec3 normal = first.cross(rest[triangle[2]] - rest[triangle[0]]).normalized();
  const Vec3 second = normal.cross(first);
  Mat3 tensors;
  for (int k = 0; k < 3; ++k) {
    const Vec3 m = (rest[triangle[(k + 1) % 3]] - rest[triangle[k]]).normalized().cross(normal);
    const double m1 = m.dot(first), m2 = m.dot(second);
    tensors.col(k) = Vec3(m1 * m1, m2 * m2, m1 * m2);
  }
  return tensors;
}

}  // namespace

CodimensionalParts find_codimensional_parts(const Mesh& mesh) {
  std::set<Triangle> faces;
  std::set<Edge> edges;
  std::vector<char> is_used(mesh.points.size(), 0);
  const auto take = [&](const auto& element) {
    for (const Index i : element) is_used[i] = 1;
    for (size_t a = 0; a < element.size(); ++a) {
      for (size_t b = a + 1; b < element.size(); ++b) edges.insert(sorted_edge(element[a], element[b]));
    }
  };
  for (const Tet& tet : mesh.tets) {
    take(tet);
    for (size_t k = 0; k < 4; ++k) {
      faces.insert(sorted(Triangle{tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]}));
    }
  }
  CodimensionalParts parts;
  for (const Triangle& triangle : mesh.triangles) {
    if (faces.contains(sorted(triangle))) continue;
    take(triangle);
    parts.triangles.push_back(triangle);
  }
  for (const Edge& edge : mesh.edges) {
    if (edges.contains(sorted(edge))) continue;
    parts.edges.push_back(edge);
    for (const Index i : edge) is_used[i] = 1;
  }
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (!is_used[i]) parts.points.push_back(static_cast<Index>(i));
  }
  return parts;
}

ScalarMatrix compute_vertex_mass(const Mesh& mesh, const CodimensionalParts& parts, double density,
                                 double thickness) {
  const Points& x = mesh.points;
  std::vector<Triplet> triplets;
  for (const Tet& t : mesh.tets) {
    add_simplex_mass(t, density * compute_tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]), triplets);
  }
  for (const Triangle& t : parts.triangles) {
    add_simplex_mass(t, density * thickness * compute_area(x, t), triplets);
  }
  for (const Edge& e : parts.edges) {
    const double length = (x[e[1]] - x[e[0]]).norm();
    add_simplex_mass(e, density * compute_cross_section(thickness) * length, triplets);
  }
  for (const Index i : parts.points) {
    triplets.push_back({i, i, density * std::numbers::pi / 6 * thickness * thickness * thickness});
  }
  const Index count = static_cast<Index>(x.size());
  return build_scalar_matrix(count, count, std::move(triplets));
}

double compute_hinge_angle(const Vec3& x0, const Vec3& x1, const Vec3& near, const Vec3& far) {
  const Vec3 e = x1 - x0;
  const Vec3 n1 = e.cross(near - x0), n2 = (far - x0).cross(e);
  return std::atan2(n1.cross(n2).dot(e), n1.dot(n2) * e.norm());
}

void add_shell_bends(const Points& rest, const std::vector<Triangle>& triangles, Index first_node,
                     Index material, double thickness, ShellBends& bends) {
  const auto around = list_edge_triangles(triangles);
  for (size_t t = 0; t < triangles.size(); ++t) {
    const Triangle& triangle = triangles[t];
    const double area = compute_area(rest, triangle);
    std::vector<Index> stencil(triangle.begin(), triangle.end());
    std::array<int, 3> far = {-1, -1, -1};
    Vec3 angles = Vec3::Zero();
    Mat3 curvatures = compute_edge_tensors(rest, triangle);
    for (size_t k = 0; k < 3; ++k) {
      const Edge edge = sorted_edge(triangle[k], triangle[(k + 1) % 3]);
      const std::vector<size_t>& sides = around.at(edge);
      if (sides.size() != 2) continue;
      const Triangle& other = triangles[sides[0] == t ? sides[1] : sides[0]];
      const Index corner = find_far_corner(other, edge);
      far[k] = static_cast<int>(stencil.size());
      stencil.push_back(corner);
      angles[static_cast<Index>(k)] = compute_hinge_angle(rest[triangle[k]], rest[triangle[(k + 1) % 3]],
                                                          rest[triangle[(k + 2) % 3]], rest[corner]);
      const double length = (rest[edge[1]] - rest[edge[0]]).norm();
      curvatures.col(static_cast<Index>(k)) *= length / (area + compute_area(rest, other));
    }
    if (stencil.size() == 3) continue;  // a single triangle does not bend
    for (const Index i : stencil) bends.nodes.push_back(first_node + i);
    bends.offsets.push_back(static_cast<Index>(bends.nodes.size()));
    bends.far.push_back(far);
    bends.rest_angles.push_back(angles);
    bends.curvatures.push_back(curvatures);
    bends.areas.push_back(area);
    bends.thicknesses.push_back(thickness);
    bends.materials.push_back(material);
  }
}

void add_wire_bends(const Points& rest, const std::vector<Edge>& edges, Index first_node, Index material,
                    double diameter, WireBends& bends) {
  std::map<Index, std::vector<Index>> neighbours;  // of each point, through wires
  for (const Edge& edge : edges) {
    neighbours[edge[0]].push_back(edge[1]);
    neighbours[edge[1]].push_back(edge[0]);
  }
  for (const auto& [at, ends] : neighbours) {
    if (ends.size() != 2) continue;
    const Vec3 a = rest[at] - rest[ends[0]], b = rest[ends[1]] - rest[at];
    const double curvature = compute_wire_curvature(a, b).norm();
    bends.nodes.push_back({first_node + ends[0], first_node + at, first_node + ends[1]});
    bends.rest_curvatures.push_back(curvature > kStraight ? curvature : 0);
    bends.lengths.push_back(0.5 * (a.norm() + b.norm()));
    bends.diameters.push_back(diameter);
    bends.materials.push_back(material);
  }
}

}  // namespace marrow
