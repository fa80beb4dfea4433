// Medial bodies in scenes: they fall, collide with others and with themselves, and follow prescribed points.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/temporary_folder.h"
#include "geometry/distance/gap.h"
#include "kinematics/joined.h"
#include "scene/read_scene.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

class MedialScene : public testing::Test {
 protected:
  void SetUp() override { setenv("MARROW_CACHE", store_.path.c_str(), 1); }
  void TearDown() override { unsetenv("MARROW_CACHE"); }
  static WitnessedRun run_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return run_witnessed(build_scene(parse_scene(text, "scene", overrides), "scene"));
  }

 private:
  TemporaryFolder store_;
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

TEST_F(MedialScene, spheres_cones_and_slabs_collide_in_place_of_the_surface) {
  const std::vector<std::string> overrides = {"bodies[0].collider=\"medial\""};
  const BuiltScene built = build_scene(parse_scene(kFall, "scene", overrides), "scene");
  const Body& rod = built.model.kinematics.bodies[0];
  ASSERT_TRUE(rod.has_collider());
  EXPECT_EQ(rod.collider.points.size(), 6u);
  ASSERT_EQ(built.model.contact.overlaps.size(), 1u);
  const WitnessedRun result = run_text(kFall, overrides);
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  size_t contacts = 0;
  for (const StepReport& step : result.steps) contacts += step.contacts;
  EXPECT_GT(contacts, 0u);
  // It lies on the floor by its spheres.
  Points x;
  compute_points(built.model.kinematics, result.state.nodes, x);
  double lowest = 1;
  for (Index i = 0; i < rod.W.rows(); ++i) {
    const auto point = static_cast<size_t>(rod.first_point + i);
    const double r = rod.radii[static_cast<size_t>(i)];
    if (r > 0) lowest = std::min(lowest, x[point][1] - r);
  }
  EXPECT_GT(lowest, 0);
  EXPECT_LT(lowest, 0.01);
}

TEST_F(MedialScene, a_ring_pressed_flat_meets_itself_by_its_primitives) {
  const std::string text = R"({
    "gravity": [0, 0, 0], "time": {"step": 0.02, "duration": 0.5}, "contact": {"friction": 0.3},
    "bodies": [
    {"kind": "medial", "handles": 16, "cells": 20, "weight_threshold": 0.01, "collider": "medial",
     "shape": {"type": "torus", "ring_radius": 0.5, "tube_radius": 0.12},
     "rotation": [90, 0, 0], "material": {"youngs_modulus": 2e4}},
    {"kind": "obstacle", "shape": {"type": "box", "size": [2, 0.1, 1], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "position": [0, 0.75, 0], "prescribed": [{"select": {"all": true}, "velocity": [0, -0.9, 0]}]},
    {"kind": "obstacle", "shape": {"type": "box", "size": [2, 0.1, 1], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "position": [0, -0.75, 0], "prescribed": [{"select": {"all": true}, "velocity": [0, 0.9, 0]}]}]})";
  const BuiltScene built = build_scene(parse_scene(text, "scene", {}), "scene");
  const WitnessedRun result = run_text(text);
  ASSERT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  // The upper and the lower half of the ring are in contact.
  const Body& ring = built.model.kinematics.bodies[0];
  Points x;
  compute_points(built.model.kinematics, result.state.nodes, x);
  double smallest = 1;
  const auto height = [&](const Edge& e, size_t k) {
    return ring.collider.points[static_cast<size_t>(e[k]) - ring.rest.points.size()][1];
  };
  for (const Edge& a : ring.collider.edges) {
    for (const Edge& b : ring.collider.edges) {
      if (height(a, 0) < 0.2 || height(a, 1) < 0.2 || height(b, 0) > -0.2 || height(b, 1) > -0.2) continue;
      PairBalls balls;
      for (size_t k = 0; k < 4; ++k) {
        const auto point = static_cast<size_t>(k < 2 ? a[k] : b[k - 2]);
        balls.x[k] = x[point];
        balls.r[k] = ring.radii[point];
      }
      smallest = std::min(smallest, find_gap(PairKind::EdgeEdge, balls).compute_gap());
    }
  }
  EXPECT_GT(smallest, 0);
  EXPECT_LT(smallest, 0.01);
}

