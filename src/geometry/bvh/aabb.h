// Axis-aligned boxes around balls at rest and in motion. A grown box contains the exact one whatever the
// rounding; a box that is not grown is exact.
#pragma once

#include "core/macros.h"
#include "core/types.h"
#include "math/lanes.h"

namespace marrow {

struct Aabb {
  double lo[3];
  double hi[3];
};

// Closed boxes: those that only touch overlap.
MARROW_HD inline bool is_overlapping(const Aabb& a, const Aabb& b) {
  return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] &&
         a.lo[2] <= b.hi[2] && b.lo[2] <= a.hi[2];
}

MARROW_HD inline Aabb merge(const Aabb& a, const Aabb& b) {
  Aabb both;
  for (int k = 0; k < 3; ++k) {
    both.lo[k] = smaller(a.lo[k], b.lo[k]);
    both.hi[k] = larger(a.hi[k], b.hi[k]);
  }
  return both;
}

// The box of a ball of radius pad ≥ 0 that moves straight from x0 to x1.
//
// x ∓ pad has a relative error of 2⁻⁵³, and so have the sums below it: 2⁻⁵¹ (|x| + pad) is more than all of
// them together. Where that underflows, sums are exact.
MARROW_HD inline Aabb box_of_swept_ball(const Vec3& x0, const Vec3& x1, double pad) {
  constexpr double kRounding = 0x1p-51;
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    const double lo = smaller(x0[k], x1[k]);
    const double hi = larger(x0[k], x1[k]);
    box.lo[k] = pad > 0 ? lo - pad - kRounding * (magnitude(lo) + pad) : lo;
    box.hi[k] = pad > 0 ? hi + pad + kRounding * (magnitude(hi) + pad) : hi;
  }
  return box;
}

MARROW_HD inline Aabb box_of_ball(const Vec3& x, double pad) { return box_of_swept_ball(x, x, pad); }

}  // namespace marrow
