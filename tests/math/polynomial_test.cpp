#include "math/polynomial.h"

#include <gtest/gtest.h>

#include <random>

#include "math/rotation.h"

namespace marrow {
namespace {

// (t − a)(t − b)(t − c) · sign, as coefficients.
Cubic from_roots(double a, double b, double c, double sign) {
  return {{-sign * a * b * c, sign * (a * b + b * c + c * a), -sign * (a + b + c), sign}};
}

}  // namespace

TEST(Polynomial, first_root_is_found_from_below) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-2, 2);
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    const double roots[] = {uniform(random), uniform(random), uniform(random)};
    Cubic p = from_roots(roots[0], roots[1], roots[2], 1);
    if (p(0) < 0) p = from_roots(roots[0], roots[1], roots[2], -1);
    if (!(p(0) > 1e-6)) continue;
    double expected = std::numeric_limits<double>::infinity();
    for (const double r : roots) {
      if (r > 0 && r <= 1) expected = std::min(expected, r);
    }
    const double t = find_first_nonpositive(p);
    if (std::isinf(expected)) {
      EXPECT_TRUE(std::isinf(t) || t > 1 - 1e-9) << roots[0] << " " << roots[1] << " " << roots[2];
    } else if (std::isfinite(t)) {
      ++found;
      EXPECT_LE(t, expected + 1e-9);
      EXPECT_GE(p(t), 0);
    }
  }
  EXPECT_GT(found, 1000);
}

TEST(Polynomial, degenerate_polynomials) {
  EXPECT_TRUE(std::isinf(find_first_nonpositive({{1, 0, 0, 0}})));
  EXPECT_NEAR(find_first_nonpositive({{1, -2, 0, 0}}), 0.5, 1e-15);
  EXPECT_NEAR(find_first_nonpositive({{1, 0, -4, 0}}), 0.5, 1e-15);
  EXPECT_NEAR(find_first_nonpositive({{1, 0, 0, -8}}), 0.5, 1e-15);
  EXPECT_NEAR(find_first_nonpositive({{1e-300, -1, 0, 0}}), 1e-300, 1e-307);
  EXPECT_TRUE(std::isinf(find_first_nonpositive({{1, 1, 1, 1}})));
}

TEST(Rotation, degrees_turn_about_x_then_y_then_z) {
  const Mat3 R = rotation_from_degrees(Vec3(90, 0, 90));
  EXPECT_LE((R * Vec3(0, 1, 0) - Vec3(0, 0, 1)).norm(), 1e-15);
  EXPECT_LE((R * Vec3(1, 0, 0) - Vec3(0, 1, 0)).norm(), 1e-15);
}

TEST(Rotation, vector_gives_axis_and_angle) {
  const Mat3 R = rotation_from_vector(Vec3(0, 0, std::numbers::pi / 2));
  EXPECT_LE((R * Vec3(1, 0, 0) - Vec3(0, 1, 0)).norm(), 1e-15);
  EXPECT_EQ(rotation_from_vector(Vec3::Zero()), Mat3(Mat3::Identity()));
}

TEST(Polynomial, first_root_of_a_quartic_is_found_from_below) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-2, 2);
  int found = 0;
  for (int i = 0; i < 5000; ++i) {
    double roots[4];
    for (double& root : roots) root = uniform(random);
    Quartic p = {{1, 0, 0, 0, 0}};
    for (const double root : roots) {
      for (int k = 4; k > 0; --k) p.c[k] = p.c[k - 1] - root * p.c[k];
      p.c[0] *= -root;
    }
    if (p.c[0] < 0) {
      for (double& c : p.c) c = -c;
    }
    if (!(p.c[0] > 1e-3)) continue;
    double expected = std::numeric_limits<double>::infinity();
    for (const double root : roots) {
      if (root > 0 && root <= 1) expected = std::min(expected, root);
    }
    const double t = find_first_nonpositive_quartic(p);
    if (std::isinf(expected)) {
      EXPECT_TRUE(std::isinf(t)) << t;
    } else {
      ++found;
      EXPECT_LE(t, expected + 1e-9);
      EXPECT_GE(t, expected - 1e-5 * expected - 1e-9);
    }
  }
  EXPECT_GT(found, 1000);
  // A huge slope: the root is tiny, and still not rounded down to zero.
  const double tiny = find_first_nonpositive_quartic(Quartic{{1, -1e12, 0, 0, 0}});
  EXPECT_GT(tiny, 0.99e-12);
  EXPECT_LE(tiny, 1e-12);
}

}  // namespace marrow
