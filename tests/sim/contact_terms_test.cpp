// Contact as a step sees it: how stiff it is, and where bodies that start close by begin to act.
#include "sim/terms/contact_terms.h"

#include <gtest/gtest.h>

#include <limits>

#include "built_scenes.h"
#include "sim/step.h"

namespace marrow {
namespace {

using test::build_text;

constexpr double kDHat = 1e-3, kStep = 0.01;

// Two cubes of 0.2 m, one above the other, as far apart as one asks.
struct Cubes {
  BuiltScene built;
  std::unique_ptr<StepTerms> terms;

  explicit Cubes(const std::vector<std::string>& overrides = {})
      : built(
            build_text(fmt::format(
                           R"({{"time": {{"step": {}, "duration": 1}}, "contact": {{"d_hat": {}}}, "bodies": [
            {{"name": "low", "kind": "rigid", "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1,
              "cells_y": 1, "cells_z": 1}}, "material": {{"density": 1000}}}},
            {{"name": "high", "kind": "rigid", "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1,
              "cells_y": 1, "cells_z": 1}}, "material": {{"density": 1000}}, "position": [0, 1, 0]}}]}})",
                           kStep, kDHat),
                       overrides)),
        terms(std::make_unique<StepTerms>(built.model)) {}

  VecX place(double gap) const {
    VecX n = built.state.nodes;
    const Body& high = built.model.kinematics.bodies[1];
    for (Index i = high.first_node; i < high.first_node + high.node_count; ++i) n[3 * i + 1] += gap - 0.8;
    return n;
  }
  ContactTerms& contact() { return terms->contact; }
  Barrier& barrier() { return terms->contact.barrier(); }
  double stiffness() { return barrier().stiffness(); }

  // Begins a step there; κ is the least one, or the scene's.
  double start(double gap, double scale = kStep * kStep,
               const std::vector<PairActivation>& activations = {}) {
    contact().start_step({place(gap), VecX::Zero(built.state.nodes.size()), {}}, kStep, scale, activations);
    return stiffness();
  }
  // The gradient of the barrier of stiffness 1.
  VecX compute_unit_gradient(double gap) {
    VecX g = VecX::Zero(built.state.nodes.size());
    barrier().set_stiffness(1);
    barrier().add_gradient(place(gap), 1, g);
    return g;
  }
  // Nodes of the lower cube.
  std::vector<char> flag_low() const {
    std::vector<char> flags(static_cast<size_t>(built.model.kinematics.node_count), 0);
    const Body& low = built.model.kinematics.bodies[0];
    for (Index i = low.first_node; i < low.first_node + low.node_count; ++i) flags[i] = 1;
    return flags;
  }
  std::vector<char> flag_none() const { return std::vector<char>(flag_low().size(), 0); }

  double find_tiny_gap() const { return std::min(1e-9 * built.model.contact.reference_length, 1e-3 * kDHat); }
};

}  // namespace

TEST(ChooseStiffness, balances_the_barrier_with_the_other_forces) {
  Cubes cubes;
  const double least = cubes.start(0.5 * kDHat);
  const VecX unit = cubes.compute_unit_gradient(0.5 * kDHat);
  ASSERT_GT(unit.norm(), 0);
  cubes.contact().choose_stiffness(cubes.place(0.5 * kDHat), -7 * least * unit, cubes.flag_none());
  EXPECT_NEAR(cubes.stiffness() / least, 7, 1e-12);
  // Forces at right angles do not change what balances best.
  VecX others = -7 * least * unit;
  for (Index i = 0; i < others.size(); i += 3) others[i] += 1e3 * unit.norm();
  cubes.contact().choose_stiffness(cubes.place(0.5 * kDHat), others, cubes.flag_none());
  EXPECT_NEAR(cubes.stiffness() / least, 7, 1e-9);
}

TEST(ChooseStiffness, stays_between_the_least_and_a_hundred_times_that) {
  Cubes cubes;
  const double least = cubes.start(0.5 * kDHat);
  const VecX unit = cubes.compute_unit_gradient(0.5 * kDHat);
  const auto choose = [&](double balanced) {
    cubes.contact().choose_stiffness(cubes.place(0.5 * kDHat), -balanced * least * unit, cubes.flag_none());
    return cubes.stiffness() / least;
  };
  EXPECT_EQ(choose(0.5), 1);
  EXPECT_EQ(choose(-3), 1);  // they draw the bodies apart
  EXPECT_NEAR(choose(99), 99, 1e-9);
  EXPECT_EQ(choose(101), 100);
}

