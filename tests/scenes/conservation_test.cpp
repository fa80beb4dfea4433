// What contact must not create: energy in a frictionless bounce, momentum in a collision of free bodies.
#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

WitnessedRun run_clean_text(const std::string& text, const std::vector<std::string>& overrides) {
  WitnessedRun result = run_witnessed(build_scene(parse_scene(text, "scene", overrides), "scene"));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  return result;
}

double total(const Energies& energies) { return energies.kinetic + energies.elastic + energies.gravity; }

// A ball falls onto a plate and comes off it again.
const char* const kBounce = R"({
  "time": {"step": 0.002, "duration": 0.36},
  "solver": {"tolerance": 1e-5},
  "bodies": [
    {"shape": {"type": "sphere", "radius": 0.1, "resolution": 2}, "position": [0, 0.2, 0],
     "material": {"youngs_modulus": 2e4, "density": 500}},
    {"kind": "obstacle", "shape": {"type": "box", "size": [1, 0.1, 1], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "position": [0, -0.05, 0]}]
})";

struct Bounce {
  double at_impact = 0;   // kinetic energy before contact [J]
  double afterwards = 0;  // largest kinetic energy after it
  double growth = 0;      // largest total; it starts at 0: at rest, heights count from the start
  size_t contacts = 0;
};

Bounce bounce(const std::string& integrator) {
  const WitnessedRun result = run_clean_text(kBounce, {"time.integrator=" + integrator});
  Bounce bounce;
  bool has_touched = false;
  for (const StepReport& step : result.steps) {
    has_touched = has_touched || step.contacts > 0;
    bounce.contacts = std::max(bounce.contacts, step.contacts);
    if (!has_touched) bounce.at_impact = step.energies.kinetic;
    if (has_touched && step.contacts == 0)
      bounce.afterwards = std::max(bounce.afterwards, step.energies.kinetic);
    bounce.growth = std::max(bounce.growth, total(step.energies));
  }
  return bounce;
}

TEST(FrictionlessBounce, a_stiffness_given_by_the_scene_is_used) {
  const double kappa = 1e-3, h = 0.002;
  const WitnessedRun result = run_clean_text(kBounce, {"contact.kappa=0.001"});
  ASSERT_FALSE(result.steps.empty());
  for (const StepReport& step : result.steps)
    EXPECT_NEAR(step.stiffness, kappa * h * h, 1e-12 * kappa * h * h);
}

TEST(FrictionlessBounce, energy_never_grows_with_implicit_euler) {
  const Bounce result = bounce("implicit_euler");
  ASSERT_GT(result.contacts, 0u);
  EXPECT_GT(result.afterwards, 0.05 * result.at_impact);  // it does bounce
  EXPECT_LT(result.afterwards, result.at_impact);
  EXPECT_LE(result.growth, 1e-6 * result.at_impact);
}

TEST(FrictionlessBounce, energy_never_grows_with_bdf2) {
  const Bounce result = bounce("bdf2");
  ASSERT_GT(result.contacts, 0u);
  EXPECT_GT(result.afterwards, bounce("implicit_euler").afterwards);  // damps less
  EXPECT_LT(result.afterwards, result.at_impact);
  EXPECT_LE(result.growth, 1e-3 * result.at_impact);
}

// Newmark keeps the energy of the elastic body; what the barrier stores comes and goes within a step's
// accuracy.
TEST(FrictionlessBounce, newmark_keeps_energy_within_two_percent) {
  const Bounce result = bounce("newmark");
  ASSERT_GT(result.contacts, 0u);
  EXPECT_LE(result.growth, 0.02 * result.at_impact);
}

