// Bodies between moving obstacles: pressed nearly flat, and pressed beyond what is possible.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "kinematics/node_path.h"
#include "scene/read_scene.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

// The upper plate would go through the lower one.
const char* const kImpossible = R"({
  "time": {"step": 0.05, "duration": 0.6},
  "bodies": [
    {"name": "box", "shape": {"type": "box", "size": [0.4, 0.4, 0.4], "cells_x": 2, "cells_y": 2, "cells_z": 2},
     "material": {"youngs_modulus": 1e5, "density": 1000}},
    {"name": "lower", "kind": "obstacle", "position": [0, -0.3, 0],
     "shape": {"type": "box", "size": [2, 0.1, 2], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
    {"name": "upper", "kind": "obstacle", "position": [0, 0.3, 0],
     "shape": {"type": "box", "size": [2, 0.1, 2], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "prescribed": [{"select": {"all": true}, "velocity": [0, -1, 0]}]}]
})";

// To a tenth of its thickness.
const char* const kPlate = R"({
  "time": {"step": 0.02, "duration": 0.2},
  "bodies": [
    {"name": "plate", "material": {"model": "stvk", "youngs_modulus": 1e5, "density": 1000},
     "shape": {"type": "plate", "width": 0.5, "depth": 0.5, "thickness": 0.1, "cells_x": 4, "cells_y": 2, "cells_z": 4}},
    {"name": "lower", "kind": "obstacle", "position": [0, -0.11, 0],
     "shape": {"type": "box", "size": [1.5, 0.1, 1.5], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
    {"name": "upper", "kind": "obstacle", "position": [0, 0.11, 0],
     "shape": {"type": "box", "size": [0.25, 0.1, 0.25], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "prescribed": [{"select": {"all": true}, "velocity": [0, -0.5, 0]}]}]
})";

// A light soft body, all of it prescribed, drives into a soft box. Its points have a mass, so that the
// barrier may be raised until it bears the pull.
const char* const kPress = R"({
  "time": {"step": 0.02, "duration": 0.08}, "gravity": [0, 0, 0],
  "bodies": [
    {"name": "load", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
     "material": {"density": 1e7}},
    {"name": "press", "position": [0, 0.16, 0],
     "shape": {"type": "box", "size": [0.3, 0.1, 0.3], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "material": {"density": 100}, "prescribed": [{"select": {"all": true}, "velocity": [0, -5, 0]}]},
    {"name": "floor", "kind": "obstacle", "position": [0, -1.16, 0],
     "shape": {"type": "box", "size": [1, 0.1, 1], "cells_x": 1, "cells_y": 1, "cells_z": 1}}]
})";

// How far prescribed nodes are from where they should be.
std::map<Index, double> list_distances(const Model& model, const State& state) {
  std::map<Index, double> distances;
  for (const PrescribedNodes& group : model.prescribed) {
    const Points targets = compute_positions(group, state.time);
    for (size_t k = 0; k < group.nodes.size(); ++k) {
      distances[group.nodes[k]] = (state.nodes.segment<3>(3 * group.nodes[k]) - targets[k]).norm();
    }
  }
  return distances;
}

WitnessedRun run_squeezed(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return run_witnessed(build_scene(parse_scene(text, "scene", overrides), "scene"));
}

}  // namespace

TEST(Squeezed, a_motion_that_is_impossible_is_held_up_and_the_run_goes_on) {
  const WitnessedRun result = run_squeezed(kImpossible);
  ASSERT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  double short_of_target = 0;
  for (const StepReport& step : result.steps) {
    short_of_target = std::max(short_of_target, step.motion_remaining);
    EXPECT_LE(step.newton.iterations, 2000) << "step " << step.step;
  }
  EXPECT_GT(short_of_target, 0.09);  // at the end the plate would be 0.1 m inside the other
  EXPECT_GT(result.steps.back().motion_remaining, 0.09);
}

