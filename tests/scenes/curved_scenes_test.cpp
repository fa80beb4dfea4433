// Scenes with curved tets, with the exact checker on every iterate: they fall, rest and are pressed flat.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "geometry/curved/jacobian_path.h"
#include "mesh/mesh_summary.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

// The smallest bound of the Jacobian over all curved tets of a model.
double least_jacobian(const Model& model, const VecX& n) {
  double least = std::numeric_limits<double>::infinity();
  for (const CurvedTets& tets : model.kinematics.curved) {
    const JacobianPath path(tets.order);
    const auto count = static_cast<size_t>(count_lattice(tets.order));
    for (size_t first = 0; first < tets.nodes.size(); first += count) {
      std::vector<Vec3> places;
      for (size_t k = 0; k < count; ++k) places.emplace_back(n.segment<3>(3 * tets.nodes[first + k]));
      double low = path.bound(places, 0).low;
      if (low <= 0) low = path.bound(places, 2).low;
      if (low <= 0) low = path.bound(places, 4).low;
      least = std::min(least, low);
    }
  }
  return least;
}

Points points_of(const BuiltScene& built, const VecX& n) {
  Points all;
  compute_points(built.model.kinematics, n, all);
  return all;
}

class CurvedScene : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, CurvedScene, testing::Values(1, 2, 3, 4));

// A column that hangs from its top, without Poisson's ratio, strains in one direction only: the stress per
// rest area at height y is P = ρ g y, and the law P = E/2 (s − 1/s) gives the stretch s.
TEST_P(CurvedScene, a_hanging_column_is_as_long_as_its_weight_makes_it) {
  const BuiltScene built = build_text(fmt::format(R"({{
    "time": {{"step": 1, "duration": 1, "integrator": "quasi_static"}},
    "solver": {{"tolerance": 1e-8}},
    "bodies": [
      {{"order": {}, "shape": {{"type": "box", "size": [0.2, 0.4, 0.2], "cells_x": 1, "cells_y": 2, "cells_z": 1}},
        "material": {{"density": 1000, "youngs_modulus": 2e4, "poissons_ratio": 0}},
        "prescribed": [{{"select": {{"relative_box": {{"min": [0, 1, 0], "max": [1, 1, 1]}}}}}}]}}]}})",
                                                  GetParam()));
  const WitnessedRun run = run_witnessed(built);
  EXPECT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean());
  double longer = 0;
  constexpr int kSlices = 1000;
  for (int k = 0; k < kSlices; ++k) {
    const double p = 1000 * 9.81 * 0.4 * (k + 0.5) / kSlices / 2e4;
    longer += (p + std::sqrt(1 + p * p) - 1) * 0.4 / kSlices;
  }
  double low = 1;
  for (const Vec3& x : points_of(built, run.state.nodes)) low = std::min(low, x.y());
  constexpr std::array<double, 5> kTolerance = {0, 0.02, 1e-3, 1e-4, 1e-5};
  EXPECT_NEAR(-0.2 - low, longer, kTolerance[static_cast<size_t>(GetParam())] * longer);
}

TEST_P(CurvedScene, a_ball_falls_bounces_and_stays_whole) {
  const BuiltScene built = build_text(fmt::format(R"({{
    "time": {{"step": 0.01, "duration": 0.35}},
    "bodies": [
      {{"kind": "obstacle", "plane": {{"height": 0}}}},
      {{"order": {}, "shape": {{"type": "sphere", "radius": 0.1, "resolution": 1}}, "position": [0, 0.25, 0],
        "material": {{"density": 1000, "youngs_modulus": 2e4, "poissons_ratio": 0.4}}}}]}})",
                                                  GetParam()));
  const WitnessedRun run = run_witnessed(built);
  EXPECT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean()) << run.intersections << " " << run.inversions;
  double contacts = 0, lowest = 1;
  for (const StepReport& step : run.steps) contacts = std::max(contacts, static_cast<double>(step.contacts));
  const Body& ball = built.model.kinematics.bodies[1];
  const Points points = points_of(built, run.state.nodes);
  for (Index i = 0; i < ball.W.rows(); ++i) {
    lowest = std::min(lowest, points[static_cast<size_t>(ball.first_point + i)].y());
  }
  EXPECT_GT(contacts, 0);
  EXPECT_GT(lowest, 0);
  EXPECT_LT(lowest, 0.2);
  EXPECT_GT(least_jacobian(built.model, run.state.nodes), 0);
}

// Between two plates that come together until a fifth of the height is left, with a material that allows flat
// tets.
TEST_P(CurvedScene, no_tet_turns_over_in_a_press) {
  const BuiltScene built = build_text(fmt::format(R"({{
    "time": {{"step": 0.02, "duration": 0.8}}, "gravity": [0, 0, 0],
    "bodies": [
      {{"kind": "obstacle", "shape": {{"type": "plate", "width": 0.6, "depth": 0.6, "thickness": 0.02}},
        "position": [0, -0.12, 0],
        "prescribed": [{{"select": {{"all": true}}, "velocity": [0, 0.1, 0]}}]}},
      {{"kind": "obstacle", "shape": {{"type": "plate", "width": 0.6, "depth": 0.6, "thickness": 0.02}},
        "position": [0, 0.12, 0],
        "prescribed": [{{"select": {{"all": true}}, "velocity": [0, -0.1, 0]}}]}},
      {{"order": {}, "shape": {{"type": "sphere", "radius": 0.1, "resolution": 1}},
        "material": {{"model": "stable_neo_hookean", "density": 1000, "youngs_modulus": 2e4,
          "poissons_ratio": 0.3}}}}]}})",
                                                  GetParam()));
  const WitnessedRun run = run_witnessed(built);
  EXPECT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean()) << run.intersections << " " << run.inversions;
  double low = 1, high = -1;
  const Body& ball = built.model.kinematics.bodies[2];
  const Points points = points_of(built, run.state.nodes);
  for (Index i = 0; i < ball.W.rows(); ++i) {
    const double y = points[static_cast<size_t>(ball.first_point + i)].y();
    low = std::min(low, y);
    high = std::max(high, y);
  }
  EXPECT_LT(high - low, 0.065);
  EXPECT_GT(least_jacobian(built.model, run.state.nodes), 0);
}

TEST(CurvedSceneErrors, are_told) {
  const auto expect = [](const std::string& body, const std::string& text) {
    try {
      build_text("{\"bodies\": [{" + body + "}]}");
      FAIL() << body;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  expect(R"("order": 5, "shape": {"type": "box"})", "order");
  expect(R"("order": 0, "shape": {"type": "box"})", "order");
  expect(R"("order": 2, "kind": "rigid", "shape": {"type": "box"})",
         "only tets of soft bodies have an order");
  expect(R"("order": 2, "thickness": 0.01, "shape": {"type": "sheet"})",
         "a body of order 2 has no thickness");
  expect(R"("order": 2, "surface": "carried", "tet_size": 0.2, "shape": {"type": "box"})",
         "tets of a lattice, some of them filled in part, have order 1");
  expect(R"("surface_cells": 2, "shape": {"type": "box"})", "the faces of straight tets are the triangles");
}

}  // namespace
}  // namespace marrow::test
