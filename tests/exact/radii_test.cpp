// Simplices with radii: every certified answer against dense sampling, and the cases where the sign is known.
#include "exact/radii.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace marrow::exact {
namespace {

// The gap on a grid of weights: never below the true gap.
double sample_gap(const Points& x, const std::vector<double>& r, const Simplex& A, const Simplex& B) {
  const int steps = 10;
  struct Ball {
    Vec3 centre;
    double radius;
  };
  const auto list_balls = [&](const Simplex& s) {
    std::vector<Ball> balls;
    const auto at = [&](int k) { return static_cast<size_t>(s[std::min(k, s.count - 1)]); };
    for (int i = 0; i <= steps; ++i) {
      for (int j = 0; i + j <= steps; ++j) {
        const double u = static_cast<double>(i) / steps;
        const double v = static_cast<double>(j) / steps;
        balls.push_back({(1 - u - v) * x[at(0)] + u * x[at(1)] + v * x[at(2)],
                         (1 - u - v) * r[at(0)] + u * r[at(1)] + v * r[at(2)]});
      }
    }
    return balls;
  };
  double gap = std::numeric_limits<double>::infinity();
  const std::vector<Ball> balls_b = list_balls(B);
  for (const Ball& a : list_balls(A)) {
    for (const Ball& b : balls_b) gap = std::min(gap, (a.centre - b.centre).norm() - a.radius - b.radius);
  }
  return gap;
}

Simplex first_corners(int count, Index first) {
  return make_simplex(first, count > 1 ? first + 1 : kNone, count > 2 ? first + 2 : kNone);
}

TEST(ExactRadii, agrees_with_sampling_and_decides_nearly_all) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  std::array<int, 3> counts = {0, 0, 0};
  for (int round = 0; round < 20000; ++round) {
    Points x(6);
    std::vector<double> r(6);
    for (Vec3& p : x) p = Vec3(unit(random), unit(random), unit(random));
    // Steep, zero and constant radii; degenerate simplices.
    for (double& radius : r) radius = round % 4 == 0 ? unit(random) * unit(random) : 0.15 * unit(random);
    if (round % 5 == 1) r.assign(6, 0.1);
    if (round % 7 == 2) r[0] = r[3] = 0;
    if (round % 6 == 3) x[1] = x[0];
    if (round % 6 == 4) x[5] = 0.5 * (x[3] + x[4]);
    const Simplex A = first_corners(1 + static_cast<int>(random() % 3), 0);
    const Simplex B = first_corners(1 + static_cast<int>(random() % 3), 3);
    const double gap = sample_gap(x, r, A, B);
    const Gap verdict = classify_gap(x, r, A, B);
    counts[static_cast<size_t>(verdict)] += 1;
    if (gap <= 0) {
      ASSERT_NE(verdict, Gap::Separated) << "round " << round;
    }
    if (gap > 0.3) {  // above twice the diameter of a grid cell
      ASSERT_EQ(verdict, Gap::Separated) << "round " << round;
    }
    ASSERT_EQ(classify_gap(x, r, B, A), verdict);
  }
  EXPECT_GT(counts[0], 2000);
  EXPECT_GT(counts[1], 2000);
  EXPECT_EQ(counts[2], 0) << "undecided";
}

// Two balls on an axis: the sign of the gap is known to the last bit.
TEST(ExactRadii, touching_balls) {
  const Simplex A = make_simplex(0);
  const Simplex B = make_simplex(1);
  Points x = {{0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(classify_gap(x, std::vector<double>{0.25, 0.75}, A, B), Gap::Intersecting);
  EXPECT_EQ(classify_gap(x, std::vector<double>{0.25, 0.75 - 1e-13}, A, B), Gap::Separated);
  EXPECT_EQ(classify_gap(x, std::vector<double>{0.25, 0.75 + 1e-16}, A, B), Gap::Intersecting);
  // Within the rounding of the direction: no claim is made.
  const Gap close = classify_gap(x, std::vector<double>{0.25, 0.75 - 0x1p-53}, A, B);
  EXPECT_NE(close, Gap::Intersecting);
}

TEST(ExactRadii, zero_radii_touching_exactly_is_decided) {
  const Points x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 0}};
  const std::vector<double> r = {0, 0, 0, 0};
  EXPECT_EQ(classify_gap(x, r, make_simplex(0, 1, 2), make_simplex(3)), Gap::Intersecting);
}

