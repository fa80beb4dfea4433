// Scenes in two dimensions: statics, friction, rest and impact of bodies in plane strain, under the exact
// checker.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "linalg/scalar_matrix.h"
#include "scenes/witness.h"
#include "sim/start/model_witness.h"

namespace marrow::test {
namespace {

WitnessedRun run_planar(const std::string& text, const std::vector<std::string>& overrides = {}) {
  WitnessedRun result = run_witnessed(build_text(text, overrides));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  for (Index i = 2; i < result.state.nodes.size(); i += 3) EXPECT_EQ(result.state.nodes[i], 0);
  return result;
}

// A beam that is clamped at its left end bends under its weight, in equilibrium. Returns how far its end
// sinks over Timoshenko's beam with the modulus of plane strain.
double bend_beam(int cells) {
  constexpr double kBeamLength = 2, kBeamHeight = 0.2, kBeamModulus = 1e6, kBeamRatio = 0.3,
                   kBeamDensity = 100, kBeamGravity = 0.5;
  const BuiltScene built = build_text(fmt::format(
      R"({{"dimension": 2, "gravity": [0, -{}, 0], "time": {{"step": 1, "duration": 1, "integrator": "quasi_static"}},
  "solver": {{"tolerance": 1e-8}},
  "bodies": [{{"shape": {{"type": "rectangle", "width": {}, "height": {}, "cells_x": {}, "cells_y": {}}},
    "material": {{"density": {}, "youngs_modulus": {}, "poissons_ratio": {}}},
    "prescribed": [{{"select": {{"box": {{"min": [-2, -1, -1], "max": [-0.9999, 1, 1]}}}}}}]}}]}})",
      kBeamGravity, kBeamLength, kBeamHeight, 10 * cells, cells, kBeamDensity, kBeamModulus, kBeamRatio));
  const WitnessedRun result = run_witnessed(built);
  EXPECT_TRUE(result.is_finished() && result.is_clean());
  double sunk = 0, count = 0;
  for (Index i = 0; i < result.initial.size(); i += 3) {
    if (result.initial[i] < 0.9999) continue;
    sunk += result.initial[i + 1] - result.state.nodes[i + 1];
    ++count;
  }
  const double load = kBeamDensity * kBeamGravity * kBeamHeight,
               moment = kBeamHeight * kBeamHeight * kBeamHeight / 12;
  const double plane = kBeamModulus / (1 - kBeamRatio * kBeamRatio),
               shear = kBeamModulus / (2 * (1 + kBeamRatio));
  const double expected = load * std::pow(kBeamLength, 4) / (8 * plane * moment) +
                          load * kBeamLength * kBeamLength / (2 * 5.0 / 6 * shear * kBeamHeight);
  return sunk / count / expected;
}

TEST(PlanarBody, a_cantilever_bends_as_in_plane_strain) {
  const double coarse = bend_beam(4), fine = bend_beam(8), finest = bend_beam(16);
  EXPECT_NEAR(finest, 1, 0.02);
  EXPECT_LT(std::abs(fine - 1), 0.4 * std::abs(coarse - 1));
  EXPECT_LT(std::abs(finest - 1), 0.5 * std::abs(fine - 1));
}

// A stiff block on a slope of tangent 0.5, in both weightings of contact.
WitnessedRun slide_planar(double mu, double duration, const std::string& weighting) {
  const double angle = std::atan(0.5), height = 0.125 + 0.0011;
  return run_planar(fmt::format(
      R"({{"dimension": 2, "time": {{"step": 0.025, "duration": {}}}, "solver": {{"tolerance": 1e-6}},
  "contact": {{"weighting": "{}", "friction": {}, "friction_iterations": -1, "d_hat": 0.001, "epsilon_v": 1e-5}},
  "bodies": [
    {{"name": "slope", "kind": "obstacle", "plane": {{"normal": [1, 2, 0]}}}},
    {{"name": "block", "shape": {{"type": "rectangle", "width": 0.25, "height": 0.25, "cells_x": 3, "cells_y": 3}},
     "position": [{}, {}, 0], "rotation": [0, 0, {}],
     "material": {{"density": 1000, "youngs_modulus": 1e8, "poissons_ratio": 0.4}}}}]}})",
      duration, weighting, mu, height * std::sin(angle), height * std::cos(angle),
      -angle * 180 / std::numbers::pi));
}

double speed_down(const WitnessedRun& result, size_t step) {
  return result.steps[step].momentum.dot(Vec3(2, -1, 0).normalized()) / (1000 * 0.25 * 0.25);
}

TEST(PlanarBody, a_block_slides_one_percent_below_the_threshold_and_sticks_one_percent_above) {
  for (const std::string weighting : {"pair", "area"}) {
    const WitnessedRun sticks = slide_planar(0.505, 2, weighting);
    EXPECT_LT(std::abs(speed_down(sticks, sticks.steps.size() - 1)), 2e-5) << weighting;
    for (const double mu : {0.0, 0.25, 0.495}) {
      const WitnessedRun slides = slide_planar(mu, mu > 0.4 ? 2 : 0.5, weighting);
      const size_t last = slides.steps.size() - 1, half = slides.steps.size() / 2;
      const double acceleration =
          (speed_down(slides, last) - speed_down(slides, half)) / (0.025 * static_cast<double>(last - half));
      const double expected = 9.81 * (0.5 - mu) / std::sqrt(1.25);
      EXPECT_NEAR(acceleration, expected, 0.05 * expected) << weighting << " " << mu;
    }
  }
}

