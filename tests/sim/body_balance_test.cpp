// What forces are compared with, in steps of whole scenes.
#include "sim/terms/body_balance.h"

#include <gtest/gtest.h>

#include "built_scenes.h"
#include "sim/step.h"

namespace marrow {
namespace {

using test::build_text;

// Other units: one metre, kilogram and second are so many of them.
struct Units {
  double length = 1, mass = 1, time = 1;
};

// A box slides down a little onto a floor, with everything that has a unit written in these.
BuiltScene build_slide(const char* kind, const Units& u) {
  const double L = u.length;
  const auto box = [&](double x, double y, double z) {
    return fmt::format(
        R"("shape": {{"type": "box", "size": [{:.17g}, {:.17g}, {:.17g}], "cells_x": 2, "cells_y": 2,
                        "cells_z": 2}})",
        x * L, y * L, z * L);
  };
  return build_text(fmt::format(
      R"({{"time": {{"step": {:.17g}, "duration": {:.17g}}}, "gravity": [0, {:.17g}, 0],
        "solver": {{"tolerance": {:.17g}}}, "contact": {{"friction": 0.25, "epsilon_v_relative": {:.17g}}}, "bodies": [
        {{"name": "floor", "kind": "obstacle", {}, "position": [0, {:.17g}, 0]}},
        {{"name": "box", "kind": "{}", {}, "position": [0, {:.17g}, 0], "velocity": [{:.17g}, {:.17g}, 0],
          "angular_velocity": [0, 0, {:.17g}], "material": {{"density": {:.17g} {} }}}}]}})",
      0.015625 * u.time, 0.25 * u.time, -8 * L / (u.time * u.time), 0.0009765625 / u.time,
      0.0009765625 / u.time, box(4, 0.25, 4), -0.125 * L, kind, box(0.25, 0.25, 0.5), 0.1875 * L,
      0.5 * L / u.time, -0.5 * L / u.time, 1 / u.time, 512 * u.mass / (L * L * L),
      std::string(kind) == "soft"
          ? fmt::format(R"(, "youngs_modulus": {:.17g})", 131072 * u.mass / (L * u.time * u.time))
          : std::string()));
}

struct Slide {
  VecX nodes;
  std::vector<int> iterations;
  size_t contacts = 0;
};

Slide run_slide(const char* kind, const Units& units) {
  BuiltScene built = build_slide(kind, units);
  Slide slide;
  RunHooks hooks;
  hooks.on_step = [&](const State&, const StepReport& report) {
    slide.iterations.push_back(report.newton.iterations);
    slide.contacts += report.contacts;
  };
  EXPECT_EQ(simulate(built.model, built.state, hooks).end, RunEnd::Finished);
  slide.nodes = built.state.nodes / units.length;
  return slide;
}

}  // namespace

// Units that are powers of two change no digit: were any number on the way not in units of the scene, the
// solves would end elsewhere.
TEST(BodyBalance, a_motion_is_the_same_in_other_units_to_the_last_bit) {
  for (const char* kind : {"rigid", "soft"}) {
    const Slide expected = run_slide(kind, {});
    ASSERT_GT(expected.contacts, 0u) << kind;
    for (const Units units : {Units{.length = 8}, Units{.mass = 1024}, Units{.time = 0.25}}) {
      const Slide found = run_slide(kind, units);
      EXPECT_EQ(found.iterations, expected.iterations) << kind << " " << units.length << " " << units.mass;
      EXPECT_EQ(found.nodes, expected.nodes) << kind << " " << units.length << " " << units.mass;
    }
  }
}

// Without contact a body in free fall is where gravity leads before the first iteration.
TEST(BodyBalance, free_fall_takes_no_iteration) {
  for (const char* kind : {"rigid", "affine", "soft"}) {
    BuiltScene built = build_text(fmt::format(
        R"({{"bodies": [{{"name": "box", "kind": "{}", "shape": {{"type": "box", "cells_x": 1, "cells_y": 1,
          "cells_z": 1}}, "velocity": [1, 2, 3]}}]}})",
        kind));
    StepTerms terms(built.model);
    const StepReport report = take_step(terms, built.state);
    EXPECT_EQ(report.newton.verdict, Verdict::Converged) << kind;
    EXPECT_EQ(report.newton.iterations, 0) << kind;
  }
}

TEST(BodyBalance, a_load_heavier_than_the_weight_is_what_forces_are_compared_with) {
  const auto assess = [](const std::string& force) {
    BuiltScene built = build_text(fmt::format(
        R"({{"bodies": [{{"name": "box", "kind": "rigid", "shape": {{"type": "box", "cells_x": 1, "cells_y": 1,
          "cells_z": 1}}, "material": {{"density": 1}}, "forces": [{}]}}]}})",
        force));
    StepTerms terms(built.model);
    const StepPlan plan = get_implicit_euler().plan(built.model, terms.is_prescribed, built.state, 0.01);
    start_part(terms, plan, {0.01, 0.01}, built.state);
    VecX g = VecX::Zero(12);
    g[0] = 1;
    return build_balance(terms, plan, built.state).assess(built.state.nodes, g).body;
  };
  const double weight = 9.81;  // of 1 kg
  const double plain = assess("");
  const double light = assess(R"({"select": {"all": true}, "force": [4, 0, 0]})");
  const double strong = assess(R"({"select": {"all": true}, "force": [98.1, 0, 0]})");
  EXPECT_NEAR(light / plain, 1, 1e-9);
  EXPECT_NEAR(strong / plain, weight / 98.1, 1e-9);
}

}  // namespace marrow