// Kinetic energy of a bar that was bent and let go [J].
double swing_out(double damping) {
  const std::string text = R"({
    "gravity": [0, 0, 0], "time": {"step": 0.01, "duration": 0.5},
    "bodies": [
    {"kind": "medial", "handles": 8, "cells": 10, "self_contact": false,
     "shape": {"type": "box", "size": [1, 0.2, 0.2], "cells_x": 10, "cells_y": 2, "cells_z": 2},
     "material": {"youngs_modulus": 2e5, "damping": )" +
                           std::to_string(damping) + R"(},
     "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}},
                    {"select": {"relative_box": {"min": [1, 0, 0], "max": [1, 1, 1]}}, "velocity": [0, 1, 0],
                     "end": 0.1}]}]})";
  const WitnessedRun result = run_witnessed(build_scene(parse_scene(text, "scene", {}), "scene"));
  EXPECT_TRUE(result.is_finished());
  return result.steps.back().energies.kinetic;
}

TEST_F(MedialScene, damping_stills_a_bar) {
  const double damped = swing_out(0.05), free = swing_out(0);
  EXPECT_GT(free, 0.01);
  EXPECT_LT(damped, free / 20);
}

// A short bar on a slope of 20°: µ = 0.6 holds it, without friction it slides.
Vec3 slide(double friction) {
  const std::string text = R"({
    "gravity": [3.355, -9.218, 0], "time": {"step": 0.01, "duration": 0.4},
    "bodies": [
    {"kind": "medial", "handles": 4, "cells": 8, "weight_threshold": 0.01, "collider": "medial",
     "shape": {"type": "box", "size": [0.3, 0.1, 0.2]}, "position": [0, 0.08, 0],
     "material": {"youngs_modulus": 1e6}},
    {"kind": "obstacle", "shape": {"type": "box", "size": [4, 0.1, 4], "cells_x": 1, "cells_y": 1, "cells_z": 1},
     "position": [0, -0.05, 0]}]})";
  const std::vector<std::string> overrides = {"contact.friction=" + std::to_string(friction)};
  const BuiltScene built = build_scene(parse_scene(text, "scene", overrides), "scene");
  const WitnessedRun result = run_witnessed(build_scene(parse_scene(text, "scene", overrides), "scene"));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  return mean_of(built, result.state.nodes, 0) - mean_of(built, built.state.nodes, 0);
}

TEST_F(MedialScene, friction_holds_a_body_of_spheres_on_a_slope) {
  const double held = slide(0.6)[0], free = slide(0)[0];
  EXPECT_LT(held, 0.05);
  EXPECT_GT(free, 3 * held);
  EXPECT_GT(free, 0.15);
}

// Where a ball that slides has rolled long enough, 5/7 of its speed are left.
TEST_F(MedialScene, a_ball_of_one_sphere_rolls) {
  const WitnessedRun result = run_text(R"({
    "time": {"step": 0.01, "duration": 0.5}, "contact": {"friction": 0.5, "d_hat": 1e-3, "epsilon_v": 1e-3},
    "bodies": [
      {"kind": "medial", "collider": "medial", "handles": 1, "cells": 6, "velocity": [1, 0, 0],
       "shape": {"type": "sphere", "radius": 0.5, "resolution": 3}, "position": [0, 0.5015, 0],
       "material": {"youngs_modulus": 1e8, "density": 1000}},
      {"kind": "obstacle", "shape": {"type": "box", "size": [4, 0.1, 4], "cells_x": 1, "cells_y": 1, "cells_z": 1},
       "position": [0, -0.05, 0]}]})");
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  const double first = result.steps.front().momentum.x(), last = result.steps.back().momentum.x();
  EXPECT_NEAR(last / first, 5.0 / 7, 0.03);
}

// Joints reach into medial bodies, where no point of theirs is.
TEST_F(MedialScene, a_box_hangs_on_a_hinge_through_its_middle) {
  const std::string text = R"({
    "time": {"step": 0.02, "duration": 0.4},
    "bodies": [{"name": "box", "kind": "medial", "handles": 4, "cells": 6,
      "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
      "material": {"youngs_modulus": 1e6}}],
    "joints": [{"type": "hinge", "a": "box", "at": [0, 0.05, 0], "axis": [0, 0, 1]}]})";
  const BuiltScene built = build_scene(parse_scene(text, "scene"), "scene");
  const WitnessedRun result = run_witnessed(built);
  EXPECT_TRUE(result.is_finished());
  for (const StepReport& step : result.steps) EXPECT_LT(step.joints.residual, 1e-8);
  EXPECT_LT(mean_of(built, result.state.nodes, 0).norm(), 0.01);
}