const char* const kDisk = R"({"dimension": 2, "time": {"step": 0.005, "duration": 3},
  "contact": {"d_hat": 0.01},
  "bodies": [
    {"name": "disk", "shape": {"type": "disk", "radius": 0.2, "resolution": 5}, "position": [0, 0.5, 0],
     "material": {"youngs_modulus": 2e5, "damping": 0.01}},
    {"name": "floor", "kind": "obstacle", "shape": {"type": "rectangle", "width": 2, "height": 0.2},
     "position": [0, -0.1, 0]}]})";

double lowest_of_body(const WitnessedRun& result, Index nodes) {
  double lowest = INFINITY;
  for (Index i = 0; i < nodes; ++i) lowest = std::min(lowest, result.state.nodes[3 * i + 1]);
  return lowest;
}

TEST(PlanarBody, a_disk_falls_bounces_and_rests_with_its_weight_on_the_floor) {
  const BuiltScene built = build_text(kDisk);
  const Index nodes = built.model.kinematics.bodies[0].node_count;
  const WitnessedRun result = run_planar(kDisk);
  const StepReport& last = result.steps.back();
  double mass = 0;
  for (Index i = 0; i < nodes; ++i) mass += lump_rows(built.model.mass).values[static_cast<size_t>(i)];
  // Nearly the area of the circle, 1 m deep.
  EXPECT_NEAR(mass, 1000 * std::numbers::pi * 0.04, 0.02 * mass);
  const double lowest = lowest_of_body(result, nodes);
  EXPECT_GT(lowest, 0);
  EXPECT_LT(lowest, 0.01);
  ASSERT_EQ(last.forces.pairs.size(), 1u);
  EXPECT_NEAR(last.forces.pairs[0].normal.force.y(), mass * 9.81, 0.02 * mass * 9.81);
  EXPECT_NEAR(last.momentum.norm(), 0, 0.02 * mass);
  // It fell freely until it touched, and came up again.
  bool has_touched = false, has_risen = false;
  for (const StepReport& step : result.steps) {
    has_touched = has_touched || step.contacts > 0;
    has_risen = has_risen || (has_touched && step.momentum.y() > 0.2 * mass);
  }
  EXPECT_TRUE(has_risen);
}

TEST(PlanarBody, large_steps_leave_nothing_intersected) {
  const WitnessedRun result = run_planar(R"({"dimension": 2, "time": {"step": 0.1, "duration": 0.3},
  "contact": {"friction": 0.3},
  "bodies": [
    {"shape": {"type": "disk", "radius": 0.3, "resolution": 3}, "position": [-0.8, 1, 0], "velocity": [15, 0, 0],
     "material": {"youngs_modulus": 2e5}},
    {"shape": {"type": "disk", "radius": 0.3, "resolution": 3}, "position": [0.8, 1.2, 0], "velocity": [-15, 0, 0],
     "angular_velocity": [0, 0, 10], "material": {"youngs_modulus": 2e5}},
    {"shape": {"type": "rectangle", "width": 0.1, "height": 2, "cells_x": 1, "cells_y": 12}, "position": [0, 1.3, 0],
     "rotation": [0, 0, 20], "material": {"youngs_modulus": 2e5}},
    {"kind": "obstacle", "plane": {"height": 0}},
    {"kind": "obstacle", "shape": {"type": "rectangle", "width": 0.2, "height": 0.2, "cells_x": 1, "cells_y": 1},
     "rotation": [0, 0, 45], "position": [0.5, 0.2, 0]}]})");
  size_t contacts = 0;
  for (const StepReport& step : result.steps) contacts = std::max(contacts, step.contacts);
  EXPECT_GT(contacts, 5u);
}

// The checker sees whole triangles: one body inside another, and triangles that are turned over.
TEST(PlanarWitness, finds_bodies_inside_others_and_triangles_turned_over) {
  const BuiltScene inside = build_text(R"({"dimension": 2, "bodies": [
    {"shape": {"type": "disk", "radius": 1, "resolution": 3}},
    {"shape": {"type": "disk", "radius": 0.05, "resolution": 1}, "position": [0.1, 0.2, 0]}]})");
  Witness witness = make_witness(inside.model);
  witness.move_to(list_points(inside));
  EXPECT_GT(witness.count().intersections.value_or(0), 0);

  const BuiltScene alone =
      build_text(R"({"dimension": 2, "bodies": [{"shape": {"type": "disk", "resolution": 2}}]})");
  Witness other = make_witness(alone.model);
  Points points = list_points(alone);
  other.move_to(points);
  EXPECT_TRUE(other.count().is_clean());
  points[0] += Vec3(0.4, 0, 0);  // the middle, beyond the first ring
  other.move_to(points);
  EXPECT_GT(other.count().inversions.value_or(0), 0);
  EXPECT_GT(other.count().intersections.value_or(0), 0);
}

}  // namespace
}  // namespace marrow::test