TEST(ChooseStiffness, leaves_out_what_is_prescribed) {
  Cubes cubes;
  const double least = cubes.start(0.5 * kDHat);
  const VecX unit = cubes.compute_unit_gradient(0.5 * kDHat);
  const std::vector<char> is_low = cubes.flag_low();
  VecX others = -7 * least * unit;
  for (size_t i = 0; i < is_low.size(); ++i) {
    if (is_low[i]) others.segment<3>(3 * static_cast<Index>(i)) *= 5;
  }
  cubes.contact().choose_stiffness(cubes.place(0.5 * kDHat), others, is_low);
  EXPECT_NEAR(cubes.stiffness() / least, 7, 1e-12);
  cubes.contact().choose_stiffness(cubes.place(0.5 * kDHat), others, cubes.flag_none());
  EXPECT_GT(cubes.stiffness() / least, 10);
}

TEST(ChooseStiffness, is_the_least_one_where_nothing_touches) {
  Cubes cubes;
  const double least = cubes.start(2 * kDHat);
  EXPECT_GT(least, 0);
  cubes.contact().choose_stiffness(cubes.place(2 * kDHat), VecX::Ones(cubes.built.state.nodes.size()),
                                   cubes.flag_none());
  EXPECT_EQ(cubes.stiffness(), least);
}

TEST(LeastStiffness, follows_the_lighter_of_two_bodies) {
  const double usual = Cubes().start(kDHat);
  EXPECT_NEAR(Cubes({"bodies[1].material.density=8000"}).start(kDHat) / usual, 1, 1e-12);
  EXPECT_NEAR(Cubes({"bodies[1].material.density=125"}).start(kDHat) / usual, 0.125, 1e-12);
}

TEST(LeastStiffness, is_that_of_the_scene_where_it_gives_one) {
  Cubes cubes({"contact.kappa=12"});
  EXPECT_NEAR(cubes.start(0.5 * kDHat, 0.25), 3, 1e-15);
}

TEST(WatchIteration, doubles_the_stiffness_while_tiny_gaps_shrink) {
  Cubes cubes;
  const double tiny = cubes.find_tiny_gap();
  const double least = cubes.start(0.9 * tiny);
  ASSERT_LE(cubes.contact().compute_gap(cubes.place(0.9 * tiny)), 0.91 * tiny);
  const auto watch = [&](double gap) {
    const bool is_changed = cubes.contact().watch_iteration(cubes.place(gap * tiny), {});
    return std::pair(is_changed, cubes.stiffness() / least);
  };
  EXPECT_EQ(watch(0.8), std::pair(true, 2.0));
  EXPECT_EQ(watch(0.8), std::pair(false, 2.0));  // as large as it was
  EXPECT_EQ(watch(0.9), std::pair(false, 2.0));
  EXPECT_EQ(watch(0.7), std::pair(true, 4.0));
  EXPECT_EQ(watch(1.5), std::pair(false, 4.0));
  EXPECT_EQ(watch(0.9), std::pair(false, 4.0));  // the gap before was not tiny
  EXPECT_EQ(watch(0.8), std::pair(true, 8.0));
}

TEST(WatchIteration, leaves_the_stiffness_where_gaps_are_not_tiny_or_the_scene_gives_it) {
  Cubes wide, given({"contact.kappa=12"});
  const double tiny = wide.find_tiny_gap();
  const double least = wide.start(3 * tiny), fixed = given.start(0.9 * tiny);
  for (const double gap : {0.8, 0.7, 0.6}) {
    EXPECT_FALSE(wide.contact().watch_iteration(wide.place(3 * gap * tiny), {})) << gap;
    EXPECT_FALSE(given.contact().watch_iteration(given.place(gap * tiny), {})) << gap;
  }
  EXPECT_EQ(wide.stiffness(), least);
  EXPECT_EQ(given.stiffness(), fixed);
}

TEST(WatchIteration, ends_at_a_hundred_million_times_the_least) {
  Cubes cubes;
  const double tiny = cubes.find_tiny_gap();
  const double least = cubes.start(0.9 * tiny);
  for (int k = 1; k <= 40; ++k) cubes.contact().watch_iteration(cubes.place((0.9 - 0.01 * k) * tiny), {});
  EXPECT_NEAR(cubes.stiffness() / least, 1e8, 1);
}

