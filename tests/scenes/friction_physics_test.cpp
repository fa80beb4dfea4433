// What friction must do: hold on a slope up to its angle, carry an arch and a house of cards, and no further.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "scene/read_scene.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

// The largest way that a node has gone. [m]
double largest_way(const WitnessedRun& result) {
  double largest = 0;
  for (Index i = 0; i < result.initial.size(); i += 3) {
    largest = std::max(largest, (result.state.nodes.segment<3>(i) - result.initial.segment<3>(i)).norm());
  }
  return largest;
}

WitnessedRun run_with_friction(const std::string& name, double mu, double duration) {
  WitnessedRun result = run_witnessed(build_ipc_scene(
      name, {fmt::format("contact.friction={}", mu), fmt::format("time.duration={}", duration)}));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  return result;
}

// The block's velocity down the slope after each step. [m/s]
std::vector<double> list_speeds(const WitnessedRun& result) {
  const double mass = 1000 * 0.25 * 0.25 * 0.25;
  const Vec3 down = Vec3(2, -1, 0).normalized();
  std::vector<double> speeds;
  for (const StepReport& step : result.steps) speeds.push_back(step.momentum.dot(down) / mass);
  return speeds;
}

constexpr double kSlopeStep = 0.025;

// The acceleration over the second half, when the block has settled. [m/s²]
double late_acceleration(const std::vector<double>& speeds) {
  const size_t half = speeds.size() / 2;
  return (speeds.back() - speeds[half]) / (kSlopeStep * static_cast<double>(speeds.size() - 1 - half));
}

// Of Coulomb's block on a slope of tangent 0.5.
double expected_acceleration(double mu) { return 9.81 * (0.5 - mu) / std::sqrt(1.25); }

TEST(BlockOnSlope, slides_one_percent_below_the_threshold_and_sticks_one_percent_above) {
  const double epsilon_v = 1e-5;
  EXPECT_LT(std::abs(list_speeds(run_with_friction("slope_sticks", 0.505, 2)).back()), 2 * epsilon_v);
  const double sliding = late_acceleration(list_speeds(run_with_friction("slope_slides", 0.495, 2)));
  EXPECT_NEAR(sliding, expected_acceleration(0.495), 0.05 * expected_acceleration(0.495));
}

TEST(BlockOnSlope, slides_as_coulomb_says) {
  for (const double mu : {0.0, 0.25, 0.49}) {
    const double expected = expected_acceleration(mu);
    EXPECT_NEAR(late_acceleration(list_speeds(run_with_friction("slope_slides", mu, 0.5))), expected,
                0.05 * expected);
  }
}

TEST(BlockOnSlope, creeps_at_most_as_smoothing_allows_at_the_threshold) {
  EXPECT_LT(std::abs(late_acceleration(list_speeds(run_with_friction("slope_sticks", 0.5, 2)))), 1e-3);
}

// A block slides on the floor.
const char* const kSlidingBlock = R"({
  "time": {"step": 0.01, "duration": 0.8}, "contact": {"friction": 0.2},
  "bodies": [
    {"name": "floor", "kind": "obstacle", "position": [0, -0.5, 0],
     "shape": {"type": "box", "size": [10, 1, 10], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
    {"name": "block", "position": [0, 0.0505, 0], "velocity": [1, 0, 0],
     "shape": {"type": "box", "size": [0.2, 0.1, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2}})";

// Something else is thrown up and down meanwhile, which changes κ.
const char* const kShaken = R"json(,
    {"name": "shaker", "kind": "obstacle", "position": [3.5, 0.6, 3],
     "shape": {"type": "box", "size": [1, 0.1, 1], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "prescribed": [{"select": {"all": true}, "translation": [0, "0.05*sin(40*t)", 0]}]},
    {"name": "shaken", "kind": "rigid", "position": [3.5, 0.76, 3],
     "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}})json";

// The mean way of the block's nodes.
double slide(const std::string& others, std::vector<std::string> overrides) {
  const std::string text = kSlidingBlock + others + "]}";
  BuiltScene built = build_scene(parse_scene(text, "scene", std::move(overrides)), "scene");
  const Body& block = built.model.kinematics.bodies[1];
  const Index first = block.first_node, count = block.node_count;
  const WitnessedRun result = run_witnessed(std::move(built));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  double sum = 0;
  for (Index i = first; i < first + count; ++i) sum += result.state.nodes[3 * i] - result.initial[3 * i];
  return sum / count;
}

// Normal forces are those of the solve before, whatever κ the next step chooses.
TEST(SlidingBlock, stops_after_the_way_that_coulomb_says_however_stiffness_changes) {
  const double expected = 1 / (2 * 0.2 * 9.81);
  for (const char* kind : {"rigid", "affine"}) {
    for (const char* integrator : {"implicit_euler", "bdf2"}) {
      const std::vector<std::string> overrides = {std::string("bodies[1].kind=") + kind,
                                                  std::string("time.integrator=") + integrator};
      EXPECT_NEAR(slide("", overrides), expected, 0.03 * expected) << kind << integrator;
      // It starts nearer than it would rest with this κ and is pushed up at first.
      EXPECT_NEAR(slide(kShaken, overrides), expected, 0.15 * expected) << kind << integrator;
    }
  }
  // κ of Newmark's steps alternates by itself.
  EXPECT_NEAR(slide("", {"time.integrator=newmark", "bodies[1].material.youngs_modulus=1e7"}), expected,
              0.03 * expected);
}

TEST(MasonryArch, stands_with_friction_one_half_and_falls_with_one_fifth) {
  const double standing = largest_way(run_with_friction("arch_stands", 0.5, 0.6));
  const double falling = largest_way(run_with_friction("arch_falls", 0.2, 0.6));
  EXPECT_LT(standing, 0.005);  // of 20 m: the joints close
  EXPECT_GT(falling, 0.05);
}

// From this pose two Newton steps went back and forth within what rounding allows, for ever.
TEST(MasonryArch, falls_from_a_pose_between_two_steps) {
  const WitnessedRun result = run_witnessed(build_jittered_scene("arch_falls", 6));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
}

TEST(CardHouse, stands_with_friction_one_fifth_and_falls_with_one_tenth) {
  const double standing = largest_way(run_with_friction("card_house_stands", 0.2, 0.5));
  const double falling = largest_way(run_with_friction("card_house_falls", 0.1, 0.5));
  EXPECT_LT(standing, 0.005);  // of 0.5 m
  EXPECT_GT(falling, 0.05);
}

}  // namespace
}  // namespace marrow::test
