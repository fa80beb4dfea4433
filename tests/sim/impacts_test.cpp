// Where steps are split for bodies that would pass each other.
#include "sim/impacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "built_scenes.h"
#include "sim/step.h"

namespace marrow {
namespace {

using test::build_text;
using test::get_mean;

constexpr double kImpactStep = 0.01, kImpactDHat = 1e-3, kRadius = 0.1;

// Two balls, the second at this place, flying towards each other along x; and one far away.
struct Encounter {
  std::string kind = "rigid";
  Vec3 place = Vec3(0.4, 0, 0);  // of the second; the first is at 0
  double path = 0.5;             // of one as the other sees it, in the step [m]
  std::string more = {};         // of the first
  int resolution = 2;

  BuiltScene build() const {
    const std::string ball =
        fmt::format(R"("shape": {{"type": "sphere", "radius": {}, "resolution": {}}})", kRadius, resolution);
    const auto body = [&](const char* name, const Vec3& at, double speed, const std::string& fields) {
      return fmt::format(R"({{"name": "{}", "kind": "{}", {}, "position": [{}, {}, {}],
                          "velocity": [{}, 0, 0] {}}})",
                         name, kind, ball, at.x(), at.y(), at.z(), speed, fields);
    };
    const double speed = path / kImpactStep / 2;
    return build_text(fmt::format(
        R"({{"time": {{"step": {}, "duration": {}}}, "gravity": [0, 0, 0], "contact": {{"d_hat": {}}},
            "bodies": [{}, {}, {}]}})",
        kImpactStep, kImpactStep, kImpactDHat, body("first", Vec3::Zero(), speed, more),
        body("second", place, -speed, ""), body("far", Vec3(0, 100, 0), 7, "")));
  }
};

// The first part of the step, and the smallest gap after a share of the free flight; infinite beyond d̂.
struct FirstPart {
  BuiltScene built;
  StepTerms terms;
  double part;

  explicit FirstPart(const Encounter& encounter)
      : built(encounter.build()),
        terms(built.model),
        part(find_first_part(terms, {kImpactStep, kImpactStep}, built.state)) {}

  double find_gap(double share) {
    return terms.contact.compute_gap(built.state.nodes + share * kImpactStep * built.state.velocities);
  }
  double half_width() const { return std::min(terms.sizes[0].half_width, terms.sizes[1].half_width); }
};

// Without parts they fly around each other: nothing intersects, and nothing has happened. An inelastic impact
// takes all of the speed along the line between the centres; half of it must be gone (decision 21).
void expect_stopped(const Encounter& encounter) {
  BuiltScene built = encounter.build();
  const double energy = compute_energies(built.model, built.state).kinetic;
  const Vec3 momentum = compute_momentum(built.model, built.state);
  const auto find_speed = [&] {
    const VecX& v = built.state.velocities;
    return (get_mean(built.model, v, 0) - get_mean(built.model, v, 1)).x();
  };
  const double speed = find_speed();
  StepTerms terms(built.model);
  const StepReport report = take_step(terms, built.state);
  ASSERT_TRUE(is_success(report.newton.verdict));
  const double sine = encounter.place.y() / (2 * kRadius);
  EXPECT_LT(find_speed(), speed - 0.5 * speed * (1 - sine * sine)) << encounter.path;
  EXPECT_LE(report.energies.kinetic + report.energies.elastic, energy * (1 + 1e-4)) << encounter.path;
  // Forces balance to a thousandth of what accelerates the balls.
  EXPECT_LE((report.momentum - momentum).norm(), 1e-3 * std::sqrt(2 * energy)) << encounter.path;
}

class Impacts : public testing::TestWithParam<const char*> {
 protected:
  static Encounter make() { return {.kind = GetParam()}; }
};

INSTANTIATE_TEST_SUITE_P(Kinds, Impacts, testing::Values("rigid", "affine", "soft"),
                         [](const auto& kind) { return std::string(kind.param); });

}  // namespace

