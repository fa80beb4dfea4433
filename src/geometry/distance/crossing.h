// The factor of two edges that cross, for contact that is weighted by area (docs/models/contact.md).
//
//   T = χ(u) χ(v) e,      χ(t) = 30 t² (1 − t)²
//
// u and v are the parameters of the closest points on the two edges, and e is the mollifier of nearly
// parallel edges (mollifier.h). χ has the mean 1 and vanishes with its slope at the ends of an edge, where
// vertex–triangle pairs take over. T depends on five products only, with C and R of closest.h:
//
//   A = C₁·C₁ − R₁²,  B = C₁·C₂ − R₁R₂,  C = C₂·C₂ − R₂²,  D = C₁·C₃ − R₁R₃,  E = C₂·C₃ − R₂R₃
//   u = (B E − C D)/Δ,   v = (B D − A E)/Δ,   Δ = A C − B²
//
// so that its derivatives are those of a jet in five variables and of the products.
#pragma once

#include "geometry/distance/mollifier.h"

namespace marrow {

// 0 unless both closest points are inside their edges. threshold: of the mollifier.
double compute_crossing(const PairBalls& balls, double threshold);

// With derivatives over the four balls. compute_crossing must be positive.
MollifierDerivatives compute_crossing_derivatives(const PairBalls& balls, double threshold);

}  // namespace marrow
