// The true gap g = min |c| − ρ of two simplices with radii, and the certificate that proves a separation.
//
// g is convex in the parameters. On a face with directions J, radius slopes s and base c_F it has the closed
// form
//
//   η_c = −G⁻¹Jᵀc_F,   h = |c_F + J η_c|,   σ² = sᵀG⁻¹s < 1,   η = η_c + G⁻¹s h/√(1−σ²),        G = JᵀJ
//
// and on a segment the clamp of that η is right. The certificate of a direction |n| <= 1,
//
//   LB(n) = min_i (n·A_i − ra_i) − max_j (n·B_j + rb_j) <= g,
//
// holds with equality for n = c/|c| at the minimiser, and trusts nothing about how n was found.
#pragma once

#include <algorithm>

#include "geometry/distance.h"

namespace marrow {

// The closest points in the sense of g.
PairPoint find_gap(PairKind kind, const PairBalls& balls);

inline double compute_certificate(PairShape shape, const PairBalls& balls, const Vec3& n) {
  double front = std::numeric_limits<double>::infinity(), back = -front;
  for (int i = 0; i < shape.count; ++i) {
    const double along = n.dot(balls.x[i] - balls.x[0]);
    if (i < shape.front) {
      front = std::min(front, along - balls.r[i]);
    } else {
      back = std::max(back, along + balls.r[i]);
    }
  }
  return front - back;
}

}  // namespace marrow
