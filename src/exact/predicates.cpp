#include "exact/predicates.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exact/number.h"

namespace marrow {
namespace {

constexpr double kEpsilon = 0x1p-53;
// Relative error bounds of stage A.
constexpr double kBound2 = (3 + 16 * kEpsilon) * kEpsilon;
constexpr double kBound3 = (7 + 56 * kEpsilon) * kEpsilon;
// An inner product that underflows is off by at most 2⁻¹⁰⁷⁵; times differences up to kLargest, six times
// over, plus the outer products' own: below kUnderflow3.
constexpr double kLargest = 0x1p300;
constexpr double kUnderflow2 = 0x1p-1070;
constexpr double kUnderflow3 = 0x1p-760;

int sign_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

int orient3_exact(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::array<ExactNumber, 3>, 3> m;
  const Vec3* points[] = {&b, &c, &d};
  for (size_t i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) m[i][static_cast<size_t>(k)] = ExactNumber((*points[i])[k]) - a[k];
  }
  const ExactNumber minor0 = m[1][1] * m[2][2] - m[1][2] * m[2][1];
  const ExactNumber minor1 = m[1][2] * m[2][0] - m[1][0] * m[2][2];
  const ExactNumber minor2 = m[1][0] * m[2][1] - m[1][1] * m[2][0];
  return (m[0][0] * minor0 + m[0][1] * minor1 + m[0][2] * minor2).sign();
}

}  // namespace

int orient3_sign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a;
  const Vec3 v = c - a;
  const Vec3 w = d - a;
  // A difference is 0 only if it is exactly: points in a common axis plane are coplanar.
  for (int k = 0; k < 3; ++k) {
    if (u[k] == 0 && v[k] == 0 && w[k] == 0) return 0;
  }
  const double vw_x = v[1] * w[2];
  const double vw_x_minus = v[2] * w[1];
  const double vw_y = v[2] * w[0];
  const double vw_y_minus = v[0] * w[2];
  const double vw_z = v[0] * w[1];
  const double vw_z_minus = v[1] * w[0];
  const double determinant =
      u[0] * (vw_x - vw_x_minus) + u[1] * (vw_y - vw_y_minus) + u[2] * (vw_z - vw_z_minus);
  const double permanent = std::abs(u[0]) * (std::abs(vw_x) + std::abs(vw_x_minus)) +
                           std::abs(u[1]) * (std::abs(vw_y) + std::abs(vw_y_minus)) +
                           std::abs(u[2]) * (std::abs(vw_z) + std::abs(vw_z_minus));
  const double largest =
      std::max({u.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff(), w.cwiseAbs().maxCoeff()});
  if (largest < kLargest && std::abs(determinant) > kBound3 * permanent + kUnderflow3) {
    return sign_of(determinant);
  }
  return orient3_exact(a, b, c, d);
}

int orient2_sign(int axis, const Vec3& a, const Vec3& b, const Vec3& c) {
  const int i = (axis + 1) % 3;
  const int j = (axis + 2) % 3;
  const double left = (b[i] - a[i]) * (c[j] - a[j]);
  const double right = (b[j] - a[j]) * (c[i] - a[i]);
  const double determinant = left - right;
  // Also false if anything overflowed.
  if (std::abs(determinant) > kBound2 * (std::abs(left) + std::abs(right)) + kUnderflow2) {
    return sign_of(determinant);
  }
  // Differences are 0 only if they are exactly.
  if ((b[i] == a[i] || c[j] == a[j]) && (b[j] == a[j] || c[i] == a[i])) return 0;
  const ExactNumber ax(a[i]);
  const ExactNumber ay(a[j]);
  return ((ExactNumber(b[i]) - ax) * (ExactNumber(c[j]) - ay) -
          (ExactNumber(b[j]) - ay) * (ExactNumber(c[i]) - ax))
      .sign();
}

}  // namespace marrow