// Pressed farther than there is room, held for many steps, drawn back; beside it a body flies.
TEST(Squeezed, a_plate_that_presses_too_far_comes_back_and_holds_nothing_else_up) {
  const char* const text = R"({
    "time": {"step": 0.02, "duration": 1.2}, "contact": {"friction": 0.3},
    "bodies": [
      {"name": "floor", "kind": "obstacle", "position": [0, -0.5, 0],
       "shape": {"type": "box", "size": [10, 1, 10], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
      {"name": "pressed", "kind": "rigid", "position": [0, 0.101, 0],
       "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
      {"name": "plate", "kind": "obstacle", "position": [0, 0.27, 0],
       "shape": {"type": "box", "size": [0.4, 0.1, 0.4], "cells_x": 1, "cells_y": 1, "cells_z": 1},
       "prescribed": [{"select": {"all": true}, "keyframes": [{"time": 0}, {"time": 0.3, "translation": [0, -0.03, 0]},
                       {"time": 0.9, "translation": [0, -0.03, 0]}, {"time": 1.2, "translation": [0, 0.2, 0]}]}]},
      {"name": "flying", "kind": "rigid", "position": [0.6, 9, 0], "velocity": [0, 2, 0],
       "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}}]
  })";
  for (const char* kind : {"rigid", "affine"}) {
    const std::vector<std::string> overrides = {std::string("bodies[1].kind=") + kind};
    BuiltScene built = build_scene(parse_scene(text, "scene", overrides), "scene");
    const Points before = list_points(built);
    const WitnessedRun result = run_witnessed(built);
    ASSERT_TRUE(result.is_finished()) << kind;
    EXPECT_TRUE(result.is_clean()) << kind;
    double held_up = 0;
    for (const StepReport& step : result.steps) held_up = std::max(held_up, step.motion_remaining);
    EXPECT_TRUE(held_up > 0.009 || kind == std::string("affine"));  // an affine one gives way
    EXPECT_EQ(result.steps.back().motion_remaining, 0) << kind;
    Points after;
    compute_points(built.model.kinematics, result.state.nodes, after);
    const double h = 0.02, steps = 60;
    const double way = 2 * h * steps - 9.81 * h * h * steps * (steps + 1) / 2;
    EXPECT_NEAR(after.back()[1] - before.back()[1], way, 1e-9) << kind;
  }
}

// The usual barrier gives way before the load does: without a raised one the press is held up.
TEST(Squeezed, a_light_press_drives_what_is_far_heavier_where_it_should_be) {
  BuiltScene built = build_scene(parse_scene(kPress, "scene"), "scene");
  const WitnessedRun result = run_witnessed(built);
  ASSERT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  int rounds = 0;
  for (const StepReport& step : result.steps) {
    EXPECT_EQ(step.motion_remaining, 0) << step.step;
    EXPECT_EQ(step.motion_node, kNone) << step.step;
    rounds += step.motion_rounds;
  }
  EXPECT_GT(rounds, 0);
  for (const auto& [node, distance] : list_distances(built.model, result.state)) {
    EXPECT_LE(distance, 1e-9 * built.model.size) << node;
  }
  // The lower face of the press has come from 0.11 m by 0.4 m; the load is below it.
  const Vec3 middle = compute_mean(result.state.nodes, 0, built.model.kinematics.bodies[0].node_count);
  EXPECT_LT(middle.y(), 0.11 - 0.4);
}

TEST(Squeezed, where_nothing_gives_way_the_press_stays_and_the_report_says_how_far_it_is_and_where) {
  const std::vector<std::string> overrides = {"bodies[0].material.density=1000",
                                              "bodies[2].position=[0, -0.16, 0]"};
  BuiltScene built = build_scene(parse_scene(kPress, "scene", overrides), "scene");
  const WitnessedRun result = run_witnessed(built);
  ASSERT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  // 0.4 m of way, 0.02 m of room, and a box of 0.2 m that is pressed flat.
  const StepReport& last = result.steps.back();
  EXPECT_GT(last.motion_remaining, 0.18);
  const std::map<Index, double> distances = list_distances(built.model, result.state);
  ASSERT_TRUE(distances.contains(last.motion_node));
  EXPECT_EQ(last.motion_remaining, distances.at(last.motion_node));
  for (const auto& [node, distance] : distances) EXPECT_LE(distance, last.motion_remaining) << node;
  // In the last step its points have not moved, but for what the flat box pushes them back: they are one more
  // step, 0.1 m, behind.
  EXPECT_NEAR(last.motion_remaining - result.steps[result.steps.size() - 2].motion_remaining, 0.1, 2e-4);
}

// What does not move is no less hard than what does.
TEST(Squeezed, an_obstacle_without_a_motion_stays_where_it_is) {
  const std::vector<std::string> overrides = {"time.duration=0.3"};
  BuiltScene built = build_scene(parse_scene(kImpossible, "scene", overrides), "scene");
  const Points before = list_points(built);
  const WitnessedRun result = run_witnessed(built);
  ASSERT_TRUE(result.is_finished());
  EXPECT_GT(result.steps.back().motion_rounds, 0);
  Points after;
  compute_points(built.model.kinematics, result.state.nodes, after);
  const Body& lower = built.model.kinematics.bodies[1];
  for (Index i = lower.first_point; i < lower.first_point + lower.W.rows(); ++i)
    EXPECT_EQ(after[i], before[i]);
}

// Two tilted cubes, the upper one falling; the gap between them is next to nothing at the start.
TEST(Squeezed, bodies_that_start_a_billionth_apart_move_on) {
  const auto fall_from = [](double gap) {
    const double along = 1 + gap;  // between the centres
    const std::string upper = fmt::format("[{:.17g}, {:.17g}, 0]", -0.5 * along, std::sqrt(0.75) * along);
    return run_squeezed(R"({"time": {"step": 0.01, "duration": 0.03}, "bodies": [
      {"name": "low", "rotation": [0, 0, 30], "shape": {"type": "box", "cells_x": 2, "cells_y": 2, "cells_z": 2},
       "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [1, 0, 1]}}}]},
      {"name": "up", "rotation": [0, 0, 30], "velocity": [0, -1, 0], "position": )" +
                        upper + R"(, "shape": {"type": "box", "cells_x": 2, "cells_y": 2, "cells_z": 2}}]})");
  };
  const WitnessedRun usual = fall_from(1e-4);
  ASSERT_TRUE(usual.is_finished());
  for (const double gap : {1e-7, 1e-8, 1e-9}) {
    const WitnessedRun result = fall_from(gap);
    ASSERT_TRUE(result.is_finished()) << gap;
    EXPECT_TRUE(result.is_clean()) << gap;
    const Vec3 expected = usual.steps.back().momentum;
    EXPECT_LE((result.steps.back().momentum - expected).norm(), 0.1 * expected.norm()) << gap;
  }
}

// Heavy on light: gaps of the light one fall to 1e-12 m above a floor of 40 m.
TEST(Squeezed, a_light_rigid_box_carries_one_a_billion_times_as_heavy) {
  for (const double ratio : {1e3, 1e6, 1e7, 1e9}) {
    const WitnessedRun result =
        run_squeezed(fmt::format(R"({{"time": {{"step": 0.01, "duration": 0.2}}, "bodies": [
      {{"name": "light", "kind": "rigid", "position": [0, 0.101, 0], "material": {{"density": 1}},
       "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2}}}},
      {{"name": "heavy", "kind": "rigid", "position": [0, 0.303, 0], "material": {{"density": {}}},
       "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2}}}},
      {{"name": "floor", "kind": "obstacle", "position": [0, -0.5, 0],
       "shape": {{"type": "box", "size": [40, 1, 40], "cells_x": 1, "cells_y": 1, "cells_z": 1}}}}]}})",
                                 ratio));
    ASSERT_TRUE(result.is_finished()) << ratio;
    EXPECT_TRUE(result.is_clean()) << ratio;
    for (const StepReport& step : result.steps) EXPECT_EQ(step.substeps, 1) << ratio << " " << step.step;
    const double weight = 9.81 * 0.008 * ratio;
    EXPECT_LT(result.steps.back().momentum.norm(), 1e-2 * weight * 0.01) << ratio;  // at rest
    EXPECT_NEAR(compute_mean(result.state.nodes, 4, 4).y(), 0.3, 0.002) << ratio;
  }
}

TEST(Squeezed, bodies_of_every_kind_end_an_impact_of_a_hundred_kilometres_a_second) {
  for (const char* kind : {"rigid", "affine", "soft"}) {
    for (const double speed : {1e4, 1e5}) {
      const WitnessedRun result =
          run_squeezed(fmt::format(R"({{"time": {{"step": 0.01, "duration": 0.05}}, "bodies": [
        {{"name": "box", "kind": "{}", "position": [0, 0.5, 0], "velocity": [0, {}, 0],
         "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2}}}},
        {{"name": "floor", "kind": "obstacle", "position": [0, -0.5, 0],
         "shape": {{"type": "box", "size": [40, 1, 40], "cells_x": 1, "cells_y": 1, "cells_z": 1}}}}]}})",
                                   kind, -speed));
      ASSERT_TRUE(result.is_finished()) << kind << speed;
      EXPECT_TRUE(result.is_clean()) << kind << speed;
      EXPECT_LT(result.steps.back().energies.kinetic, 0.5 * 8 * speed * speed) << kind << speed;
    }
  }
}

// A law that gives way under pressure does not let elements shrink without end.
TEST(Squeezed, plates_of_every_material_are_pressed_to_a_tenth) {
  for (const char* model :
       {"stvk", "linear_corotated", "fixed_corotated", "stable_neo_hookean", "neo_hookean"}) {
    const WitnessedRun result = run_squeezed(kPlate, {std::string("bodies[0].material.model=") + model});
    ASSERT_TRUE(result.is_finished()) << model;
    EXPECT_TRUE(result.is_clean()) << model;
    for (const StepReport& step : result.steps) EXPECT_EQ(step.motion_remaining, 0) << model;
  }
}

}  // namespace marrow::test
