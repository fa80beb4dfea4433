// Signs of orientation determinants, decided exactly for all finite doubles.
//
//   orient3(a, b, c, d) = sign (b−a)×(c−a)·(d−a)      +1: d is on the side from which a, b, c look counter-
//                                                      clockwise; 0: coplanar
//   orient2(a, b, c)    = sign (b−a)×(c−a)             +1: counter-clockwise; 0: collinear
//
// A floating-point evaluation with a proven error bound answers nearly always (Shewchuk 1997, "Adaptive
// Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates", stage A, eqs. of section 4.3);
// what it cannot tell goes to ExactNumber. We add what he excludes: products that underflow cost a constant
// in the bound, and inputs whose products could overflow skip the filter.
#pragma once

#include "core/types.h"

namespace marrow {

int orient3_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

// Of the projections along an axis (0, 1, 2): the plane of the two following axes.
int orient2_sign(int axis, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace marrow
