// The mollifier of edge–edge contact, with radii.
//
// Where two edges become parallel their closest points jump, and the barrier would have a kink. The edge–edge
// term is multiplied by e in [0, 1], which vanishes there; vertex–edge terms carry the contact then.
//
//   b = |C₁×C₂|²,   a = b − |R₁C₂ − R₂C₁|² = PQ − T²,   P = |C₁|²−R₁², Q = |C₂|²−R₂², T = C₁·C₂ − R₁R₂
//   q = a²/(ε b) if a > 0, else 0;      e(q) = q (2 − q) for q < 1, else 1
//   ε = 10⁻³ P Q at rest, each factor at least 0; ε = 0: the pair never acts
//
// For zero radii a = b and q = b/ε: IPC's mollifier. It is C¹ everywhere (docs/models/distance.md).
#pragma once

#include "geometry/distance.h"

namespace marrow {

// ε of an edge pair, from its rest shape.
MARROW_HD inline double compute_mollifier_threshold(const PairBalls& rest) {
  const double P = (rest.x[1] - rest.x[0]).squaredNorm() - (rest.r[1] - rest.r[0]) * (rest.r[1] - rest.r[0]);
  const double Q = (rest.x[3] - rest.x[2]).squaredNorm() - (rest.r[3] - rest.r[2]) * (rest.r[3] - rest.r[2]);
  return 1e-3 * (P > 0 ? P : 0) * (Q > 0 ? Q : 0);
}

struct Mollifier {
  double value = 1;
  bool is_ramp = false;  // 0 < value < 1: derivatives are not zero
};

MARROW_HD inline Mollifier compute_mollifier(const PairBalls& balls, double threshold) {
  const Vec3 C1 = balls.x[1] - balls.x[0], C2 = balls.x[2] - balls.x[3];
  const double R1 = balls.r[1] - balls.r[0], R2 = balls.r[3] - balls.r[2];
  const double b = C1.cross(C2).squaredNorm();
  const double a = b - (R1 * C2 - R2 * C1).squaredNorm();
  if (!(threshold > 0) || !(a > 0)) return {0, false};
  const double q = a / b * (a / threshold);
  if (q >= 1) return {1, false};
  return {q * (2 - q), true};
}

// Value, gradient and Hessian over the four balls (12 numbers), for a pair on the ramp.
struct MollifierDerivatives {
  double value;
  Vec12 gradient;
  Mat12 hessian;
};

MollifierDerivatives compute_mollifier_derivatives(const PairBalls& balls, double threshold);

}  // namespace marrow
