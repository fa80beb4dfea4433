// Keeps primitives out of a medial mesh that contact would find degenerate.
//
// A slab with σ² = sᵀG⁻¹s above 0.8 becomes its three cones; a cone with |Δr| above 0.9 of its length becomes
// its larger sphere. What is then a sphere alone and inside another primitive goes.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

inline constexpr double kMaxSlabSlope2 = 0.8;
inline constexpr double kMaxConeSlope = 0.9;

struct GateReport {
  int slabs = 0;     // became cones
  int cones = 0;     // became spheres
  int vertices = 0;  // left out
};

GateReport apply_gates(Mesh& medial);

// Of spheres whose centres are closer than this part of the smaller radius only the largest stays: the body
// could not tell their handles apart, and solving for both would lose all digits.
inline constexpr double kSamePlace = 0.03;

void merge_spheres(Mesh& medial);

}  // namespace marrow