// With few handles: to hold every selected point would hold all of them.
TEST_F(MedialScene, a_weld_to_a_part_of_a_torus_lets_the_rest_move) {
  const std::string text = R"({
    "time": {"step": 0.01, "duration": 0.2},
    "bodies": [{"name": "torus", "kind": "medial", "handles": 12, "cells": 16, "material": {"youngs_modulus": 1e6},
      "shape": {"type": "torus", "ring_radius": 0.4, "tube_radius": 0.12, "resolution": 2, "segments": 24},
      "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0.1, 1, 1]}}}]},
     {"name": "weight", "kind": "rigid", "position": [0.8, 0, 0],
      "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}}],
    "joints": [{"type": "fixed", "a": "torus", "b": "weight", "ignore_contact": true,
      "select": {"relative_box": {"min": [0.9, 0, 0], "max": [1, 1, 1]}}}]})";
  const BuiltScene built = build_scene(parse_scene(text, "scene"), "scene");
  const WitnessedRun result = run_witnessed(built);
  EXPECT_TRUE(result.is_finished());
  for (const StepReport& step : result.steps) EXPECT_LT(step.joints.residual, 1e-8);
  EXPECT_LT(mean_of(built, result.state.nodes, 1)[1], -0.1);
}

// The spheres in the part that is moved go with it, and are held up by the floor.
TEST_F(MedialScene, a_part_that_is_moved_does_not_pass_through_the_floor_by_its_primitives) {
  const std::string text = R"({
    "time": {"step": 0.01, "duration": 0.2}, "gravity": [0, 0, 0], "bodies": [
    {"name": "bar", "kind": "medial", "collider": "medial", "handles": 12, "material": {"youngs_modulus": 1e6},
     "shape": {"type": "box", "size": [1, 0.1, 0.1], "cells_x": 20, "cells_y": 2, "cells_z": 2},
     "position": [0, 0.15, 0],
     "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0.3, 1, 1]}}, "velocity": [0, -1.5, 0]}]},
    {"kind": "obstacle", "position": [0, -0.05, 0],
     "shape": {"type": "box", "size": [3, 0.1, 3], "cells_x": 1, "cells_y": 1, "cells_z": 1}}]})";
  const BuiltScene built = build_scene(parse_scene(text, "scene"), "scene");
  const WitnessedRun result = run_witnessed(built);
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  EXPECT_GT(result.steps.back().motion_remaining, 0.1);
  Points x;
  compute_points(built.model.kinematics, result.state.nodes, x);
  const Body& bar = built.model.kinematics.bodies[0];
  for (size_t i = 0; i < bar.rest.points.size(); ++i) EXPECT_GT(x[i][1], -0.05);
}

TEST_F(MedialScene, a_body_that_is_moved_as_a_whole_is_refused) {
  const std::string text =
      R"({"bodies": [{"kind": "medial", "handles": 6, "shape": {"type": "box", "size": [1, 0.2, 0.2]},
    "prescribed": [{"select": {"all": true}, "velocity": [0, -1, 0]}]}]})";
  try {
    build_scene(parse_scene(text, "scene"), "scene");
    FAIL() << "it was built";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problem(), "the selected points leave nothing of the body free to move");
  }
}

TEST_F(MedialScene, of_steel_takes_no_more_iterations_than_a_soft_one) {
  const auto count = [](const std::string& kind) {
    const WitnessedRun result = run_text(fmt::format(R"({{
      "time": {{"step": 0.01, "duration": 0.3}},
      "bodies": [
        {{"kind": "{}", "shape": {{"type": "rod", "length": 0.6, "radius": 0.1, "resolution": 2, "segments": 8}},
         "position": [0, 0.3, 0], "rotation": [0, 30, 20], "material": {{"youngs_modulus": 2e11, "density": 7800}}}},
        {{"kind": "obstacle", "shape": {{"type": "box", "size": [2, 0.1, 2], "cells_x": 1, "cells_y": 1,
         "cells_z": 1}}, "position": [0, -0.05, 0]}}]}})",
                                                     kind));
    EXPECT_TRUE(result.is_finished());
    EXPECT_TRUE(result.is_clean());
    int iterations = 0;
    for (const StepReport& step : result.steps) iterations += step.newton.iterations;
    return iterations;
  };
  EXPECT_LT(count(R"(medial", "handles": 6, "cells": 8, "collider": "surface)"), 3 * count("soft"));
}

