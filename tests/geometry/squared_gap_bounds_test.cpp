// The bounds of squared gaps that spare a single look at a pair (batch.h): never above what the single
// look finds, nor above the truth, on pairs made to be as bad as can be.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/ccd/batch.h"
#include "geometry/distance/distance.h"

namespace marrow {
namespace {

struct Pairs {
  PairKind kind = PairKind::EdgeEdge;
  Points x;
  std::vector<double> radii;
  std::vector<PairStencil> pairs;
  std::mt19937_64 random;

  Pairs(PairKind of, unsigned seed) : kind(of), random(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  double power(double low, double high) { return std::pow(10, uniform(low, high)); }
  Vec3 vector() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
  Vec3 direction() { return vector().normalized(); }

  void add(const std::array<Vec3, 4>& corners) {
    PairStencil pair;
    for (size_t i = 0; i < 4; ++i) {
      pair[i] = static_cast<Index>(x.size());
      x.push_back(corners[i]);
    }
    pairs.push_back(pair);
  }

  // Edges of length 2 that cross at an angle, or a point over a triangle of that height, a gap apart.
  std::array<Vec3, 4> make_narrow(double angle, double gap) {
    const Vec3 along = direction(), normal = along.cross(direction()).normalized();
    const Vec3 across = normal.cross(along);
    if (kind == PairKind::EdgeEdge) {
      const Vec3 other = (along + angle * across).normalized();
      const double shift = uniform(-0.5, 0.5);
      return {-along, along, shift * along + gap * normal - other, shift * along + gap * normal + other};
    }
    const double u = uniform(0.1, 0.9), v = uniform(0.1, 0.9) * (1 - u);
    const Vec3 b0 = -along, b1 = along, b2 = uniform(-0.9, 0.9) * along + angle * across;
    return {(1 - u - v) * b0 + u * b1 + v * b2 + gap * normal, b0, b1, b2};
  }

  PairBalls balls(size_t k) const {
    PairBalls all;
    for (size_t i = 0; i < 4; ++i) {
      all.x[i] = x[pairs[k][i]];
      all.r[i] = radii.empty() ? 0 : radii[pairs[k][i]];
    }
    return all;
  }

  // f in 113 bits, at the closest points found with as many.
  Quad measure_closely(size_t k) const {
    const PairBalls all = balls(k);
    Stencil<Quad> s;
    for (int i = 0; i < 4; ++i) {
      s.x[i] = {all.x[i][0], all.x[i][1], all.x[i][2]};
      s.r[i] = all.r[i];
    }
    const PairCoefficients<Quad> c = make_coefficients(kind, s);
    const Closest<Quad> p = find_closest(kind, c);
    return detail::medial_distance<Taper::Some>(c, p.u, p.v);
  }

  void check(const char* family) const {
    std::vector<double> f(pairs.size());
    bound_squared_gaps(kind, pairs, x, radii, f);
    for (size_t k = 0; k < f.size(); ++k) {
      ASSERT_LE(f[k], find_closest(kind, balls(k)).compute_squared()) << family << " " << k;
      ASSERT_LE(static_cast<Quad>(f[k]), measure_closely(k)) << family << " " << k;
    }
    check_closest_points(family);
  }

  // Those of the batch have the bits of a single look, on every instruction set.
  void check_closest_points(const char* family) const {
    const auto is_same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (const std::string& target : list_batch_targets()) {
      set_batch_target(target);
      std::vector<ClosestPoints> closest(pairs.size());
      find_closest_points(kind, pairs, x, radii, closest);
      for (size_t k = 0; k < pairs.size(); ++k) {
        const PairPoint single = find_closest(kind, balls(k));
        const std::array<double, 4> w = make_weights(kind, closest[k].at);
        for (size_t i = 0; i < 4; ++i) ASSERT_TRUE(is_same(w[i], single.w[i])) << target << family << k;
        for (int c = 0; c < 3; ++c)
          ASSERT_TRUE(is_same(closest[k].c[c], single.c[c])) << target << family << k;
        ASSERT_TRUE(is_same(closest[k].f, single.compute_squared())) << target << family << k;
      }
    }
    set_batch_target("");
  }
};

class SquaredGapBounds : public ::testing::TestWithParam<PairKind> {};

TEST_P(SquaredGapBounds, hold_at_every_size_and_far_from_the_origin) {
  for (const double scale : {1e-100, 1e-30, 1e-6, 1.0, 1e6, 1e30, 1e100}) {
    for (const double offset : {0.0, 1.0, 1e8}) {
      Pairs pairs(GetParam(), 1);
      for (int k = 0; k < 2000; ++k) {
        const Vec3 far = offset * pairs.vector(), apart = pairs.power(-8, 1) * pairs.vector();
        std::array<Vec3, 4> corners;
        for (int i = 0; i < 4; ++i)
          corners[i] = scale * (far + pairs.vector() + (i < 2 ? apart : Vec3::Zero()));
        pairs.add(corners);
      }
      pairs.check("random");
      for (size_t i = 0; i < pairs.x.size(); ++i) pairs.radii.push_back(scale * pairs.uniform(0, 0.3));
      pairs.check("radii");
    }
  }
}

TEST_P(SquaredGapBounds, hold_where_edges_are_parallel_and_triangles_slivers) {
  for (const double offset : {0.0, 1e3, 1e8}) {
    Pairs pairs(GetParam(), 2);
    for (int k = 0; k < 20000; ++k) {
      std::array<Vec3, 4> corners = pairs.make_narrow(pairs.power(-10, -1), pairs.power(-9, -1));
      const Vec3 far = offset * pairs.vector();
      for (Vec3& x : corners) x += far;
      pairs.add(corners);
    }
    pairs.check("narrow");
    pairs.radii.assign(pairs.x.size(), 0.0);
    for (double& r : pairs.radii) r = pairs.power(-12, -2);
    pairs.check("narrow, with radii");
  }
}

// Else it would be of no use.
TEST_P(SquaredGapBounds, are_below_by_rounding_only) {
  Pairs pairs(GetParam(), 3);
  for (int k = 0; k < 2000; ++k) {
    pairs.add(pairs.make_narrow(pairs.uniform(0.1, 1), pairs.power(-6, 0)));
  }
  std::vector<double> f(pairs.pairs.size());
  bound_squared_gaps(GetParam(), pairs.pairs, pairs.x, {}, f);
  for (size_t k = 0; k < f.size(); ++k) {
    const double exact = find_closest(GetParam(), pairs.balls(k)).compute_squared();
    // The direction between the closest points has lost digits where these are near each other.
    EXPECT_GE(f[k], exact - 2e-12 * std::sqrt(exact) - 2e-14) << k;
  }
}

TEST(SquaredGapBound, bounds_nothing_where_pairs_touch_or_are_not_numbers) {
  Pairs pairs(PairKind::EdgeEdge, 4);
  pairs.add({Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, -1, 0), Vec3(0, 1, 0)});
  pairs.add({Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 0)});
  pairs.add({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, std::nan(""), 1), Vec3(1, 1, 1)});
  pairs.add({Vec3(0, 0, 0), Vec3(1e200, 0, 0), Vec3(0, 1e200, 1e200), Vec3(1, 1e200, 1e200)});
  std::vector<double> f(pairs.pairs.size());
  bound_squared_gaps(pairs.kind, pairs.pairs, pairs.x, {}, f);
  for (const double bound : f) EXPECT_LT(bound, 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SquaredGapBounds,
                         ::testing::Values(PairKind::EdgeEdge, PairKind::PointTriangle));

}  // namespace
}  // namespace marrow
