// The projective stepper with its guarantee, under the witness: every place that nodes are moved to, and
// every path. And without: what passes through is seen by the witness, and reported.
#include <gtest/gtest.h>

#include <cstdlib>

#include "core/temporary_folder.h"
#include "kinematics/joined.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

class ProjectiveScenes : public testing::Test {
 protected:
  void SetUp() override { setenv("MARROW_CACHE", store_.path.c_str(), 1); }
  void TearDown() override { unsetenv("MARROW_CACHE"); }

 private:
  TemporaryFolder store_;
};

// Two bodies dropped, one medial, at 30 steps a second.
const char* const kDropped = R"({
  "time": {"step": 0.0333, "duration": 0.7}, "contact": {"friction": 0.3},
  "solver": {"stepper": "projective"},
  "bodies": [
    {"kind": "soft", "shape": {"type": "box", "size": [0.4, 0.4, 0.4], "cells_x": 4, "cells_y": 4, "cells_z": 4},
     "position": [0, 0.5, 0], "rotation": [0, 20, 10], "material": {"youngs_modulus": 5e4}},
    {"kind": "medial", "handles": 6, "cells": 8, "weight_threshold": 0.01,
     "shape": {"type": "rod", "length": 0.6, "radius": 0.1, "resolution": 2, "segments": 8},
     "position": [0, 1.2, 0], "material": {"youngs_modulus": 5e4}},
    {"kind": "obstacle", "shape": {"type": "box", "size": [2, 0.2, 2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
     "position": [0, -0.1, 0]}]})";

// A block falls on rods thinner than its way in a step, with no vertex of theirs in its reach.
const char* const kThinRods = R"({
  "time": {"step": 0.0333, "duration": 0.5},
  "solver": {"stepper": "projective"},
  "bodies": [
    {"name": "block", "kind": "soft", "position": [0, 1, 0], "velocity": [0, -6, 0],
     "shape": {"type": "box", "size": [0.6, 0.2, 0.3], "cells_x": 6, "cells_y": 2, "cells_z": 3}},
    {"kind": "obstacle", "shape": {"type": "cylinder", "radius": 0.01, "height": 2, "resolution": 2, "layers": 1},
     "position": [-0.15, 0.3, 0], "rotation": [90, 0, 0]},
    {"kind": "obstacle", "shape": {"type": "cylinder", "radius": 0.01, "height": 2, "resolution": 2, "layers": 1},
     "position": [0.15, 0.3, 0], "rotation": [90, 0, 0]}]})";

double lowest_of_block(const BuiltScene& built, const VecX& nodes) {
  const Body& body = built.model.kinematics.bodies[0];
  double y = 1e9;
  for (Index i = 0; i < body.node_count; ++i) y = std::min(y, nodes[3 * (body.first_node + i) + 1]);
  return y;
}

// Whatever the number of iterations.
TEST_F(ProjectiveScenes, certified_steps_are_free_of_intersections) {
  for (const char* few : {"solver.projective.newton_iterations=0", "solver.projective.newton_iterations=1",
                          "solver.projective.iterations=3"}) {
    const WitnessedRun result = run_witnessed(build_text(kDropped, {few}));
    EXPECT_TRUE(result.is_finished()) << few;
    EXPECT_TRUE(result.is_clean()) << few;
    size_t contacts = 0;
    int quasi_newton = 0;
    for (const StepReport& step : result.steps) {
      contacts += step.contacts;
      quasi_newton += step.projective.quasi_newton_iterations;
    }
    EXPECT_GT(contacts, 0u) << few;
    EXPECT_GT(quasi_newton, 0) << few;
  }
}

TEST_F(ProjectiveScenes, certified_block_does_not_pass_thin_rods) {
  const BuiltScene built = build_text(kThinRods);
  for (const char* few : {"solver.projective.newton_iterations=1", "solver.projective.iterations=10"}) {
    const WitnessedRun result = run_witnessed(build_text(kThinRods, {few}));
    EXPECT_TRUE(result.is_finished());
    EXPECT_TRUE(result.is_clean());
    // It hangs over the rods, or lies on them: its middle has not fallen below.
    EXPECT_GT(lowest_of_block(built, result.state.nodes), -0.3);
    EXPECT_GT(result.steps.back().contacts, 0u);
  }
}

// The same with detected contact: no vertex enters a rod, and it falls through.
TEST_F(ProjectiveScenes, detected_block_passes_thin_rods_and_the_witness_sees_it) {
  const BuiltScene built = build_text(kThinRods);
  const WitnessedRun result = run_witnessed(build_text(kThinRods, {"solver.projective.contact=detected"}));
  EXPECT_TRUE(result.is_finished());
  EXPECT_GT(result.intersections, 0);
  EXPECT_LT(lowest_of_block(built, result.state.nodes), -0.3);
}

// Few iterations end near the solution: the weight is carried, step by step.
TEST_F(ProjectiveScenes, cut_short_steps_come_to_the_same_rest) {
  const char* const text = R"({
    "time": {"step": 0.02, "duration": 2},
    "solver": {"stepper": "projective"},
    "bodies": [
      {"kind": "soft", "shape": {"type": "box", "size": [0.4, 0.4, 0.4], "cells_x": 4, "cells_y": 4, "cells_z": 4},
       "position": [0, 0.21, 0], "material": {"youngs_modulus": 2e4}},
      {"kind": "obstacle", "shape": {"type": "box", "size": [2, 0.2, 2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
       "position": [0, -0.1, 0]}]})";
  const auto top = [&](const std::vector<std::string>& overrides) {
    const BuiltScene built = build_text(text);
    const WitnessedRun result = run_witnessed(build_text(text, overrides));
    EXPECT_TRUE(result.is_finished());
    EXPECT_TRUE(result.is_clean());
    const Body& body = built.model.kinematics.bodies[0];
    double y = 0;
    for (Index i = 0; i < body.node_count; ++i) y = std::max(y, result.state.nodes[3 * i + 1]);
    return y;
  };
  const double exact = top({"solver.stepper=newton"});
  EXPECT_LT(exact, 0.395);  // it sags by more than the tolerance below
  EXPECT_NEAR(top({}), exact, 2e-4);
  EXPECT_NEAR(top({"solver.projective.newton_iterations=1"}), exact, 1e-3);
  EXPECT_NEAR(top({"solver.projective.newton_iterations=0"}), exact, 2e-3);
  EXPECT_NEAR(top({"solver.projective.newton_iterations=0", "solver.projective.quasi_newton_iterations=0"}),
              exact, 2e-3);
}

}  // namespace
}  // namespace marrow::test
