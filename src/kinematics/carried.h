// A carried body is a soft body whose surface follows coarse tets.
//
//   x(X) = Σ_k λ_k(X) n_k        over the corners k of the tet that holds X at rest
//
// λ: barycentric coordinates, which also continue outside the tet. Nodes are the corners of the tets; points,
// which collide and are seen, are those of the surface. Rows of W sum to 1, so affine motions are exact.
//
// Tets may be filled in part, as those of a lattice around the surface are: mass and stiffness are those of
// the filled part.
#pragma once

#include "kinematics/body.h"

namespace marrow {

struct CarriedShape {
  Mesh surface;               // points and triangles, in the world
  Mesh volume;                // points and tets, in the world; every point in a tet
  std::vector<double> fills;  // per tet, the part of it that has mass and stiffness; empty: all of it
  ScalarMatrix weights;       // surface points × volume points
};

// Appends the body to kinematics; returns the initial node positions.
Points add_carried_body(const std::string& name, CarriedShape shape, double density, MassKind mass_kind,
                        Index material, Kinematics& kinematics);

// Whether points of the body follow other points' nodes: it is soft, but its points are no nodes.
bool is_carried(const Body& body);

}  // namespace marrow
