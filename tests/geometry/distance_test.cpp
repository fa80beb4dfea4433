// Distances of simplices with radii: no missed minimum, duality, derivatives in every region.
#include "geometry/distance/distance.h"

#include <gtest/gtest.h>

#include <map>

#include "geometry/distance/gap.h"
#include "geometry/distance/mollifier.h"
#include "pair_samples.h"

namespace marrow {
namespace {

using test::kPairKinds;
using test::PairFamily;
using test::PairSampler;

// f or g at given parameters, straight from the definition.
double sample(PairKind kind, const PairBalls& b, double u, double v, bool is_gap) {
  const PairPoint p = make_point(shape_of(kind), b, make_weights(kind, {u, v, 1 - u - v}));
  return is_gap ? p.compute_gap() : p.compute_squared();
}

// The least over a grid that includes corners and edges.
double search(PairKind kind, const PairBalls& b, bool is_gap) {
  constexpr int kCells = 40;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kCells; ++i) {
    for (int j = 0; j <= (kind == PairKind::EdgeEdge ? kCells : kCells - i); ++j) {
      best = std::min(best, sample(kind, b, double(i) / kCells, double(j) / kCells, is_gap));
    }
  }
  return best;
}

// f at the closest points after moving one coordinate; the region must stay.
struct Probe {
  PairKind kind;
  PairBalls balls;
  Region region;
  bool has_left = false;

  double operator()(int k, double t) {
    PairBalls moved = balls;
    moved.x[k / 3][k % 3] += t;
    const PairPoint p = find_closest(kind, moved);
    has_left |= p.region != region;
    return p.compute_squared();
  }
  Vec12 gradient(int k, double t) {
    PairBalls moved = balls;
    moved.x[k / 3][k % 3] += t;
    const PairPoint p = find_closest(kind, moved);
    has_left |= p.region != region;
    return compute_squared_gradient(p);
  }
};

}  // namespace

TEST(Distance, no_sampled_point_is_closer_than_the_minimum) {
  for (const PairKind kind : kPairKinds) {
    for (const PairFamily& family : PairSampler(kind).make_families(400)) {
      const double tolerance = 1e-12 * family.scale * family.scale;
      for (const PairBalls& b : family.pairs) {
        ASSERT_LE(find_closest(kind, b).compute_squared(), search(kind, b, false) + tolerance) << family.name;
        ASSERT_LE(find_gap(kind, b).compute_gap(), search(kind, b, true) + 1e-12 * family.scale)
            << family.name;
      }
    }
  }
}

TEST(Distance, squared_distance_and_gap_have_the_same_sign) {
  for (const PairKind kind : kPairKinds) {
    for (const PairFamily& family : PairSampler(kind).make_families(2000)) {
      for (const PairBalls& b : family.pairs) {
        const double f = find_closest(kind, b).compute_squared(), g = find_gap(kind, b).compute_gap();
        if (std::abs(g) < 1e-12 * family.scale) continue;
        ASSERT_EQ(f > 0, g > 0) << family.name;
      }
    }
  }
}

TEST(Distance, the_certificate_of_the_closest_direction_equals_the_gap) {
  for (const PairKind kind : kPairKinds) {
    for (const PairFamily& family : PairSampler(kind).make_families(2000)) {
      for (const PairBalls& b : family.pairs) {
        const PairPoint p = find_gap(kind, b);
        if (p.compute_gap() < 1e-3 * family.scale) continue;
        const double certificate = compute_certificate(shape_of(kind), b, p.c.normalized());
        ASSERT_NEAR(certificate, p.compute_gap(), 1e-11 * family.scale) << family.name;
      }
    }
  }
}

TEST(Distance, any_direction_certifies_no_more_than_the_gap) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const PairKind kind : kPairKinds) {
    for (const PairFamily& family : PairSampler(kind).make_families(300)) {
      for (const PairBalls& b : family.pairs) {
        const Vec3 n = Vec3(normal(random), normal(random), normal(random)).normalized();
        ASSERT_LE(compute_certificate(shape_of(kind), b, n),
                  find_gap(kind, b).compute_gap() + 1e-12 * family.scale);
      }
    }
  }
}

TEST(Distance, weights_are_barycentric_and_the_region_lists_them) {
  for (const PairKind kind : kPairKinds) {
    for (const PairFamily& family : PairSampler(kind).make_families(500)) {
      for (const PairBalls& b : family.pairs) {
        const PairPoint p = find_closest(kind, b);
        double front = 0, back = 0;
        for (int i = 0; i < 4; ++i) {
          const bool is_front = i < front_count(kind);
          ASSERT_GE(is_front ? p.w[i] : -p.w[i], 0);
          (is_front ? front : back) += p.w[i];
          ASSERT_EQ((p.region >> i & 1) != 0, p.w[i] != 0);
        }
        ASSERT_NEAR(front, 1, 1e-14);
        ASSERT_NEAR(back, -1, 1e-14);
      }
    }
  }
}