TEST(Activations, begin_at_the_gap_of_the_first_step_grow_and_disappear) {
  Cubes cubes;
  std::vector<PairActivation> activations;
  const auto update = [&](double gap, bool is_first) {
    cubes.contact().update_activations(cubes.place(gap * kDHat), is_first, activations);
    return activations.empty() ? 0 : activations[0].d_hat / kDHat;
  };
  EXPECT_NEAR(update(0.3, true), 0.3, 1e-9);
  ASSERT_EQ(activations.size(), 1u);
  EXPECT_EQ(activations[0].a, 0);
  EXPECT_EQ(activations[0].b, 1);
  const double first = activations[0].d_hat;
  update(0.2, false);
  EXPECT_EQ(activations[0].d_hat, first);  // pressed together it stays
  EXPECT_NEAR(update(0.5, false), 0.5, 1e-9);
  EXPECT_NEAR(update(0.4, false), 0.5, 1e-9);
  EXPECT_NEAR(update(0.99, false), 0.99, 1e-9);
  EXPECT_EQ(update(1.01, false), 0);
  EXPECT_EQ(update(0.5, false), 0);  // once it is gone there is nothing to remember
}

TEST(Activations, are_none_where_bodies_start_beyond_d_hat) {
  Cubes cubes;
  std::vector<PairActivation> activations = {{0, 1, 0.5 * kDHat}};  // of another run
  cubes.contact().update_activations(cubes.place(1.01 * kDHat), true, activations);
  EXPECT_TRUE(activations.empty());
}

TEST(Activations, are_at_least_a_hundredth_of_d_hat) {
  Cubes cubes;
  std::vector<PairActivation> activations;
  cubes.contact().update_activations(cubes.place(1e-4 * kDHat), true, activations);
  ASSERT_EQ(activations.size(), 1u);
  EXPECT_NEAR(activations[0].d_hat / kDHat, 0.01, 1e-12);
}

TEST(Activations, store_no_energy_and_act_when_bodies_come_nearer) {
  Cubes cubes;
  std::vector<PairActivation> activations;
  const double gap = 0.3 * kDHat;
  cubes.start(gap);
  EXPECT_GT(cubes.barrier().compute_value(cubes.place(gap)), 0);
  EXPECT_GT(cubes.compute_unit_gradient(gap).norm(), 0);
  cubes.contact().update_activations(cubes.place(gap), true, activations);
  cubes.start(gap, kStep * kStep, activations);
  const double nearer = cubes.barrier().compute_value(cubes.place(0.9 * gap));
  EXPECT_GT(nearer, 0);
  // But for the rounding of the gap.
  EXPECT_LE(cubes.barrier().compute_value(cubes.place(gap)), 1e-12 * nearer);
}

// 0.05, 0.72 and 6.9 m/s without (decision 22).
TEST(Activations, do_not_throw_up_a_box_that_starts_close_to_the_floor) {
  for (const double h : {0.01, 0.001, 0.0001}) {
    BuiltScene built = build_text(fmt::format(
        R"({{"time": {{"step": {}, "duration": {}}}, "contact": {{"d_hat": {}}}, "bodies": [
          {{"name": "floor", "kind": "obstacle", "shape": {{"type": "box", "size": [1, 0.2, 1], "cells_x": 1,
            "cells_y": 1, "cells_z": 1}}, "position": [0, -0.1, 0]}},
          {{"name": "box", "kind": "rigid", "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1,
            "cells_y": 1, "cells_z": 1}}, "position": [0, {}, 0]}}]}})",
        h, 20 * h, kDHat, 0.1 + 0.1 * kDHat));
    StepTerms terms(built.model);
    double before = 0;
    for (int k = 0; k < 20; ++k) {
      const StepReport report = take_step(terms, built.state);
      ASSERT_TRUE(is_success(report.newton.verdict));
      EXPECT_LE(test::get_mean(built.model, built.state.velocities, 1).y(), 1e-3) << h;
      EXPECT_GT(report.smallest_gap, 0) << h;
      ASSERT_EQ(built.state.activations.size(), 1u) << h;
      EXPECT_GE(built.state.activations[0].d_hat, before) << h;
      before = built.state.activations[0].d_hat;
    }
    EXPECT_NEAR(before, 0.1 * kDHat, 0.01 * kDHat) << h;
  }
}

}  // namespace marrow
