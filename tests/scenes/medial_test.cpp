// Medial bodies in scenes: they fall, collide with others and with themselves, and follow prescribed points.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "kinematics/joined.h"
#include "scene/read_scene.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

class MedialScene : public testing::Test {
 protected:
  void SetUp() override {
    store_ = std::filesystem::temp_directory_path() / "marrow_medial_scene_test";
    setenv("MARROW_CACHE", store_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("MARROW_CACHE");
    std::filesystem::remove_all(store_);
  }
  static WitnessedRun run_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return run_witnessed(build_scene(parse_scene(text, "scene", overrides), "scene"));
  }

 private:
  std::filesystem::path store_;
};

Vec3 mean_of(const BuiltScene& built, const VecX& nodes, size_t body) {
  Points x;
  compute_points(built.model.kinematics, nodes, x);
  const Body& own = built.model.kinematics.bodies[body];
  Vec3 sum = Vec3::Zero();
  for (size_t i = 0; i < own.rest.points.size(); ++i) sum += x[static_cast<size_t>(own.first_point) + i];
  return sum / static_cast<double>(own.rest.points.size());
}

const char* const kFall = R"({
  "time": {"step": 0.01, "duration": 0.4},
  "bodies": [
    {"kind": "medial", "handles": 6, "cells": 8, "weight_threshold": 0.01,
     "shape": {"type": "rod", "length": 0.6, "radius": 0.1, "resolution": 2, "segments": 8},
     "position": [0, 0.25, 0], "rotation": [0, 30, 20], "material": {"youngs_modulus": 5e4}},
    {"kind": "soft", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
     "position": [0, 0.6, 0], "material": {"youngs_modulus": 5e4}},
    {"kind": "obstacle", "shape": {"type": "box", "size": [2, 0.1, 2], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "position": [0, -0.05, 0]}]
})";

TEST_F(MedialScene, rod_falls_to_the_floor_and_carries_a_soft_box) {
  const WitnessedRun result = run_text(kFall);
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  size_t contacts = 0;
  for (const StepReport& step : result.steps) contacts += step.contacts;
  EXPECT_GT(contacts, 0u);
}

TEST_F(MedialScene, free_fall_is_that_of_a_point) {
  const std::string text = R"({
    "time": {"step": 0.01, "duration": 0.2}, "bodies": [
    {"kind": "medial", "handles": 4, "cells": 8, "position": [1, 2, 3], "rotation": [10, 20, 30],
     "shape": {"type": "box", "size": [0.4, 0.2, 0.2]}, "velocity": [1, 0, 0]}]})";
  const BuiltScene built = build_scene(parse_scene(text, "scene", {}), "scene");
  const WitnessedRun result = run_text(text);
  ASSERT_TRUE(result.is_finished());
  // Implicit Euler falls ½ g t (t + h).
  const Vec3 moved = mean_of(built, result.state.nodes, 0) - mean_of(built, built.state.nodes, 0);
  EXPECT_NEAR(moved[0], 0.2, 1e-4);
  EXPECT_NEAR(moved[1], -0.5 * 9.81 * 0.2 * 0.21, 1e-4);
}

TEST_F(MedialScene, prescribed_ends_go_where_they_are_told) {
  const std::string text = R"({
    "gravity": [0, 0, 0], "time": {"step": 0.02, "duration": 0.2}, "bodies": [
    {"kind": "medial", "handles": 5, "cells": 10, "shape": {"type": "box", "size": [1, 0.2, 0.2]},
     "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}},
                    {"select": {"relative_box": {"min": [1, 0, 0], "max": [1, 1, 1]}}, "velocity": [0.5, 0, 0]}]}]})";
  const BuiltScene built = build_scene(parse_scene(text, "scene", {}), "scene");
  const WitnessedRun result = run_text(text);
  ASSERT_TRUE(result.is_finished());
  Points x;
  compute_points(built.model.kinematics, result.state.nodes, x);
  const Points& rest = built.model.kinematics.bodies[0].rest.points;
  for (size_t i = 0; i < rest.size(); ++i) {
    if (rest[i][0] < -0.4999) {
      EXPECT_NEAR((x[i] - rest[i]).norm(), 0, 1e-9);
    }
    if (rest[i][0] > 0.4999) {
      EXPECT_NEAR((x[i] - rest[i] - Vec3(0.1, 0, 0)).norm(), 0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace marrow::test
