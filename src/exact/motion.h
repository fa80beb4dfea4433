// Do two simplices meet at some time of a straight motion? Decided exactly: no tolerance, no undecided cases.
//
// Every vertex moves from x0 to x1 as x0 + t (x1 − x0), t in [0, 1]. For a point and a triangle, or two
// segments, all four vertices are coplanar whenever they meet:
//
//   V(t) = orient3 of the four = 0        a cubic with exact coefficients
//
// If V is not identically zero, its roots (polynomial.h) and the ends are all times to look at. If it
// is, the signs of all orient2 (quadratic) and of all coordinate differences (linear) describe the
// arrangement; the times of meeting are a closed set, so if it is not empty it contains an end of [0, 1] or a
// root of one of these polynomials. At each such time the test of simplices.h runs on the signs of the
// polynomials there. Fewer vertices (point and segment, two points) are the second case.
//
// A filter goes first: a direction n with n·(a − b) > 0 for all corners at both ends of an interval of time
// separates the pair throughout, since n·(a − b) is linear in t.
#pragma once

#include <optional>

#include "exact/simplices.h"

namespace marrow::exact {

struct Motion {
  const Points& x0;
  const Points& x1;
};

// The first time found at which the simplices meet, rounded; empty if they never do. A and B share no vertex
// and have at most four in all. For pairs that meet it is the earliest unless the motion stays coplanar.
std::optional<double> find_meeting(const Motion& motion, const Simplex& A, const Simplex& B);

// Whether a certified separating direction was found; false says nothing.
bool is_surely_apart(const Motion& motion, const Simplex& A, const Simplex& B);

}  // namespace marrow::exact
