// Contact weighted by area in whole runs: forces and gaps do not depend on the mesh, friction holds as
// Coulomb says.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "math/barrier_function.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

constexpr double kCubeYoung = 1e5, kLayerStiffness = 5e3, kLayerHeight = 0.02;

// A soft cube is pressed on a floor by 4 % of its height, without friction.
BuiltScene build_cube_press(int cells, const std::string& weighting) {
  const std::string stiffness =
      weighting == "area" ? fmt::format("\"stiffness\": {}", kLayerStiffness) : std::string("\"kappa\": 0.4");
  return build_text(fmt::format(
      R"({{"gravity": [0, 0, 0], "time": {{"step": 0.25, "duration": 1, "integrator": "quasi_static"}},
  "contact": {{"weighting": "{}", {}, "d_hat": {}}}, "solver": {{"tolerance": 1e-6}},
  "bodies": [
    {{"name": "floor", "kind": "obstacle", "position": [0, -0.5, 0],
     "shape": {{"type": "box", "size": [2, 1, 2], "cells_x": 13, "cells_y": 1, "cells_z": 11}}}},
    {{"name": "cube", "position": [0, 0.52, 0], "material": {{"youngs_modulus": {}, "poissons_ratio": 0}},
     "shape": {{"type": "box", "size": [1, 1, 1], "cells_x": {}, "cells_y": {}, "cells_z": {}}},
     "prescribed": [{{"select": {{"relative_box": {{"min": [0, 1, 0], "max": [1, 1, 1]}}}}, "velocity": [0, -0.04, 0]}}]}}]}})",
      weighting, stiffness, kLayerHeight, kCubeYoung, cells, cells, cells));
}

double press_cube(int cells, const std::string& weighting) {
  const WitnessedRun result = run_witnessed(build_cube_press(cells, weighting));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  const StepReport& last = result.steps.back();
  return last.forces.pairs.empty() ? 0 : last.forces.pairs.front().pressing;
}

// The same in one dimension: neo-Hookean without Poisson's effect, P = µ (F − 1/F), and the layer below.
double find_expected_pressure() {
  double low = 0, high = 0.04;
  for (int k = 0; k < 100; ++k) {
    const double shortening = (low + high) / 2, F = 1 - shortening;
    const double elastic = -kCubeYoung / 2 * (F - 1 / F);
    const double x = 1 - (0.04 - shortening) / kLayerHeight;
    const double barrier =
        x > 0 ? -2 * kLayerStiffness * x * compute_barrier_function(x * x).first : INFINITY;
    (elastic < barrier ? low : high) = shortening;
  }
  return -kCubeYoung / 2 * (1 - low - 1 / (1 - low));
}

TEST(AreaContact, a_pressed_cube_has_the_force_of_the_continuum_on_three_meshes) {
  const double expected = find_expected_pressure();
  std::vector<double> forces;
  for (const int cells : {4, 8, 12}) forces.push_back(press_cube(cells, "area"));
  for (const double force : forces) EXPECT_NEAR(force, forces.back(), 0.01 * forces.back());
  // The sides of the cube count at its rim: an error of first order.
  EXPECT_NEAR(forces[0], expected, 0.015 * expected);
  EXPECT_NEAR(forces[2], expected, 0.006 * expected);
  // With the barrier of pairs the layer stiffens with the number of points.
  EXPECT_GT(press_cube(8, "pair"), 1.02 * press_cube(4, "pair"));
}

