// Checkpoints keep the state to the last bit, and a run resumed from one goes on as if nothing had been.
#include "output/run/checkpoint.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "output/run/changed_meshes.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "sim/simulate.h"

namespace marrow {
namespace {

constexpr std::uint64_t kFingerprint = 0x1234567890abcdef;

State make_state() {
  State state;
  state.step = 7;
  state.time = 0.1 * 7;
  state.nodes = VecX::LinSpaced(6, -1, 0.3);
  state.velocities = VecX::LinSpaced(6, 1, 9);
  state.contact_stiffness = 1.0 / 3;
  state.activations = {{0, 2, 1e-4 / 3}, {1, 2, 0.5}};
  state.linear = {true, 17, 9, 120};
  return state;
}

State pass_through(const State& state) {
  return parse_checkpoint(format_checkpoint(state, kFingerprint), "a.ckpt", kFingerprint);
}

// A box starts a tenth of d̂ above the floor.
BuiltScene build_near(int steps) {
  BuiltScene built =
      build_scene(parse_scene(R"({"time": {"step": 0.01, "duration": 1}, "contact": {"d_hat": 1e-3},
      "bodies": [{"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [1, 0.2, 1], "cells_x": 1,
        "cells_y": 1, "cells_z": 1}, "position": [0, -0.1, 0]},
        {"name": "box", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1,
        "cells_y": 1, "cells_z": 1}, "position": [0, 0.1001, 0], "velocity": [0, -0.01, 0]}]})",
                              "scene"),
                  "scene");
  built.model.time.duration = 0.01 * steps;
  return built;
}

State run_from(const State& start, int steps) {
  const BuiltScene built = build_near(steps);
  State state = start.step == 0 ? built.state : start;
  simulate(built.model, state, {});
  return state;
}

}  // namespace

TEST(Checkpoint, keeps_the_state_to_the_last_bit) {
  const State state = make_state(), read = pass_through(state);
  EXPECT_EQ(read.step, state.step);
  EXPECT_EQ(read.time, state.time);
  EXPECT_EQ(read.nodes, state.nodes);
  EXPECT_EQ(read.velocities, state.velocities);
  EXPECT_EQ(read.contact_stiffness, state.contact_stiffness);
  EXPECT_EQ(read.activations, state.activations);
  EXPECT_EQ(read.linear, state.linear);
  State plain = state;
  plain.activations.clear();
  plain.linear = {};
  EXPECT_TRUE(pass_through(plain).activations.empty());
  EXPECT_EQ(pass_through(plain).linear, SolverMemory());
}

TEST(Checkpoint, keeps_meshes_that_changed) {
  State state = make_state();
  const ChangedMesh mesh = {
      1, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.0 / 3}}, {{0, 1, 2, 3}}, {0, 1, 2, kNone}, {{4, 3}}};
  state.meshes = {std::make_shared<const ChangedMesh>(mesh)};
  const State read = pass_through(state);
  EXPECT_EQ(read.nodes, state.nodes);
  EXPECT_EQ(read.activations, state.activations);
  ASSERT_EQ(read.meshes.size(), 1U);
  EXPECT_EQ(read.meshes[0]->body, 1);
  EXPECT_EQ(read.meshes[0]->points, mesh.points);
  EXPECT_EQ(read.meshes[0]->tets, mesh.tets);
  EXPECT_EQ(read.meshes[0]->origins, mesh.origins);
  EXPECT_EQ(read.meshes[0]->held, mesh.held);
  const std::string bytes = format_meshes(state.meshes);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(parse_meshes({bytes.data(), size}, "a.mesh"), InputError) << size;
  EXPECT_THROW(parse_meshes(bytes + "x", "a.mesh"), InputError);
  ChangedMesh bad = mesh;
  bad.tets[0][2] = 4;
  EXPECT_THROW(parse_meshes(format_meshes({std::make_shared<const ChangedMesh>(bad)}), "a.mesh"), InputError);
}

TEST(Checkpoint, a_run_that_started_close_to_the_floor_goes_on_with_the_same_bits) {
  const State whole = run_from({}, 10), half = run_from({}, 4);
  ASSERT_EQ(half.activations.size(), 1u);
  const State resumed = run_from(pass_through(half), 10);
  ASSERT_EQ(resumed.step, 10);
  EXPECT_EQ(resumed.nodes, whole.nodes);
  EXPECT_EQ(resumed.velocities, whole.velocities);
  EXPECT_EQ(resumed.activations, whole.activations);
  // They matter: without them the box is thrown up.
  State forgetful = half;
  forgetful.activations.clear();
  EXPECT_NE(run_from(forgetful, 10).nodes, whole.nodes);
}

TEST(Checkpoint, damage_and_another_scene_are_refused_by_name) {
  const std::string bytes = format_checkpoint(make_state(), kFingerprint);
  const auto explain = [](const std::string& damaged, std::uint64_t fingerprint) {
    try {
      parse_checkpoint(damaged, "a.ckpt", fingerprint);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string not_whole = "a.ckpt: is not a complete checkpoint: ";
  const std::string advice = "\n  Delete it; an older one will be used.";
  std::string flipped = bytes;
  flipped[bytes.size() / 2] = static_cast<char>(flipped[bytes.size() / 2] ^ 1);
  EXPECT_EQ(explain(bytes, kFingerprint), "no error");
  EXPECT_EQ(explain(flipped, kFingerprint), not_whole + "wrong checksum" + advice);
  EXPECT_EQ(explain(bytes.substr(0, bytes.size() - 8), kFingerprint), not_whole + "wrong length" + advice);
  EXPECT_EQ(explain("MARROW", kFingerprint), not_whole + "too short" + advice);
  EXPECT_EQ(explain(bytes, kFingerprint + 1),
            "a.ckpt: belongs to another scene\n"
            "  Resume with the scene and meshes the run was started with, or start again in another folder.");
}

}  // namespace marrow
