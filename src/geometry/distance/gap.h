// The true gap g = min |c| − ρ of two simplices with radii, and the certificate that proves a separation.
//
// The minimiser is that of closest.h. The certificate of a direction |n| <= 1,
//
//   LB(n) = min_i (n·A_i − ra_i) − max_j (n·B_j + rb_j) <= g,
//
// holds with equality for n = c/|c| at the minimiser, and trusts nothing about how n was found.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/distance/distance.h"

namespace marrow {

// The closest points in the sense of g.
MARROW_HD inline PairPoint find_gap(PairKind kind, const PairBalls& balls) {
  const Closest<double> closest = find_least_gap(kind, make_coefficients(kind, make_stencil(balls)));
  return make_point(shape_of(kind), balls, make_weights(kind, closest));
}

MARROW_HD inline double compute_certificate(PairShape shape, const PairBalls& balls, const Vec3& n) {
  double front = INFINITY, back = -INFINITY;
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