// Cells of 0.05 m within an activation distance of 0.1 m: parts of the box are near each other at rest.
TEST(FreeBodies, fall_without_forces_in_them_whatever_the_activation_distance) {
  const WitnessedRun result = run_clean_text(R"({
    "time": {"step": 0.01, "duration": 0.1}, "contact": {"d_hat": 0.1}, "bodies": [
    {"shape": {"type": "box", "size": [0.4, 0.2, 0.2], "cells_x": 8, "cells_y": 4, "cells_z": 4}}]})",
                                             {});
  for (const StepReport& step : result.steps) {
    EXPECT_EQ(step.contacts, 0u);
    EXPECT_LT(step.energies.elastic, 1e-12);
  }
}

TEST(FreeBodies, collide_without_changing_their_momentum) {
  const WitnessedRun result = run_clean_text(R"({
    "time": {"step": 0.005, "duration": 0.2}, "gravity": [0, 0, 0], "solver": {"tolerance": 1e-6},
    "bodies": [
      {"shape": {"type": "sphere", "radius": 0.1, "resolution": 2}, "position": [-0.15, 0, 0], "velocity": [2, 0, 0],
       "material": {"youngs_modulus": 5e4}},
      {"shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
       "position": [0.12, 0.05, 0.03], "rotation": [20, 30, 40], "velocity": [-1, 0, 0],
       "material": {"youngs_modulus": 1e5, "density": 300}}]
  })",
                                             {});
  size_t contacts = 0;
  const StepReport& first = result.steps.front();
  const double size = first.momentum.norm() + 2 * 4.2;  // of the order of either body's
  for (const StepReport& step : result.steps) {
    contacts = std::max(contacts, step.contacts);
    EXPECT_LE((step.momentum - first.momentum).norm(), 1e-6 * size) << "step " << step.step;
  }
  ASSERT_GT(contacts, 0u);
  // They did exchange momentum: what is left of the relative motion is another.
  EXPECT_LT(result.steps.back().energies.kinetic, 0.9 * first.energies.kinetic);
}

TEST(FreeBodies, of_all_kinds_collide_without_changing_their_momentum_with_every_integrator) {
  const char* const text = R"({
    "gravity": [0, 0, 0], "time": {"step": 0.01, "duration": 0.2},
    "bodies": [
      {"name": "a", "velocity": [2, 0, 0], "position": [-0.11, 0, 0],
       "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2}},
      {"name": "b", "position": [0.11, 0.03, 0.02],
       "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2}}]
  })";
  using Kinds = std::pair<const char*, const char*>;
  for (const char* integrator : {"implicit_euler", "bdf2", "newmark"}) {
    for (const auto& [a, b] : {Kinds("rigid", "soft"), Kinds("affine", "soft"), Kinds("rigid", "affine"),
                               Kinds("rigid", "rigid")}) {
      const WitnessedRun result =
          run_clean_text(text, {std::string("time.integrator=") + integrator,
                                std::string("bodies[0].kind=") + a, std::string("bodies[1].kind=") + b});
      EXPECT_LE((result.steps.back().momentum - Vec3(16, 0, 0)).norm(), 1e-6) << integrator << a << b;
      EXPECT_LT(result.steps.back().energies.kinetic, 15.9) << integrator << a << b;  // they did meet
    }
  }
}

// What was moved by hand flies on with the velocity that it had.
TEST(FreeBodies, fly_on_where_a_prescribed_motion_lets_go) {
  for (const char* integrator : {"implicit_euler", "bdf2", "newmark"}) {
    for (const char* kind : {"soft", "affine"}) {
      const WitnessedRun result = run_clean_text(
          R"({
        "gravity": [0, 0, 0], "time": {"step": 0.01, "duration": 0.2},
        "bodies": [{"shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
                    "prescribed": [{"select": {"all": true}, "velocity": [1, 0, 0], "release": 0.1}]}]
      })",
          {std::string("time.integrator=") + integrator, std::string("bodies[0].kind=") + kind});
      for (const StepReport& step : result.steps)
        EXPECT_NEAR(step.momentum[0], 8, 1e-6) << integrator << kind;
    }
  }
}

}  // namespace
}  // namespace marrow::test