TEST_P(Impacts, head_on_the_first_part_ends_where_the_balls_come_within_d_hat) {
  FirstPart first(make());
  EXPECT_NEAR(first.part, (0.2 - kImpactDHat) / 0.5, 1e-9);  // corners of the balls meet
  EXPECT_EQ(first.find_gap(first.part - 1e-9), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(first.find_gap(first.part + 1e-9), kImpactDHat, 1e-8);
}

TEST_P(Impacts, offset_balls_meet_later_and_are_split_where_they_do) {
  Encounter encounter = make();
  const double head_on = FirstPart(encounter).part;
  encounter.place.y() = kRadius;
  FirstPart first(encounter);
  EXPECT_GT(first.part,
            head_on + 0.01);  // spheres of that offset: √3 instead of 2 radii apart, 0.05 of 0.5 m
  EXPECT_LT(first.part, 1);
  EXPECT_NEAR(first.find_gap(first.part + 1e-9), kImpactDHat, 1e-8);
}

TEST_P(Impacts, balls_that_pass_or_do_not_arrive_are_not_split) {
  Encounter passing = make(), slow = make(), late = make(), leaving = make();
  passing.place.y() = 2 * kRadius + 2 * kImpactDHat;
  slow.place.x() = 2 * kRadius + 2 * kImpactDHat;
  slow.path = 0.3 * kRadius;  // less than half of the half-width
  late.path = 0.15;           // of 0.2 m
  leaving.place.x() = 2 * kRadius + 2 * kImpactDHat;
  leaving.path = -0.5;
  for (const Encounter& encounter : {passing, slow, late, leaving}) {
    EXPECT_EQ(FirstPart(encounter).part, 1) << encounter.place.transpose() << " " << encounter.path;
  }
}

// They pass with their highest points; the faces there are inclined by 0.2 at most, and 0.04 m of the path
// are left: less than a tenth of the half-width. The same path a little lower is an impact.
TEST_P(Impacts, a_glancing_touch_splits_no_step) {
  Encounter glancing = make();
  glancing.resolution = 4;
  glancing.place = Vec3(0.11, 1.99 * kRadius, 0);
  glancing.path = 0.15;
  Encounter deeper = glancing;
  deeper.place.y() = 1.8 * kRadius;
  EXPECT_EQ(FirstPart(glancing).part, 1);
  EXPECT_LT(FirstPart(deeper).part, 1);
}

TEST_P(Impacts, balls_that_touch_at_first_go_a_quarter_of_their_half_width_on) {
  Encounter encounter = make();
  encounter.place.x() = 2 * kRadius + 0.5 * kImpactDHat;
  FirstPart first(encounter);
  ASSERT_LT(first.find_gap(0), kImpactDHat);
  EXPECT_NEAR(first.part, 0.25 * first.half_width() / encounter.path, 1e-9);
}

TEST_P(Impacts, a_meeting_close_by_is_gone_over_at_once) {
  Encounter encounter = make();
  encounter.place.x() =
      2 * kRadius + kImpactDHat + 0.05 * kRadius;  // less than a tenth of the half-width to go
  FirstPart first(encounter);
  const double over = 0.25 * first.half_width() / encounter.path;
  EXPECT_GT(first.part, over);
  EXPECT_LT(first.part, over + 0.1 * first.half_width() / encounter.path);
}

TEST_P(Impacts, parts_of_a_step_add_up_to_it) {
  BuiltScene built = make().build();
  const Vec3 start = get_mean(built.model, built.state.nodes, 2);
  StepTerms terms(built.model);
  const StepReport report = take_step(terms, built.state);
  ASSERT_TRUE(is_success(report.newton.verdict));
  EXPECT_GE(report.substeps, 3);  // to the meeting, over it, the rest
  EXPECT_EQ(report.time, kImpactStep);
  // What meets nothing has flown as if the step were one.
  const Vec3 prediction = get_mean(built.model, built.state.nodes, 2) - start;
  EXPECT_LE((prediction - Vec3(7 * kImpactStep, 0, 0)).norm(), 1e-12);
}

TEST_P(Impacts, balls_stop_each_other) {
  for (const double offset : {0.0, 0.5}) {
    Encounter encounter = make();
    encounter.place.y() = offset * kRadius;
    expect_stopped(encounter);
  }
}

// A prescribed ball, with a velocity of its own or at rest, meets the other where a free one would.
TEST(ImpactsOfOneKind, a_prescribed_ball_is_met_where_it_is_then) {
  const char* const moved = R"(, "prescribed": [{"select": {"all": true}, "velocity": [25, 0, 0]}])";
  EXPECT_NEAR(FirstPart({.kind = "soft", .more = moved}).part, (0.2 - kImpactDHat) / 0.5, 1e-9);
  const char* const alone = R"(, "prescribed": [{"select": {"all": true}, "velocity": [50, 0, 0]}])";
  EXPECT_NEAR(FirstPart({.kind = "soft", .path = 0, .more = alone}).part, (0.2 - kImpactDHat) / 0.5, 1e-9);
  const char* const held = R"(, "prescribed": [{"select": {"all": true}}])";
  EXPECT_NEAR(FirstPart({.kind = "soft", .more = held}).part, (0.2 - kImpactDHat) / 0.25, 1e-9);
}

// An obstacle that flies at a ball takes it along: without parts it flies around, and the ball stays.
TEST_P(Impacts, an_obstacle_at_three_diameters_a_step_hits_the_ball) {
  const bool is_soft = std::string(GetParam()) == "soft";
  for (const double offset : {0.0, 0.05, 0.1}) {
    BuiltScene built = build_text(fmt::format(
        R"({{"time": {{"step": 0.01}}, "gravity": [0, 0, 0], "bodies": [
             {{"kind": "{}", "shape": {{"type": "sphere", "radius": 0.1, "resolution": 2}} {}}},
             {{"kind": "obstacle", "shape": {{"type": "sphere", "radius": 0.1, "resolution": 2}},
              "position": [-0.215, {}, 0], "prescribed": [{{"select": {{"all": true}}, "velocity": [60, 0, 0]}}]}}]}})",
        GetParam(), is_soft ? R"(, "material": {"youngs_modulus": 1e8})" : "", offset));
    StepTerms terms(built.model);
    ASSERT_TRUE(is_success(take_step(terms, built.state).newton.verdict));
    // Along the line between the centres the ball is as fast as the obstacle, or faster where it is elastic;
    // faces of the balls are not spheres.
    const double sine = offset / 0.2;
    const double least = 60 * (1 - sine * sine);
    const double speed = get_mean(built.model, built.state.velocities, 0).x();
    EXPECT_GT(speed, 0.8 * least) << offset;
    EXPECT_LT(speed, (is_soft ? 2.0 : 1.1) * least) << offset;
  }
}

// However fast: the part over a meeting is as short as that takes.
TEST(ImpactsOfOneKind, very_fast_balls_stop_each_other_and_gain_no_energy) {
  for (const double diameters : {150, 250, 5000}) {
    const double path = 2 * kRadius * diameters;
    expect_stopped({.place = Vec3(0.4, 0.5 * kRadius, 0), .path = path});
    expect_stopped({.place = Vec3(3, kRadius, 0), .path = path});
  }
}

TEST(ImpactsOfOneKind, without_inertia_or_contact_no_step_is_split) {
  BuiltScene built = Encounter().build();
  ASSERT_LT(FirstPart(Encounter()).part, 1);
  built.model.time.integrator = Integrator::QuasiStatic;
  StepTerms still(built.model);
  EXPECT_EQ(find_first_part(still, {kImpactStep, kImpactStep}, built.state), 1);
  built.model.time.integrator = Integrator::ImplicitEuler;
  built.model.contact.is_enabled = false;
  StepTerms apart(built.model);
  EXPECT_EQ(find_first_part(apart, {kImpactStep, kImpactStep}, built.state), 1);
}

}  // namespace marrow
