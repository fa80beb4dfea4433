// What every collision method owes: contacts found in time, close passes let through, degenerate pairs,
// limits.
#include <gtest/gtest.h>

#include <cmath>

#include "core/options.h"
#include "geometry/ccd/additive.h"
#include "geometry/ccd/inclusion.h"

namespace marrow {
namespace {

CcdQuery make_query(PairKind kind, const std::array<Vec3, 4>& x0, const std::array<Vec3, 4>& x1,
                    double radius = 0) {
  CcdQuery query;
  query.kind = kind;
  query.x0 = x0;
  query.x1 = x1;
  query.r0.fill(radius);
  query.r1.fill(radius);
  return query;
}

// A point at height 1 falls to −1 through a triangle in the plane y = 0.
CcdQuery make_fall(double radius = 0) {
  const Vec3 a(-1, 0, -1), b(1, 0, -1), c(0, 0, 2);
  return make_query(PairKind::PointTriangle, {Vec3(0, 1, 0), a, b, c}, {Vec3(0, -1, 0), a, b, c}, radius);
}

// An edge along x falls from height 1 to −1 onto one along z.
CcdQuery make_cross(double radius = 0) {
  const Vec3 a(-1, 1, 0), b(1, 1, 0), c(0, 0, -1), d(0, 0, 1), down(0, -2, 0);
  return make_query(PairKind::EdgeEdge, {a, b, c, d}, {a + down, b + down, c, d}, radius);
}

class CcdMethods : public testing::TestWithParam<CcdMethod> {
 protected:
  CcdOptions options() const {
    CcdOptions options;
    options.method = GetParam();
    return options;
  }
  CcdResult detect(const CcdQuery& query, CcdOptions options) const {
    options.method = GetParam();
    return detect_collision(query, options);
  }
  CcdResult detect(const CcdQuery& query) const { return detect(query, options()); }
};

TEST_P(CcdMethods, straight_falls_are_hit_just_in_time) {
  for (const CcdQuery& query : {make_fall(), make_cross()}) {
    const CcdResult result = detect(query);
    ASSERT_TRUE(result.is_hit);
    EXPECT_LE(result.toi, 0.5);
    EXPECT_GE(result.toi, 0.5 - 1e-6);
  }
  for (const CcdQuery& query : {make_fall(0.1), make_cross(0.1)}) {
    const CcdResult result = detect(query);
    ASSERT_TRUE(result.is_hit);
    EXPECT_LE(result.toi, 0.4);
    EXPECT_GE(result.toi, 0.4 - 1e-6);
  }
}

TEST_P(CcdMethods, separation_counts_as_thickness) {
  CcdOptions options = this->options();
  options.min_separation = 0.2;
  for (const CcdQuery& query : {make_fall(), make_cross()}) {
    const CcdResult result = detect(query, options);
    ASSERT_TRUE(result.is_hit);
    EXPECT_LE(result.toi, 0.4);
    EXPECT_GE(result.toi, 0.4 - 1e-6);
  }
}

TEST_P(CcdMethods, growing_radii_touch_at_rest) {
  CcdQuery query = make_fall();
  query.x1 = query.x0;
  query.r1 = {0.5, 1, 1, 1};
  const CcdResult result = detect(query);
  ASSERT_TRUE(result.is_hit);
  EXPECT_LE(result.toi, 2.0 / 3);
  EXPECT_GE(result.toi, 2.0 / 3 - 1e-5);
}

TEST_P(CcdMethods, a_bound_on_time_is_kept) {
  CcdOptions options = this->options();
  options.t_max = 0.4;
  EXPECT_FALSE(detect(make_fall(), options).is_hit);
  EXPECT_FALSE(detect(make_cross(), options).is_hit);
  options.t_max = 0.5;
  EXPECT_TRUE(detect(make_fall(), options).is_hit);
  EXPECT_TRUE(detect(make_cross(), options).is_hit);
}

TEST_P(CcdMethods, a_miss_beside_is_free) {
  CcdQuery query = make_fall();
  query.x0[0][0] = query.x1[0][0] = 1.5;
  EXPECT_FALSE(detect(query).is_hit);
  query = make_cross();
  for (int i = 0; i < 2; ++i) {
    query.x0[i][0] += 1.01;
    query.x1[i][0] += 1.01;
  }
  EXPECT_FALSE(detect(query).is_hit);
}

TEST_P(CcdMethods, starts_in_contact_are_hits_at_zero) {
  CcdQuery query = make_fall();
  query.x0[0][1] = 0;
  EXPECT_TRUE(detect(query).is_hit);
  EXPECT_EQ(detect(query).toi, 0);
  query = make_cross(0.6);
  for (int i = 0; i < 2; ++i) query.x0[i][1] = query.x1[i][1] = 1;
  EXPECT_TRUE(detect(query).is_hit);
  EXPECT_EQ(detect(query).toi, 0);
}

TEST_P(CcdMethods, a_start_below_the_tolerance_may_leave) {
  CcdQuery query = make_fall();
  query.x0[0][1] = 1e-7;
  query.x1[0][1] = 1;
  EXPECT_FALSE(detect(query).is_hit);
  query = make_cross();
  for (int i = 0; i < 2; ++i) query.x0[i][1] = 1e-7, query.x1[i][1] = 1;
  EXPECT_FALSE(detect(query).is_hit);
}

TEST_P(CcdMethods, a_moment_more_is_safe_a_moment_less_is_left) {
  // What a line search does: go to the time of impact, ask again.
  CcdOptions options = this->options();
  options.keep = 0.1;
  for (CcdQuery query : {make_fall(), make_cross(), make_fall(0.2)}) {
    for (int round = 0; round < 3; ++round) {
      const CcdResult result = detect(query, options);
      ASSERT_TRUE(result.is_hit);
      ASSERT_GT(result.toi, 0);
      for (int i = 0; i < 4; ++i) query.x0[i] += result.toi * (query.x1[i] - query.x0[i]);
    }
  }
}

TEST_P(CcdMethods, degenerate_pairs_end) {
  const Vec3 o = Vec3::Zero(), x = Vec3::UnitX(), y = Vec3::UnitY();
  // Points only, parallel edges, a triangle without area, all in one line.
  const CcdQuery queries[] = {
      make_query(PairKind::EdgeEdge, {y, y, o, o}, {-y, -y, o, o}),
      make_query(PairKind::EdgeEdge, {y, y + x, o, x}, {-y, x - y, o, x}),
      make_query(PairKind::PointTriangle, {y, o, o, o}, {-y, o, o, o}),
      make_query(PairKind::PointTriangle, {y + 0.5 * x, o, x, 2 * x}, {0.5 * x - y, o, x, 2 * x}),
      make_query(PairKind::EdgeEdge, {3 * x, 4 * x, o, x}, {x, 2 * x, o, x}),
      make_query(PairKind::EdgeEdge, {o, o, o, o}, {o, o, o, o})};
  for (const CcdQuery& query : queries) EXPECT_TRUE(detect(query).is_hit);
}

TEST_P(CcdMethods, nothing_depends_on_the_scale) {
  for (const double scale : {1e-60, 1e-9, 1e9, 1e60}) {
    for (CcdQuery query : {make_fall(0.1), make_cross(0.1)}) {
      CcdOptions options = this->options();
      options.tolerance *= scale;
      for (int i = 0; i < 4; ++i) {
        query.x0[i] *= scale;
        query.x1[i] *= scale;
        query.r0[i] = query.r1[i] = 0.1 * scale;
      }
      const CcdResult result = detect(query, options);
      EXPECT_TRUE(result.is_hit) << scale;
      EXPECT_NEAR(result.toi, 0.4, 1e-5) << scale;
    }
  }
}

TEST_P(CcdMethods, a_limit_on_iterations_is_conservative) {
  CcdOptions options = this->options();
  for (const int limit : {1, 2, 3, 5}) {
    options.max_iterations = limit;
    const CcdResult result = detect(make_cross(0.05), options);
    EXPECT_TRUE(result.is_hit);
    EXPECT_LE(result.toi, 0.45);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CcdMethods,
                         testing::Values(CcdMethod::Advancement, CcdMethod::Inclusion, CcdMethod::Additive),
                         [](const auto& test) { return enum_name(test.param); });

TEST(CcdInclusion, what_is_not_a_number_is_a_hit) {
  for (const double bad : {std::nan(""), HUGE_VAL, 1e200}) {
    CcdQuery query = make_fall();
    query.x1[2][1] = bad;
    EXPECT_TRUE(detect_by_inclusion(query, {}).is_hit);
    EXPECT_EQ(detect_by_inclusion(query, {}).toi, 0);
    EXPECT_TRUE(detect_by_additive(query, {}).is_hit);
  }
}

TEST(CcdInclusion, halves_cover_their_cell) {
  for (const PairKind kind : {PairKind::EdgeEdge, PairKind::PointTriangle}) {
    const InclusionCell cell = {0.25, 0.5, {0.25, 0.75, 0.25}, {0.125, 0.125, 0.25}};
    for (int cut = 0; cut < (kind == PairKind::EdgeEdge ? 3 : 4); ++cut) {
      InclusionCell halves[2];
      ASSERT_TRUE(cut_cell(kind, cell, cut, halves));
      const auto area = [](const InclusionCell& c) {
        return (c.t1 - c.t0) *
               std::abs((c.u[1] - c.u[0]) * (c.v[2] - c.v[0]) - (c.u[2] - c.u[0]) * (c.v[1] - c.v[0]));
      };
      EXPECT_EQ(area(halves[0]), 0.5 * area(cell));
      EXPECT_EQ(area(halves[1]), 0.5 * area(cell));
    }
  }
  InclusionCell tiny = {0.5, std::nextafter(0.5, 1), {0, 1, 0}, {0, 0, 1}};
  InclusionCell halves[2];
  EXPECT_FALSE(cut_cell(PairKind::EdgeEdge, tiny, 0, halves));
}

TEST(CcdInclusion, a_verdict_never_passes_a_contact) {
  // The fall touches at t = 0.5 above the point (u, v) = (1/3, 1/3).
  const InclusionMotion motion = make_inclusion_motion(make_fall(), 0);
  const InclusionVerdict whole = judge_cell(motion, {0, 1, {0, 1, 0}, {0, 0, 1}}, 0.1);
  EXPECT_FALSE(whole.is_free);
  EXPECT_LE(whole.first_time, 0.45);
  EXPECT_GE(whole.first_time, 0.45 - 1e-12);
  EXPECT_TRUE(judge_cell(motion, {0, 0.375, {0, 1, 0}, {0, 0, 1}}, 0).is_free);
  EXPECT_TRUE(judge_cell(motion, {0, 1, {0.5, 1, 0.5}, {0, 0, 0.25}}, 0).is_free);
  EXPECT_NEAR(compute_gap_at(motion, 0.25), 0.5, 1e-15);
}

TEST(CcdAdditive, the_bound_is_below_the_gap_and_near_it) {
  const AdditiveMotion motion = make_additive_motion(make_fall(0.1), 0.05);
  EXPECT_NEAR(compute_gap_bound(motion, 0), 0.75, 1e-12);
  EXPECT_LE(compute_gap_bound(motion, 0), 0.75);
  EXPECT_GE(motion.speed, 2);
}

}  // namespace
}  // namespace marrow
