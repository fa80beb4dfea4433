// Grabs and settings in the time step: every kind of body hangs where its weight says, follows, and is
// stopped by what is in its way; settings change the next steps as if the scene had them.
#include <gtest/gtest.h>

#include <numeric>

#include "built_scenes.h"
#include "mesh/point_box.h"
#include "sim/model/make_grab.h"
#include "sim/model/settings.h"
#include "sim/start/model_witness.h"

namespace marrow {
namespace {

using test::build_text;
using test::get_mean;

double sum_mass(const Body& body) {
  return std::accumulate(body.mass.values.begin(), body.mass.values.end(), 0.0);
}

// The point at the top of a body at time 0.
Index find_top(const Body& body) {
  Index top = 0;
  for (size_t i = 0; i < body.rest.points.size(); ++i) {
    if (body.rest.points[i].y() > body.rest.points[static_cast<size_t>(top)].y()) top = static_cast<Index>(i);
  }
  return top;
}

std::string one_body(const std::string& kind, const std::string& shape, const std::string& more = "") {
  return fmt::format(R"({{"time": {{"step": 0.02, "duration": 3}},
    "bodies": [{{"name": "it", "kind": "{}", "shape": {}{}}}]}})",
                     kind, shape, more);
}

// Takes the run to its end with the first body held at its top and drawn to a target.
std::vector<StepReport> hold_top(BuiltScene& built, const Vec3& by, double strength) {
  const Body& body = built.model.kinematics.bodies[0];
  const Index top = find_top(body);
  const Vec3 target = body.rest.points[static_cast<size_t>(top)] + by;
  std::vector<StepReport> reports;
  RunHooks hooks;
  hooks.take_inputs = [&](const State&) {
    return StepInputs{{make_grab(built.model, {0, {top}, {1}}, target, strength)}};
  };
  hooks.on_step = [&](const State&, const StepReport& report) { reports.push_back(report); };
  EXPECT_EQ(simulate(built.model, built.state, hooks).end, RunEnd::Finished);
  return reports;
}

}  // namespace

TEST(Grab, every_kind_of_body_hangs_a_fiftieth_of_its_size_below_the_target) {
  const std::pair<const char*, std::string> cases[] = {
      {"soft", one_body("soft", R"({"type": "box", "size": [0.2, 0.2, 0.2]})")},
      {"cloth",
       one_body("soft", R"({"type": "sheet", "width": 0.3, "depth": 0.3, "cells_x": 4, "cells_z": 4})",
                R"(, "thickness": 0.002)")},
      {"affine", one_body("affine", R"({"type": "box", "size": [0.2, 0.3, 0.2]})")},
      {"rigid", one_body("rigid", R"({"type": "box", "size": [0.2, 0.3, 0.2]})")}};
  for (const auto& [name, text] : cases) {
    SCOPED_TRACE(name);
    BuiltScene built = build_text(text);
    const std::vector<StepReport> reports = hold_top(built, Vec3(0, 0.1, 0), 5);
    const GrabSprings::Pull& pull = reports.back().pulls.at(0);
    const double weight = sum_mass(built.model.kinematics.bodies[0]) * 9.81;
    // At rest the spring carries the weight.
    EXPECT_NEAR(pull.force.y(), weight, 0.05 * weight);
    const double diagonal = compute_box(built.model.kinematics.bodies[0].rest.points).diagonal().norm();
    // F d/√(D² + d²) = weight, F = 5 weights, D = 5 · diagonal/50
    const double sag = 5 * diagonal / 50 / std::sqrt(24.0);
    EXPECT_NEAR((pull.target - pull.at).y(), sag, 0.1 * sag);
    for (const StepReport& report : reports) {
      EXPECT_LE(report.pulls.at(0).force.norm(), 5 * weight * (1 + 1e-12));
      EXPECT_NEAR(report.pulls.at(0).most_force, 5 * weight, 1e-9 * weight);
    }
  }
}

TEST(Grab, a_hand_that_is_too_weak_lifts_nothing) {
  BuiltScene built = build_text(R"({"time": {"step": 0.02, "duration": 1}, "bodies": [
    {"name": "box", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 0.102, 0]},
    {"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [3, 0.1, 3]}, "position": [0, -0.05, 0]}]})");
  const double before = get_mean(built.model, built.state.nodes, 0).y();
  hold_top(built, Vec3(0, 1, 0), 0.3);  // from a corner: half of its weight would tip it
  EXPECT_LE(get_mean(built.model, built.state.nodes, 0).y(), before + 1e-3);
}

TEST(Grab, a_body_that_is_drawn_into_another_is_stopped_by_it) {
  BuiltScene built =
      build_text(R"({"time": {"step": 0.02, "duration": 0.3}, "contact": {"friction": 0.2}, "bodies": [
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.1, "resolution": 1}, "position": [0, 0.3, 0], "material": {"youngs_modulus": 5e4}},
    {"name": "wall", "kind": "obstacle", "shape": {"type": "box", "size": [0.1, 1, 1]}, "position": [0.3, 0.3, 0]}]})");
  Witness witness = make_witness(built.model);
  const Body& ball = built.model.kinematics.bodies[0];
  const Index top = find_top(ball);
  RunHooks hooks;
  hooks.take_inputs = [&](const State& state) {  // jerked to and fro through the wall
    const double side = state.step % 6 < 3 ? 2 : -2;
    return StepInputs{{make_grab(built.model, {0, {top}, {1}}, Vec3(side, 0.3, 0), 20)}};
  };
  int contacts = 0;
  hooks.on_step = [&](const State& state, const StepReport& report) {
    Points points;
    compute_points(built.model.kinematics, state.nodes, points);
    witness.move_to(points);
    EXPECT_TRUE(witness.count().is_clean()) << report.step;
    contacts += report.contacts > 0 ? 1 : 0;
  };
  EXPECT_EQ(simulate(built.model, built.state, hooks).end, RunEnd::Finished);
  EXPECT_GT(contacts, 3);
  for (Index i = 0; i < ball.node_count; ++i) EXPECT_LT(built.state.nodes[3 * i], 0.25);
}

