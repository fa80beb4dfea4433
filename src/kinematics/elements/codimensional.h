// Some parts of a soft body have no volume of their own: shells of triangles, wires of edges, loose points.
// thickness [m] is the thickness of shells and the diameter of wires and points, all of one material.
//
// Stretching is Elements of dimension 2 and 1. Bending needs neighbours:
//
// Shells. The curvature of a triangle is a tensor in its rest plane, made of the angles θ_k at its three
// edges,
//
//   S = Σ_k θ_k l_k/(A + A_k) m_k ⊗ m_k         m_k: unit normal of edge k in the plane, l_k its length,
//                                               A, A_k: areas of the triangle and of the one across edge k
//
// This is the gradient of a normal field that is linear in the triangle and given in the middles of the edges
// (as in Morley's plate element), where the normal turns by the share A/(A + A_k) of the angle between the
// two planes. It is exact for constant curvature on meshes whose pairs of triangles are parallelograms. An
// edge with one triangle, or with more than two, is free: its angle takes the value of least energy.
//
// Wires. The curvature at a point with exactly two wire edges a, b is κ = 2 a×b/(|a||b| + a·b), of length
// 2 tan(φ/2) with φ the turning angle, per length L = (|a| + |b|)/2 (Bergou et al. 2008, "Discrete Elastic
// Rods"). Wires do not resist torsion; where three or more meet they are joined by a ball joint.
#pragma once

#include "kinematics/elements/elements.h"

namespace marrow {

struct ShellBends {
  std::vector<Index> offsets = {0};  // triangle count + 1, into nodes
  std::vector<Index> nodes;          // the corners, then the far corners across hinged edges
  std::vector<std::array<int, 3>>
      far;                          // where in the stencil the corner across edge (k, k+1) is; −1: no hinge
  std::vector<Vec3> rest_angles;    // of the three edges
  std::vector<Mat3> curvatures;     // S₁₁, S₂₂, S₁₂ per angle: column k belongs to edge k [1/m]
  std::vector<double> areas;        // [m²]
  std::vector<double> thicknesses;  // [m]
  std::vector<Index> materials;

  size_t count() const { return areas.size(); }
};

struct WireBends {
  std::vector<std::array<Index, 3>> nodes;  // before, at, after
  std::vector<double> rest_curvatures;      // |κ|
  std::vector<double> lengths;              // L [m]
  std::vector<double> diameters;            // [m]
  std::vector<Index> materials;

  size_t count() const { return lengths.size(); }
};

// Triangles that are not faces of tets, edges that are not edges of triangles or tets, points in no element.
struct CodimensionalParts {
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;
  std::vector<Index> points;
};
CodimensionalParts find_codimensional_parts(const Mesh& mesh);

// The P1 mass matrix of a mesh over its vertices, tets and the parts without volume together.
ScalarMatrix compute_vertex_mass(const Mesh& mesh, const CodimensionalParts& parts, double density,
                                 double thickness);

// Appends bending of the parts; the nodes are the body's vertices, from first_node on.
void add_shell_bends(const Points& rest, const std::vector<Triangle>& triangles, Index first_node,
                     Index material, double thickness, ShellBends& bends);
void add_wire_bends(const Points& rest, const std::vector<Edge>& edges, Index first_node, Index material,
                    double diameter, WireBends& bends);

// The angle from the triangle (x0, x1, near) to (x1, x0, far) about the edge x0 → x1; 0 when flat.
double compute_hinge_angle(const Vec3& x0, const Vec3& x1, const Vec3& near, const Vec3& far);

// κ at the joint of a wire's edges a and b; not finite when the wire is folded back on itself.
inline Vec3 compute_wire_curvature(const Vec3& a, const Vec3& b) {
  return 2 * a.cross(b) / (a.norm() * b.norm() + a.dot(b));
}

}  // namespace marrow
