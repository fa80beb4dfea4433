// Mass, centre and second moments of a stiff body, exactly from its geometry.
//
// Volumes are those of the tets, or what a closed surface encloses:
//
//   V = Σ d/6,  ∫ x = Σ d t/24,  ∫ x xᵀ = Σ d (a aᵀ + b bᵀ + c cᵀ + t tᵀ)/120
//
// over its triangles a, b, c with d = a·(b × c), t = a + b + c. What has no volume has a thickness: open
// surfaces are plates, edges round wires, points balls of that diameter, with the inertia of these.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

struct MassProperties {
  double mass = 0;             // [kg]
  Vec3 center = Vec3::Zero();  // [m]
  Mat3 second = Mat3::Zero();  // ∫ ρ (x − center)(x − center)ᵀ [kg m²]; not the inertia tensor
  double volume = 0;           // [m³]
};

// Whether the triangles enclose something: every edge is used as often in one direction as in the other.
bool is_closed_surface(const std::vector<Triangle>& triangles);

// Whether a part of the mesh has no volume of its own.
bool has_thin_parts(const Mesh& mesh);

// density > 0 [kg/m³]; thickness > 0 [m] where has_thin_parts. A closed surface may be oriented either way;
// one whose triangles do not agree is oriented first, each part of it as a solid.
MassProperties compute_mass_properties(const Mesh& mesh, double density, double thickness);

}  // namespace marrow