TEST(Grab, the_momentum_given_is_the_impulse_of_the_force) {
  for (const char* integrator : {"implicit_euler", "bdf2", "newmark"}) {
    SCOPED_TRACE(integrator);
    BuiltScene built = build_text(one_body("rigid", R"({"type": "box", "size": [0.2, 0.2, 0.2]})"),
                                  {"time.duration=0.2", "gravity=[0,0,0]", "solver.tolerance=1e-9",
                                   "solver.balance=1e-9", fmt::format("time.integrator={}", integrator)});
    const std::vector<StepReport> reports = hold_top(built, Vec3(0.3, 0, 0), 2);
    Vec3 impulse = Vec3::Zero(), reported = Vec3::Zero();
    double most = 0;
    for (const StepReport& report : reports) {
      impulse += 0.02 * report.pulls.at(0).force;
      reported += 0.02 * report.forces.bodies.at(0).loads.force;
      most = std::max(most, impulse.norm());
    }
    EXPECT_GT(impulse.norm(), 0);
    // BDF2 forgets half of the velocity of its first step.
    if (integrator != std::string("bdf2")) {
      EXPECT_LE((impulse - reports.back().momentum).norm(), 1e-6 * most);
    }
    EXPECT_LE((reported - impulse).norm(), 1e-9 * most);
  }
}

TEST(Settings, a_run_with_settings_is_that_of_a_scene_which_has_them) {
  const std::string text =
      R"({"time": {"step": 0.02, "duration": 0.4}, "contact": {"friction": 0.1, "d_hat": 1e-3}, "bodies": [
    {"name": "jelly", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 3, "cells_y": 3, "cells_z": 3},
     "position": [0, 0.102, 0], "velocity": [1, 0, 0], "material": {"youngs_modulus": 2e4, "damping": 0.002}},
    {"name": "brick", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0.5, 0.102, 0], "friction": 0.7},
    {"name": "block", "kind": "affine", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [-0.5, 0.102, 0], "velocity": [0, 0, 2]},
    {"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [3, 0.1, 3]}, "position": [0, -0.05, 0]}]})";
  BuiltScene set = build_text(text);
  const SettingDefaults defaults = read_defaults(set.model);
  Settings settings;
  settings.gravity = Vec3(1, -5, 0);
  settings.friction = 0.4;
  settings.stiffness = {3, 1, 1, 1};
  RunHooks hooks;
  hooks.take_inputs = [&](const State& state) {
    StepInputs inputs;
    if (state.step == 0) apply_settings(settings, defaults, set.model);
    inputs.is_model_changed = state.step == 0;
    return inputs;
  };
  simulate(set.model, set.state, hooks);

  BuiltScene written = build_text(text, {"gravity=[1,-5,0]", "contact.friction=0.4",
                                         "bodies[0].material.youngs_modulus=6e4", "bodies[1].friction=0.4"});
  simulate(written.model, written.state, {});
  const double moved = (written.state.nodes - written.model.initial_nodes).norm();
  // The constants differ in their last bits, and so do solves within their tolerance.
  EXPECT_LE((set.state.nodes - written.state.nodes).norm(), 1e-5 * moved);
  // And they come off again.
  apply_settings({}, defaults, set.model);
  EXPECT_EQ(set.model.gravity, Vec3(0, -9.81, 0));
  EXPECT_EQ(set.model.contact.friction, 0.1);
  EXPECT_EQ(set.model.contact.body_friction, defaults.body_friction);
  EXPECT_EQ(set.model.materials[0].lame_mu, defaults.materials[0].lame_mu);
}

TEST(Settings, stiffness_reaches_every_kind_that_deforms) {
  BuiltScene built = build_text(R"({"bodies": [
    {"name": "tets", "shape": {"type": "box"}, "position": [0, 0, 0]},
    {"name": "rigid", "kind": "rigid", "shape": {"type": "box"}, "position": [2, 0, 0]},
    {"name": "cloth", "shape": {"type": "sheet"}, "thickness": 0.01, "position": [4, 0, 0]},
    {"name": "affine", "kind": "affine", "shape": {"type": "box"}, "position": [6, 0, 0]},
    {"name": "floor", "kind": "obstacle", "shape": {"type": "plate"}, "position": [0, -3, 0]}]})");
  const SettingDefaults defaults = read_defaults(built.model);
  for (const Index body : {0, 2, 3}) {
    EXPECT_EQ(std::count(defaults.material_bodies.begin(), defaults.material_bodies.end(), body), 1);
    Settings settings;
    settings.stiffness.assign(5, 1);
    settings.stiffness[static_cast<size_t>(body)] = 4;
    apply_settings(settings, defaults, built.model);
    for (size_t m = 0; m < built.model.materials.size(); ++m) {
      const double factor = defaults.material_bodies[m] == body ? 4 : 1;
      EXPECT_EQ(built.model.materials[m].lame_mu, factor * defaults.materials[m].lame_mu);
    }
  }
}

}  // namespace marrow
