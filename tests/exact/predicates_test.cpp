// Exact numbers and orientation signs against schoolbook integers, over the whole range of doubles.
#include "exact/predicates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "exact/number.h"
#include "exact/reference.h"

namespace marrow {
namespace {

using reference::BigInteger;

constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();

// Doubles of every exponent, and the ones at the ends of the range.
double draw_wild(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0:
      return 0;
    case 1:
      return random() % 2 == 0 ? kSmallest : -kSmallest;
    case 2:
      return random() % 2 == 0 ? kLargest : -kLargest;
    default: {
      const double mantissa = std::uniform_real_distribution<double>(-1, 1)(random);
      return std::ldexp(mantissa, static_cast<int>(random() % 2090) - 1070);
    }
  }
}

BigInteger orient3_reference(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::array<BigInteger, 3>, 3> m;
  const Vec3* points[] = {&b, &c, &d};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const int axis = static_cast<int>(k);
      m[i][k] = BigInteger((*points[i])[axis]) - BigInteger(a[axis]);
    }
  }
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

BigInteger orient2_reference(int axis, const Vec3& a, const Vec3& b, const Vec3& c) {
  const int i = (axis + 1) % 3;
  const int j = (axis + 2) % 3;
  return (BigInteger(b[i]) - BigInteger(a[i])) * (BigInteger(c[j]) - BigInteger(a[j])) -
         (BigInteger(b[j]) - BigInteger(a[j])) * (BigInteger(c[i]) - BigInteger(a[i]));
}

void expect_same_signs(const std::array<Vec3, 4>& p) {
  EXPECT_EQ(orient3_sign(p[0], p[1], p[2], p[3]), orient3_reference(p[0], p[1], p[2], p[3]).sign());
  EXPECT_EQ(orient3_sign(p[1], p[0], p[2], p[3]), -orient3_sign(p[0], p[1], p[2], p[3]));
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(orient2_sign(axis, p[0], p[1], p[2]), orient2_reference(axis, p[0], p[1], p[2]).sign());
  }
}

TEST(ExactNumber, small_integers) {
  for (int a = -20; a <= 20; ++a) {
    for (int b = -20; b <= 20; ++b) {
      const ExactNumber x = a;
      const ExactNumber y = b;
      EXPECT_EQ((x + y).approximate(), a + b);
      EXPECT_EQ((x - y).approximate(), a - b);
      EXPECT_EQ((x * y).approximate(), a * b);
      EXPECT_EQ(x < y, a < b);
      EXPECT_EQ(x == y, a == b);
    }
  }
}

TEST(ExactNumber, every_double_survives) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const double value = draw_wild(random);
    EXPECT_EQ(ExactNumber(value).approximate(), value);
  }
}

TEST(ExactNumber, sums_of_products_have_the_sign_of_schoolbook_integers) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 3000; ++i) {
    std::array<double, 4> v;
    for (double& x : v) x = draw_wild(random);
    if (i % 3 == 0) v[3] = v[0];
    if (i % 6 == 0) v[2] = v[1];
    const int sign = (ExactNumber(v[0]) * v[1] - ExactNumber(v[2]) * v[3]).sign();
    EXPECT_EQ(sign, (BigInteger(v[0]) * BigInteger(v[1]) - BigInteger(v[2]) * BigInteger(v[3])).sign());
  }
}

TEST(ExactNumber, ring_laws_hold_for_long_numbers) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    ExactNumber a = draw_wild(random);
    ExactNumber b = draw_wild(random);
    ExactNumber c = draw_wild(random);
    for (int grow = 0; grow < 4; ++grow) a = a * draw_wild(random) + draw_wild(random);
    for (int grow = 0; grow < 3; ++grow) b = b * draw_wild(random) + draw_wild(random);
    EXPECT_TRUE((a + b) * (a - b) == a * a - b * b);
    EXPECT_TRUE((a + b) * c == a * c + b * c);
    EXPECT_TRUE((a + b) + c == a + (b + c));
    EXPECT_EQ((a - a).sign(), 0);
    EXPECT_EQ((a - a).limb_count(), 0U);
  }
}

TEST(ExactPredicates, any_exponents) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 1500; ++i) {
    std::array<Vec3, 4> p;
    for (Vec3& v : p) v = Vec3(draw_wild(random), draw_wild(random), draw_wild(random));
    if (i % 4 == 1) p[3] = p[2];
    if (i % 4 == 2) p[3] = 0.5 * p[1] + 0.5 * p[2];
    expect_same_signs(p);
  }
}

// Points within a few rounding errors of a plane, a line or each other, at many scales and far from the
// origin.
TEST(ExactPredicates, nearly_flat) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto draw = [&] { return Vec3(unit(random), unit(random), unit(random)); };
  for (int i = 0; i < 4000; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(random() % 1200) - 600);
    const Vec3 offset = i % 2 == 0 ? Vec3::Zero() : Vec3(1000 * draw());
    std::array<Vec3, 4> p;
    for (size_t k = 0; k < 3; ++k) p[k] = (offset + draw()) * scale;
    if (i % 5 == 0) p[2] = p[0] + (p[1] - p[0]) * unit(random);
    p[3] = p[0] + (p[1] - p[0]) * unit(random) + (p[2] - p[0]) * unit(random);
    for (int k = 0; k < 3; ++k) {
      if (random() % 2 == 0) p[3][k] = std::nextafter(p[3][k], unit(random) < 0 ? -kLargest : kLargest);
    }
    expect_same_signs(p);
  }
}

TEST(ExactPredicates, orientation_convention) {
  const Vec3 o(0, 0, 0);
  EXPECT_EQ(orient3_sign(o, Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)), 1);
  EXPECT_EQ(orient2_sign(2, o, Vec3(1, 0, 5), Vec3(0, 1, -7)), 1);
}

}  // namespace
}  // namespace marrow