TEST_F(MedialScene, a_plate_of_slabs_falls_on_a_rod) {
  const std::string text = R"({
    "time": {"step": 0.01, "duration": 0.25},
    "bodies": [
    {"kind": "medial", "handles": 20, "cells": 16, "weight_threshold": 0.01, "collider": "medial",
     "shape": {"type": "box", "size": [0.8, 0.06, 0.5], "cells_x": 12, "cells_y": 1, "cells_z": 8},
     "position": [0, 0.3, 0], "material": {"youngs_modulus": 1e5}},
    {"kind": "obstacle", "shape": {"type": "rod", "length": 1, "radius": 0.1}, "rotation": [0, 90, 0]}]})";
  const BuiltScene built = build_scene(parse_scene(text, "scene", {}), "scene");
  const Mesh& collider = built.model.kinematics.bodies[0].collider;
  EXPECT_GT(collider.triangles.size(), 5u);
  const WitnessedRun result = run_text(text);
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  EXPECT_GT(result.steps.back().contacts, 0u);
}

// Neither by the thin ends of its cones, nor because spheres move that the body does not follow.
TEST_F(MedialScene, of_many_handles_does_not_meet_itself_in_free_fall) {
  const WitnessedRun result = run_text(R"({
    "time": {"step": 0.01, "duration": 0.15},
    "bodies": [{"kind": "medial", "handles": 30, "collider": "medial",
      "shape": {"type": "box", "size": [1.5, 0.2, 0.2]}, "material": {"youngs_modulus": 1e5}}]})");
  EXPECT_TRUE(result.is_finished());
  for (const StepReport& step : result.steps) {
    EXPECT_EQ(step.contacts, 0u);
    EXPECT_LE(step.newton.iterations, 3);
  }
}

TEST_F(MedialScene, a_ball_gives_way_more_with_extra_handles) {
  const char* text = R"({
    "time": {"step": 0.02, "duration": 0.4},
    "bodies": [
      {"kind": "medial", "handles": 1, "shape": {"type": "sphere", "radius": 0.5, "resolution": 4},
       "position": [0, 0.51, 0], "material": {"youngs_modulus": 2e4, "density": 1000}},
      {"kind": "obstacle", "shape": {"type": "box", "size": [4, 0.1, 4], "cells_x": 1, "cells_y": 1, "cells_z": 1},
       "position": [0, -0.05, 0]}]})";
  const auto measure_height = [&](const std::vector<std::string>& overrides, Index nodes) {
    const BuiltScene built = build_scene(parse_scene(text, "scene", overrides), "scene");
    EXPECT_EQ(built.model.kinematics.bodies[0].node_count, nodes);
    const WitnessedRun result = run_witnessed(built);
    EXPECT_TRUE(result.is_finished());
    EXPECT_TRUE(result.is_clean());
    return mean_of(built, result.state.nodes, 0).y();
  };
  const double more = measure_height(
      {"bodies[0].extra_handles=[[0,-0.4,0],[0.3,-0.3,0],[-0.3,-0.3,0],[0,-0.3,0.3],[0,-0.3,-0.3]]"}, 24);
  EXPECT_LT(more, measure_height({}, 4) - 0.002);
}

TEST_F(MedialScene, quadratic_handles_fall_and_collide) {
  const std::vector<std::string> overrides = {"bodies[0].handle=\"quadratic\"", "time.duration=0.2"};
  const BuiltScene built = build_scene(parse_scene(kFall, "scene", overrides), "scene");
  EXPECT_EQ(built.model.kinematics.bodies[0].node_count, 60);
  for (const char* collider : {"surface", "medial"}) {
    std::vector<std::string> all = overrides;
    all.push_back(std::string("bodies[0].collider=\"") + collider + "\"");
    const WitnessedRun result = run_text(kFall, all);
    EXPECT_TRUE(result.is_finished());
    EXPECT_TRUE(result.is_clean());
  }
}

