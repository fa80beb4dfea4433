// With the invariants of Green's strain, energies of nearly undeformed elements keep their digits.
//
// With G = FᵀF − I, its invariants g₁ = tr G, g₂ (of its 2 × 2 minors), g₃ = det G, and t = J² − 1 = g₁ + g₂
// + g₃:
//
//   I₁ − 3 = g₁ = t − g₂ − g₃,      2 ln J = ln(1 + t),      J − 1 = t/(1 + √(1 + t)),      J^(2/3) = 1 + c
//
// The energies cancel to first order in G, and with them all digits, if they are computed from I₁, I₂ and J:
// a steel part of a centimetre would carry more rounding than kinetic energy. Written with these, the terms
// of first order cancel on paper. Derived here.
#pragma once

#include <cmath>

#include "core/types.h"

namespace marrow {

struct StrainInvariants {
  double second, third;  // g₂, g₃
  double first;          // g₁
  double growth;         // t
};

// Strains below this are small. Above it, J near zero is better computed from F. [D13]
inline constexpr double kSmallStrain = 0.1;

// True if the invariants should be used; then computes them.
MARROW_HD inline bool compute_small_strain(const Mat3& F, StrainInvariants& at) {
  const double xx = F.col(0).dot(F.col(0)) - 1, yy = F.col(1).dot(F.col(1)) - 1,
               zz = F.col(2).dot(F.col(2)) - 1;
  const double xy = F.col(0).dot(F.col(1)), yz = F.col(1).dot(F.col(2)), zx = F.col(2).dot(F.col(0));
  if (!(xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + zx * zx) < kSmallStrain * kSmallStrain)) {
    return false;
  }
  if (!(F.determinant() > 0)) return false;  // a mirror image has the same strain
  at.first = xx + yy + zz;
  at.second = (xx * yy - xy * xy) + (yy * zz - yz * yz) + (zz * xx - zx * zx);
  at.third = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
  at.growth = at.first + at.second + at.third;
  return true;
}

// Below this the series of x − ln(1 + x) is used. [derived: of the series to x¹³ what is left out is below
// 2⁻⁵³ of the sum]
inline constexpr double kShortSeries = 0.05;

// x − ln(1 + x)
MARROW_HD inline double compute_log_excess(double x) {
  if (std::abs(x) > kShortSeries) return x - std::log1p(x);
  double sum = 0;
  for (int k = 13; k >= 2; --k) sum = 1.0 / k - x * sum;
  return x * x * sum;
}

}  // namespace marrow
