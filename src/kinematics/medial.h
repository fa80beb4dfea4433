// A medial body is a tet mesh that a few affine handles move.
//
//   x(X) = Σ_j w_j(X) Σ_k β_jk(X) n_jk        β_jk: barycentric coordinates in the tetrahedron of handle j
//
// Handle j stands at c_j with the size r_j. Its four nodes are the corners n_jk = c_j + r_j u_k of a regular
// tetrahedron at rest, so that nodes are positions, like those of every kind: β_jk = ¼ + ¾ u_k·(X − c_j)/r_j.
// Weights w_j are a partition of unity, so rows of W sum to 1 and a common affine motion is exact.
//
// A quadratic handle has six more nodes, at the midpoints of the tetrahedron's edges: the shape functions of
// the quadratic tetrahedron, β_k (2 β_k − 1) and 4 β_k β_l, replace β. Their sum is 1 as well.
//
// The centre of medial sphere j follows handle j alone; its radius is constant.
//
// A carried body is the simpler case without handles: a soft body whose surface follows its tets,
//
//   x(X) = Σ_k λ_k(X) n_k        over the corners k of the tet that holds X at rest
//
// with barycentric coordinates λ, which also continue outside the tet. Nodes are the corners of the tets.
#pragma once

#include "geometry/medial/handles.h"
#include "kinematics/body.h"

namespace marrow {

// The result of the preparation, in the world.
struct MedialShapeData {
  Mesh surface;   // points and triangles: what is seen, and collides unless there is a collider
  Mesh collider;  // spheres, cones and slabs; or empty
  std::vector<Index> sphere_handles;  // the handle that each sphere follows
  Mesh volume;                        // tets
  std::vector<double> fills;          // per tet, the part of it that has mass and stiffness
  ScalarMatrix surface_weights;       // surface points × volume points
  ScalarMatrix handle_weights;        // volume points × handles, rows sum to 1
  Points centers;                     // of the handles
  std::vector<double> sizes;          // of the handles [m]
  std::vector<HandleKind> kinds;      // of the handles; empty: all affine
};

// Appends the body to kinematics; returns the initial node positions, handle by handle.
Points add_medial_body(const std::string& name, MedialShapeData shape, double density, Index material,
                       Kinematics& kinematics);

// The result of carrying a surface, in the world. Tets may be filled in part, as those of a lattice are: mass
// and stiffness are those of the filled part.
struct CarriedShape {
  Mesh surface;                   // points and triangles, in the world
  Mesh volume;                    // points and tets, in the world; every point in a tet
  std::vector<double> fills;      // per tet, the part of it that has mass and stiffness; empty: all of it
  ScalarMatrix weights;           // surface points × volume points
  std::vector<double> densities;  // per tet, relative to that of the body; empty: 1
};

// Appends the body to kinematics; returns the initial node positions.
Points add_carried_body(const std::string& name, CarriedShape shape, double density, MassKind mass_kind,
                        Index material, Kinematics& kinematics);

// Whether points of the body follow other points' nodes: it is soft, but its points are no nodes.
bool is_carried(const Body& body);

}  // namespace marrow
