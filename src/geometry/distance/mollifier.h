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

#include "geometry/distance/distance.h"

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

// Whether neither edge tapers. Then e is a function of p = |m|², m = C₁×C₂, alone.
inline bool is_level(const PairBalls& balls) { return balls.r[0] == balls.r[1] && balls.r[2] == balls.r[3]; }

struct LevelRamp {
  double value;
  double first, second;  // by p
  Vec3 C1, C2, m;

  // Of t·m over the four points, t held: t·(dC₁×C₂ + C₁×dC₂).
  std::array<Vec3, 4> pull(const Vec3& t) const {
    const Vec3 by_first = C2.cross(t), by_second = t.cross(C1);
    return {-by_first, by_first, by_second, -by_second};
  }
  std::array<Vec3, 4> compute_gradient() const { return pull(2 * first * m); }
};

inline LevelRamp compute_level_ramp(const PairBalls& balls, double threshold) {
  LevelRamp ramp;
  ramp.C1 = balls.x[1] - balls.x[0];
  ramp.C2 = balls.x[2] - balls.x[3];
  ramp.m = ramp.C1.cross(ramp.C2);
  const double q = ramp.m.squaredNorm() / threshold;
  ramp.value = q * (2 - q);
  ramp.first = (2 - 2 * q) / threshold;
  ramp.second = -2 / (threshold * threshold);
  return ramp;
}

}  // namespace marrow