// A clamped rod: all of its handles are on one chain of cones, so mixed ones are quadratic but for the
// clamp's.
TEST_F(MedialScene, mixed_handles_bend_where_the_medial_mesh_is_sparse) {
  const char* text = R"({
    "time": {"step": 0.05, "duration": 0.75},
    "bodies": [
      {"kind": "medial", "handles": 4, "cells": 12, "shape": {"type": "rod", "length": 1, "radius": 0.06},
       "material": {"youngs_modulus": 1e7, "density": 1000},
       "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0.05, 1, 1]}}}]}]})";
  const auto run = [&](const std::string& handles, const auto& check_nodes) {
    const std::vector<std::string> overrides =
        handles.empty() ? std::vector<std::string>() : std::vector{"bodies[0]." + handles};
    const BuiltScene built = build_scene(parse_scene(text, "scene", overrides), "scene");
    check_nodes(built.model.kinematics.bodies[0].node_count);
    const WitnessedRun result = run_witnessed(built);
    EXPECT_TRUE(result.is_finished());
    EXPECT_TRUE(result.is_clean());
    return mean_of(built, built.state.nodes, 0).y() - mean_of(built, result.state.nodes, 0).y();
  };
  Index affine_nodes = 0, quadratic_nodes = 0;
  const double affine = run("", [&](Index nodes) { affine_nodes = nodes; });
  const double quadratic = run("handle=\"quadratic\"", [&](Index nodes) { quadratic_nodes = nodes; });
  EXPECT_EQ(2 * quadratic_nodes, 5 * affine_nodes);
  const double mixed = run("handle=\"mixed\"", [&](Index nodes) {
    EXPECT_GT(nodes, affine_nodes);
    EXPECT_LT(nodes, quadratic_nodes);
  });
  const double by_hand =
      run("quadratic_handles=[[0,0,0]]", [&](Index nodes) { EXPECT_EQ(nodes, affine_nodes + 6); });
  EXPECT_GT(by_hand, affine);
  EXPECT_GT(mixed, 1.1 * affine) << affine << ' ' << by_hand << ' ' << mixed << ' ' << quadratic;
  EXPECT_NEAR(mixed, quadratic, 0.1 * quadratic);
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

// A tetrahedron's corners have medial spheres of next to no size.
TEST_F(MedialScene, free_fall_of_a_body_with_sharp_corners_is_that_of_a_point) {
  const std::filesystem::path mesh = std::filesystem::temp_directory_path() / "marrow_corner.obj";
  std::ofstream(mesh) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const WitnessedRun result = run_text(fmt::format(
      R"({{"time": {{"step": 0.01, "duration": 0.05}}, "bodies": [{{"kind": "medial", "handles": 20, "mesh": "{}",
        "material": {{"density": 1000}}}}]}})",
      mesh.string()));
  std::filesystem::remove(mesh);
  EXPECT_TRUE(result.is_finished());
  const StepReport& last = result.steps.back();
  EXPECT_LT((last.momentum - Vec3(0, -9.81 * 0.05 * 1000 / 6, 0)).norm(), 1e-6);
  EXPECT_LT(last.energies.elastic, 1e-9);
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

// Medial IPC's experiment: with friction the cacti hold the figure, without they let it through.
TEST_F(MedialScene, friction_holds_the_figure_between_the_cacti) {
  const auto run_example = [](const std::string& name) {
    const std::string path = std::string(MARROW_SOURCE_DIR) + "/examples/medial/" + name + ".json";
    const BuiltScene built =
        build_scene(read_scene(path, {"time.step=0.02", "time.duration=1.6"}), path);  // half the time
    const WitnessedRun result = run_witnessed(built);
    EXPECT_TRUE(result.is_finished());
    EXPECT_TRUE(result.is_clean());
    return mean_of(built, built.state.nodes, 0)[1] - mean_of(built, result.state.nodes, 0)[1];
  };
  EXPECT_LT(run_example("figure_into_cacti_rough"), 0.9);
  EXPECT_GT(run_example("figure_into_cacti_smooth"), 1.2);
}

// The other small scenes of examples/medial, to their end, at every iterate.
class MedialExample : public MedialScene, public testing::WithParamInterface<const char*> {};

TEST_P(MedialExample, runs_to_its_end_and_nothing_meets) {
  const std::string path = std::string(MARROW_SOURCE_DIR) + "/examples/medial/" + GetParam() + ".json";
  const WitnessedRun result = run_witnessed(build_scene(read_scene(path), path));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
}

INSTANTIATE_TEST_SUITE_P(Scenes, MedialExample,
                         testing::Values("figure_into_cards", "figure_pulled_20", "puffer_on_shelf",
                                         "ship_on_rods"),
                         [](const auto& scene) { return std::string(scene.param); });

}  // namespace
}  // namespace marrow::test