TEST(Distance, derivatives_agree_with_differences_in_every_region) {
  for (const PairKind kind : kPairKinds) {
    std::map<Region, int> seen;
    for (const PairFamily& family : PairSampler(kind).make_families(300)) {
      if (family.name == "coincident" || family.name == "zero length") continue;
      for (const PairBalls& b : family.pairs) {
        const PairPoint p = find_closest(kind, b);
        if (p.c.norm() < 0.05 * family.scale) continue;
        const FreeDirections d = make_directions(shape_of(kind), b, p.region);
        const Mat12 H = compute_squared_hessian(p, compute_schur_factor(p, d));
        if (H.norm() > 100) continue;  // nearly degenerate: differences are useless
        const Vec12 g = compute_squared_gradient(p);
        Probe probe{kind, b, p.region};
        const double h = 1e-4 * family.scale;
        Vec12 difference;
        Mat12 difference_hessian;
        for (int k = 0; k < 12; ++k) {
          difference[k] =
              (8 * (probe(k, h) - probe(k, -h)) - (probe(k, 2 * h) - probe(k, -2 * h))) / (12 * h);
          difference_hessian.col(k) = (8 * (probe.gradient(k, h) - probe.gradient(k, -h)) -
                                       (probe.gradient(k, 2 * h) - probe.gradient(k, -2 * h))) /
                                      (12 * h);
        }
        if (probe.has_left) continue;
        ++seen[p.region];
        ASSERT_LE((g - difference).norm(), 1e-7 * (g.norm() + family.scale)) << family.name;
        ASSERT_LE((H - difference_hessian).norm(), 1e-5 * (1 + H.norm()))
            << family.name << " region " << int(p.region);
      }
    }
    // Edge–edge: 4 corner pairs, 4 corner–edge, interior; point–triangle: 3 corners, 3 edges, interior.
    EXPECT_EQ(seen.size(), kind == PairKind::EdgeEdge ? 9u : 7u);
    for (const auto& [region, count] : seen) EXPECT_GE(count, 10) << int(region);
  }
}

TEST(Mollifier, derivatives_agree_with_differences_on_the_ramp) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  int checked = 0;
  for (int k = 0; k < 3000; ++k) {
    PairBalls b;
    const Vec3 d = Vec3(normal(random), normal(random), normal(random)).normalized();
    const Vec3 tilt = 0.02 * Vec3(normal(random), normal(random), normal(random));
    b.x = {Vec3(0, 0, 0), d, Vec3(0.1, 0.2, 0.5), Vec3(Vec3(0.1, 0.2, 0.5) + d + tilt)};
    if (k % 2 == 1) b.r = {0.1, 0.102, 0.2, 0.203};
    const double threshold = 1e-3;
    const Mollifier m = compute_mollifier(b, threshold);
    if (!m.is_ramp || m.value < 0.05 || m.value > 0.95) continue;
    ++checked;
    const MollifierDerivatives e = compute_mollifier_derivatives(b, threshold);
    EXPECT_NEAR(e.value, m.value, 1e-12);
    const double h = 1e-6;
    for (int c = 0; c < 12; ++c) {
      const auto value = [&](double t) {
        PairBalls moved = b;
        moved.x[c / 3][c % 3] += t;
        return compute_mollifier_derivatives(moved, threshold);
      };
      const double slope = (value(h).value - value(-h).value) / (2 * h);
      ASSERT_NEAR(e.gradient[c], slope, 1e-4 * (1 + e.gradient.norm()));
      const Vec12 column = (value(h).gradient - value(-h).gradient) / (2 * h);
      ASSERT_LE((e.hessian.col(c) - column).norm(), 1e-4 * (1 + e.hessian.norm()));
    }
  }
  EXPECT_GT(checked, 200);
}

TEST(Mollifier, is_off_for_parallel_and_one_for_crossed_edges) {
  PairBalls b;
  b.x = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1), Vec3(1, 0, 1)};
  EXPECT_EQ(compute_mollifier(b, compute_mollifier_threshold(b)).value, 0);
  b.x[3] = Vec3(0, 1, 1);
  EXPECT_EQ(compute_mollifier(b, compute_mollifier_threshold(b)).value, 1);
  b.x[3] = b.x[2];  // an edge without length never acts
  EXPECT_EQ(compute_mollifier(b, compute_mollifier_threshold(b)).value, 0);
}

}  // namespace marrow
