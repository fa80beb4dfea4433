// A step depends on the state it begins with and on nothing else: one that a solver takes after many others
// has the same bits as one that a new solver takes.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "sim/step.h"

namespace marrow::test {
namespace {

// Boxes that turn, hit and slide on a plate that is shaken; the plate's motion is reached in rounds.
const char* const kShakenBoxes = R"json({
  "time": {"step": 0.01, "duration": 0.3}, "contact": {"friction": 0.4},
  "bodies": [
    {"name": "floor", "kind": "obstacle", "position": [0, -0.025, 0],
     "shape": {"type": "plate", "width": 3, "depth": 3, "cells_x": 6, "cells_z": 6},
     "prescribed": [{"select": {"all": true}, "translation": ["0.05*sin(9*t)", 0, 0]}]},
    {"name": "rigid", "kind": "rigid", "position": [0, 0.6, 0], "rotation": [10, 20, 30], "velocity": [0, -3, 0],
     "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
    {"name": "affine", "kind": "affine", "position": [0.6, 0.2, 0], "rotation": [10, 20, 30],
     "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
    {"name": "other", "kind": "rigid", "position": [0.9, 0.8, 0],
     "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}}]
})json";

// A motor swings an arm into a soft box that lies on a plate, with friction.
const char* const kSwung = R"({
  "time": {"step": 0.01, "duration": 0.3}, "contact": {"friction": 0.3},
  "bodies": [
    {"name": "floor", "kind": "obstacle", "position": [0, -0.05, 0],
     "shape": {"type": "box", "size": [3, 0.1, 3], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
    {"name": "soft", "position": [0.35, 0.102, 0], "material": {"youngs_modulus": 1e5},
     "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2}},
    {"name": "arm", "kind": "rigid", "position": [0, 0.4, 0],
     "shape": {"type": "box", "size": [0.1, 0.6, 0.1], "cells_x": 1, "cells_y": 1, "cells_z": 1}}],
  "joints": [{"type": "hinge", "a": "arm", "at": [0, 0.7, 0], "axis": [0, 0, 1],
              "motor": {"speed": 4}}]
})";

// A fast rigid ball meets a light affine box in the middle of steps.
const char* const kFast = R"({
  "time": {"step": 0.02, "duration": 0.2}, "gravity": [0, 0, 0],
  "bodies": [
    {"name": "ball", "kind": "rigid", "position": [-1, 0.02, 0.01], "velocity": [40, 0, 0],
     "shape": {"type": "sphere", "radius": 0.1}},
    {"name": "box", "kind": "affine", "position": [0.3, 0, 0], "rotation": [10, 20, 30],
     "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}}]
})";

class StateOnly : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

INSTANTIATE_TEST_SUITE_P(Scenes, StateOnly,
                         testing::Combine(testing::Values(kShakenBoxes, kSwung, kFast),
                                          testing::Values("implicit_euler", "bdf2", "newmark")));

}  // namespace

TEST_P(StateOnly, a_new_solver_takes_every_step_with_the_same_bits) {
  const auto [text, integrator] = GetParam();
  const BuiltScene built =
      build_scene(parse_scene(text, "scene", {std::string("time.integrator=") + integrator}), "scene");
  StepTerms lasting(built.model);
  State state = built.state;
  const int steps = static_cast<int>(std::lround(built.model.time.duration / built.model.time.step));
  while (state.step < steps) {
    State other = state;
    StepTerms fresh(built.model);
    take_step(fresh, other);
    const int before = state.step;
    take_step(lasting, state);
    ASSERT_EQ(state.step, before + 1);
    ASSERT_EQ(other.nodes, state.nodes) << "step " << state.step;
    ASSERT_EQ(other.velocities, state.velocities) << "step " << state.step;
  }
}

}  // namespace marrow::test
