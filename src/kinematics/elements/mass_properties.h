// The mass, centre and second moments of an affine or rigid body follow exactly from its geometry.
//
// Volumes are those of the tets, or what a closed surface encloses:
//
//   V = Σ d/6,  ∫ x = Σ d t/24,  ∫ x xᵀ = Σ d (a aᵀ + b bᵀ + c cᵀ + t tᵀ)/120
//
// over its triangles a, b, c with d = a·(b × c), t = a + b + c. Parts without volume have a thickness: open
// surfaces are plates, edges are round wires, points are balls of that diameter, with the inertia of these.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

struct MassProperties {
  double mass = 0;             // [kg]
  Vec3 center = Vec3::Zero();  // [m]
  Mat3 second = Mat3::Zero();  // ∫ ρ (x − center)(x − center)ᵀ [kg m²]; not the inertia tensor
  double volume = 0;           // [m³]
};

// True if the triangles enclose a volume: every edge is used as often in one direction as in the other.
bool is_closed_surface(const std::vector<Triangle>& triangles);

// True if a part of the mesh has no volume of its own.
bool has_thin_parts(const Mesh& mesh);

// density > 0 [kg/m³]; thickness > 0 [m] if has_thin_parts. A closed surface may be oriented either way; if
// its triangles do not agree, it is oriented first, each part of it as a solid.
MassProperties compute_mass_properties(const Mesh& mesh, double density, double thickness);

}  // namespace marrow