// A ball flies past a rod at a known distance.
TEST(ExactRadii, motion) {
  Points x0 = {{-5, 0.5, 0}, {0, 0, -1}, {0, 0, 1}};
  Points x1 = x0;
  x1[0][0] = 5;
  const Simplex ball = make_simplex(0);
  const Simplex rod = make_simplex(1, 2);
  const Motion motion{x0, x1};
  EXPECT_EQ(classify_gap(motion, std::vector<double>{0.2, 0.1, 0.1}, ball, rod), Gap::Separated);
  EXPECT_EQ(classify_gap(motion, std::vector<double>{0.4, 0.1 - 1e-9, 0.1 - 1e-9}, ball, rod),
            Gap::Separated);
  EXPECT_EQ(classify_gap(motion, std::vector<double>{0.4, 0.1 + 1e-9, 0.1 + 1e-9}, ball, rod),
            Gap::Intersecting);
  // Fast and thin: between the ends and the middle.
  x1[0][0] = 11;
  EXPECT_EQ(classify_gap(motion, std::vector<double>{0.4, 0.11, 0.11}, ball, rod), Gap::Intersecting);
}

// Random motions: what meets at a sample is never called separated.
TEST(ExactRadii, motion_agrees_with_samples) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(0, 1);
  std::array<int, 3> counts = {0, 0, 0};
  for (int round = 0; round < 1000; ++round) {
    Points x0(4);
    Points x1(4);
    std::vector<double> r(4);
    for (Points* x : {&x0, &x1}) {
      for (Vec3& p : *x) p = Vec3(unit(random), unit(random), unit(random));
    }
    for (double& radius : r) radius = 0.1 * unit(random);
    const bool is_edges = round % 2 == 0;
    const Simplex A = first_corners(is_edges ? 2 : 1, 0);
    const Simplex B = is_edges ? make_simplex(2, 3) : make_simplex(1, 2, 3);
    const Gap verdict = classify_gap(Motion{x0, x1}, r, A, B);
    counts[static_cast<size_t>(verdict)] += 1;
    for (int k = 0; k <= 20; ++k) {
      Points x(4);
      for (size_t i = 0; i < 4; ++i) x[i] = x0[i] + k / 20.0 * (x1[i] - x0[i]);
      if (classify_gap(x, r, A, B) == Gap::Intersecting) {
        ASSERT_EQ(verdict, Gap::Intersecting) << "round " << round;
      }
    }
  }
  EXPECT_GT(counts[0], 100);
  EXPECT_GT(counts[1], 100);
  EXPECT_EQ(counts[2], 0) << "undecided";
}

// A rod of length 1 seesaws above a ball, closest at both ends of its way. A constant direction would have to
// fit within the gap over the rod's length: more than ten thousand intervals.
TEST(ExactRadii, rod_that_seesaws_on_a_ball_at_a_tiny_gap_is_decided) {
  const double height = 0.02;
  const double slope = 0.005;
  const double distance = height / std::sqrt(1 + slope * slope);  // at the ends of the way
  for (const double gap : {1e-6, 1e-9, 1e-12}) {
    for (const double shift : {0.0, 1.0, 64.0}) {
      const auto place = [&](double side) -> Points {
        return {Vec3(shift, 0, 0), Vec3(shift - 0.5, height - side * 0.5 * slope, 0),
                Vec3(shift + 0.5, height + side * 0.5 * slope, 0)};
      };
      const Points x0 = place(-1);
      const Points x1 = place(1);
      const auto classify = [&](double reach) {
        const std::vector<double> radii = {0.75 * reach, 0.25 * reach, 0.25 * reach};
        return classify_gap(Motion{x0, x1}, radii, make_simplex(0), make_simplex(1, 2));
      };
      EXPECT_EQ(classify(distance - gap), Gap::Separated) << gap << " " << shift;
      EXPECT_EQ(classify(distance + gap), Gap::Intersecting) << gap << " " << shift;
    }
  }
}

}  // namespace
TEST(ExactRadii, tells_nearly_touching_from_touching_where_elements_are_long) {
  // A corner 3.6e-9 m above a triangle of 0.3 m: the vector between the two has lost half of its digits.
  const Points x = {{0.059268969521099252, 0.28391847636304823, -0.26149287700530011},
                    {0.15107329571612257, 1.2939531973038543e-05, -0.23035428602020599},
                    {0.054704797428439117, 1.0985454687251206e-05, 0.05374624642202358},
                    {0.07343501779639075, 0.097014708358568874, -0.10458282638732069}};
  const std::vector<double> radii(4, 1e-15);
  const Simplex triangle = make_simplex(0, 1, 2), point = make_simplex(3);
  EXPECT_EQ(classify_gap(x, radii, triangle, point), Gap::Separated);
  EXPECT_EQ(classify_gap(Motion{x, x}, radii, triangle, point), Gap::Separated);
  EXPECT_EQ(classify_gap(x, std::vector<double>(4, 1.8e-9), triangle, point), Gap::Intersecting);
}

}  // namespace marrow::exact