// Derjaguin: a sphere above a plane is pushed with 2π R κ d̂ b(g²/d̂²).
TEST(AreaContact, a_ball_rests_at_the_same_gap_on_three_meshes) {
  constexpr double kRadius = 0.5, kDensity = 1000, kReach = 0.05, kBallStiffness = 2e5;
  std::vector<double> gaps;
  for (const int resolution : {4, 5, 6}) {
    const WitnessedRun result = run_witnessed(build_text(fmt::format(
        R"({{"time": {{"step": 0.05, "duration": 2}}, "solver": {{"tolerance": 1e-6}},
  "contact": {{"weighting": "area", "stiffness": {}, "d_hat": {}}},
  "bodies": [
    {{"name": "floor", "kind": "obstacle", "position": [0, -0.5, 0],
     "shape": {{"type": "box", "size": [2, 1, 2], "cells_x": 13, "cells_y": 1, "cells_z": 11}}}},
    {{"name": "ball", "kind": "rigid", "position": [0, 0.56, 0], "rotation": [17, 29, 41],
     "material": {{"density": {}}},
     "shape": {{"type": "sphere", "radius": {}, "resolution": {}}}}}]}})",
        kBallStiffness, kReach, kDensity, kRadius, resolution)));
    EXPECT_TRUE(result.is_finished());
    EXPECT_TRUE(result.is_clean());
    gaps.push_back(result.steps.back().smallest_gap);
  }
  // m g = 2π R κ d̂ b(g²/d̂²).
  const double weight = 4.0 / 3 * std::numbers::pi * std::pow(kRadius, 3) * kDensity * 9.81;
  double low = 1e-6, high = 1;
  for (int k = 0; k < 100; ++k) {
    const double x = (low + high) / 2;
    const double force =
        2 * std::numbers::pi * kRadius * kBallStiffness * kReach * compute_barrier_value(x * x);
    (force > weight ? low : high) = x;
  }
  for (const double gap : gaps) EXPECT_NEAR(gap, low * kReach, 0.03 * kReach);
  EXPECT_NEAR(gaps[1], gaps[2], 0.02 * kReach);
}

std::vector<std::string> by_area(double mu, double duration) {
  return {"contact.weighting=area", fmt::format("contact.friction={}", mu),
          fmt::format("time.duration={}", duration)};
}

// The block of examples/ipc/slope_sticks.json on a slope of tangent 0.5.
TEST(AreaContact, a_block_slides_one_percent_below_the_threshold_and_sticks_one_percent_above) {
  const Vec3 down = Vec3(2, -1, 0).normalized();
  const double mass = 1000 * 0.25 * 0.25 * 0.25;
  const WitnessedRun sticks = run_witnessed(build_ipc_scene("slope_sticks", by_area(0.505, 2)));
  ASSERT_TRUE(sticks.is_finished() && sticks.is_clean());
  EXPECT_LT(std::abs(sticks.steps.back().momentum.dot(down) / mass), 2e-5);
  const WitnessedRun slides = run_witnessed(build_ipc_scene("slope_slides", by_area(0.495, 2)));
  ASSERT_TRUE(slides.is_finished() && slides.is_clean());
  const size_t half = slides.steps.size() / 2;
  const double duration = 0.025 * static_cast<double>(slides.steps.size() - 1 - half);
  const double acceleration =
      (slides.steps.back().momentum - slides.steps[half].momentum).dot(down) / mass / duration;
  const double expected = 9.81 * (0.5 - 0.495) / std::sqrt(1.25);
  EXPECT_NEAR(acceleration, expected, 0.05 * expected);
}

// Rigid, affine and soft bodies in a pile, with friction and the stiffness that follows from the bodies.
TEST(AreaContact, bodies_of_all_kinds_come_to_rest_on_each_other) {
  const WitnessedRun result = run_witnessed(build_text(R"({
  "time": {"step": 0.02, "duration": 1}, "contact": {"weighting": "area", "friction": 0.4},
  "bodies": [
    {"name": "floor", "kind": "obstacle", "position": [0, -0.05, 0],
     "shape": {"type": "box", "size": [2, 0.1, 2], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
    {"name": "rigid", "kind": "rigid", "position": [0, 0.06, 0], "shape": {"type": "box", "size": [0.3, 0.1, 0.3]}},
    {"name": "affine", "kind": "affine", "position": [0, 0.17, 0], "rotation": [0, 30, 0],
     "shape": {"type": "box", "size": [0.2, 0.1, 0.2]}},
    {"name": "soft", "position": [0.02, 0.33, 0], "material": {"youngs_modulus": 1e5},
     "shape": {"type": "sphere", "radius": 0.08, "resolution": 1}}]})"));
  ASSERT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  const Vec3 weight = 9.81 * 1000 * (0.3 * 0.1 * 0.3 + 0.2 * 0.1 * 0.2) * Vec3::UnitY();
  double on_floor = 0;
  for (const PairForces& pair : result.steps.back().forces.pairs) {
    if (pair.a == 0) on_floor += pair.pressing;
  }
  EXPECT_GT(on_floor, weight.y());
  EXPECT_LT(on_floor, 1.15 * weight.y());
}

}  // namespace
}  // namespace marrow::test
