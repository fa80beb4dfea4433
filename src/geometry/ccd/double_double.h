// Numbers of twice the precision: unevaluated sums of two doubles, about 31 digits.
//
// Sums and products carry their rounding errors along, found exactly by Dekker's and Knuth's error-free
// transformations (T. J. Dekker, A floating-point technique for extending the available precision, 1971). The
// relative error of + − × is at most 7 u², u = 2⁻⁵³ (Joldes, Muller, Popescu 2017, algorithms 6 and 12 with
// Dekker's product); the quotient's and the root's are of the same size. kRoundoff bounds all of them with
// room to spare. Needs IEEE arithmetic without reassociation or contraction. Several times faster than
// quad precision in software, and the same on a device.
#pragma once

#include <cmath>

#include "core/macros.h"

namespace marrow {

struct DoubleDouble {
  static constexpr double kRoundoff = 0x1p-100;

  double high = 0, low = 0;  // |low| <= u |high|

  DoubleDouble() = default;
  MARROW_HD DoubleDouble(double a) : high(a) {}  // NOLINT: numbers mix with doubles
  MARROW_HD DoubleDouble(double h, double l) : high(h), low(l) {}

  MARROW_HD explicit operator double() const { return high; }
};

namespace detail {

// a + b exactly.
MARROW_HD inline DoubleDouble add_exactly(double a, double b) {
  const double sum = a + b;
  const double other = sum - a;
  return {sum, (a - (sum - other)) + (b - other)};
}

// The same if |a| >= |b|.
MARROW_HD inline DoubleDouble renormalize(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a b exactly: halves of 26 bits multiply without rounding.
MARROW_HD inline DoubleDouble multiply_exactly(double a, double b) {
  constexpr double kSplit = 0x1p27 + 1;
  const double ca = kSplit * a, cb = kSplit * b;
  const double a1 = ca - (ca - a), b1 = cb - (cb - b);
  const double a2 = a - a1, b2 = b - b1;
  const double product = a * b;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

}  // namespace detail

MARROW_HD inline DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

MARROW_HD inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = detail::add_exactly(a.high, b.high), t = detail::add_exactly(a.low, b.low);
  const DoubleDouble v = detail::renormalize(s.high, s.low + t.high);
  return detail::renormalize(v.high, t.low + v.low);
}

MARROW_HD inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

MARROW_HD inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = detail::multiply_exactly(a.high, b.high);
  return detail::renormalize(p.high, p.low + (a.high * b.low + a.low * b.high));
}

// Long division by three digits of 53 bits.
MARROW_HD inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double q1 = a.high / b.high;
  const DoubleDouble r1 = a - b * DoubleDouble(q1);
  const double q2 = r1.high / b.high;
  const DoubleDouble r2 = r1 - b * DoubleDouble(q2);
  return detail::renormalize(q1, q2) + DoubleDouble(r2.high / b.high);
}

MARROW_HD inline bool operator<(DoubleDouble a, DoubleDouble b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}
MARROW_HD inline bool operator>(DoubleDouble a, DoubleDouble b) { return b < a; }
MARROW_HD inline bool operator<=(DoubleDouble a, DoubleDouble b) {
  return a.high < b.high || (a.high == b.high && a.low <= b.low);
}
MARROW_HD inline bool operator>=(DoubleDouble a, DoubleDouble b) { return b <= a; }
MARROW_HD inline bool operator!=(DoubleDouble a, DoubleDouble b) {
  return a.high != b.high || a.low != b.low;
}

MARROW_HD inline DoubleDouble select(bool mask, DoubleDouble a, DoubleDouble b) { return mask ? a : b; }

// One Newton step doubles the digits of the double root; no root of what is not positive.
MARROW_HD inline DoubleDouble square_root(DoubleDouble a) {
  if (!(a.high > 0)) return 0;
  const double x = std::sqrt(a.high);
  if (!(x > 0)) return 0;
  const DoubleDouble rest = a - detail::multiply_exactly(x, x);
  return detail::renormalize(x, rest.high / (x + x));
}

}  // namespace marrow
