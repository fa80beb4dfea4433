// Roots of cubic and quartic polynomials on an interval, found safely. A cubic is cut at its critical points
// into monotone pieces, and each piece that changes sign is bisected. A quartic is halved until the Bernstein
// coefficients of each piece show its sign. No closed formula, hence no cancellation near double roots.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/macros.h"

namespace marrow {

// p(t) = c[0] + c[1] t + c[2] t² + c[3] t³
struct Cubic {
  double c[4];
  MARROW_HD double operator()(double t) const { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }
};

// The zeros of p′ inside (0, 1), ascending; the count is returned.
MARROW_HD inline int compute_critical_points(const Cubic& p, double* t) {
  const double a = 3 * p.c[3], b = 2 * p.c[2], c = p.c[1];
  double roots[2];
  int count = 0;
  const double discriminant = b * b - 4 * a * c;
  if (discriminant >= 0) {
    // The stable pair: q never cancels.
    const double q = -0.5 * (b + std::copysign(std::sqrt(discriminant), b));
    if (a != 0) roots[count++] = q / a;
    if (q != 0) roots[count++] = c / q;
  }
  if (count == 2 && roots[0] > roots[1]) std::swap(roots[0], roots[1]);
  int inside = 0;
  for (int i = 0; i < count; ++i) {
    if (roots[i] > 0 && roots[i] < 1) t[inside++] = roots[i];
  }
  return inside;
}

// A lower bound, tight to rounding, of the smallest t in [0, 1] with p(t) <= 0; infinity if there is none.
// Requires p(0) > 0. The returned t has p(t) > 0, or is 0.
MARROW_HD inline double find_first_nonpositive(const Cubic& p) {
  double knots[4] = {0, 1, 1, 1};
  const int inside = compute_critical_points(p, knots + 1);
  knots[inside + 1] = 1;
  for (int piece = 0; piece <= inside; ++piece) {
    double low = knots[piece], high = knots[piece + 1];
    if (p(high) > 0) continue;
    // p is monotone here, positive at low and not at high.
    while (high - low > 1e-15 * high && low + 0.5 * (high - low) > low) {
      const double middle = low + 0.5 * (high - low);
      (p(middle) > 0 ? low : high) = middle;
      if (high - low <= std::numeric_limits<double>::min()) break;
    }
    return low;
  }
  return std::numeric_limits<double>::infinity();
}

// p(t) = c[0] + c[1] t + … + c[4] t⁴
struct Quartic {
  double c[5];
};

// A t in [0, 1] such that p > 0 on [0, t], to six digits the first zero or where p all but touches zero;
// infinity if p > 0 on all of [0, 1]. Requires p(0) > 0.
MARROW_HD inline double find_first_nonpositive_quartic(const Quartic& p) {
  constexpr int kDepth = 60;
  // Pieces still to be looked at, the leftmost on top, as Bernstein coefficients.
  double stack[kDepth + 2][5];
  double starts[kDepth + 2], lengths[kDepth + 2];
  const double* c = p.c;
  const double first[5] = {c[0], c[0] + c[1] / 4, c[0] + c[1] / 2 + c[2] / 6,
                           c[0] + 3 * c[1] / 4 + c[2] / 2 + c[3] / 4, c[0] + c[1] + c[2] + c[3] + c[4]};
  for (int i = 0; i < 5; ++i) stack[0][i] = first[i];
  starts[0] = 0;
  lengths[0] = 1;
  int top = 0;
  while (top >= 0) {
    double b[5];
    bool is_positive = true;
    for (int i = 0; i < 5; ++i) {
      b[i] = stack[top][i];
      if (!(b[i] > 0)) is_positive = false;
    }
    const double start = starts[top], length = lengths[top];
    --top;
    if (is_positive) continue;
    if (length < 1e-6 * start || length < 1e-17) return start;
    // De Casteljau: the left half gathers the first entries, b becomes the right half.
    double left[5];
    for (int i = 0; i < 5; ++i) {
      left[i] = b[0];
      for (int j = 0; j < 4 - i; ++j) b[j] = 0.5 * (b[j] + b[j + 1]);
    }
    ++top;
    for (int i = 0; i < 5; ++i) stack[top][i] = b[i];
    starts[top] = start + 0.5 * length;
    lengths[top] = 0.5 * length;
    ++top;
    for (int i = 0; i < 5; ++i) stack[top][i] = left[i];
    starts[top] = start;
    lengths[top] = 0.5 * length;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace marrow
