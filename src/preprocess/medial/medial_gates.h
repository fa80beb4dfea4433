// Keeps primitives out of a medial mesh that contact would find degenerate.
//
// A slab with σ² = sᵀG⁻¹s above 0.8 is removed; its three cones stay. A cone with |Δr| above 0.9 of its
// length is removed; its two spheres stay. A sphere that is then part of no cone or slab is removed if it
// lies inside another primitive.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

inline constexpr double kMaxSlabSlope2 = 0.8;
inline constexpr double kMaxConeSlope = 0.9;

struct GateReport {
  int slabs = 0;     // removed
  int cones = 0;     // removed
  int vertices = 0;  // removed
};

GateReport apply_gates(Mesh& medial);

// Of spheres whose centres are closer than this part of the smaller radius only the largest stays: the body
// could not tell their handles apart, and solving for both would lose all digits.
inline constexpr double kSamePlace = 0.03;

void merge_spheres(Mesh& medial);

}  // namespace marrow
