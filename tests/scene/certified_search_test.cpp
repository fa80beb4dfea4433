// Bodies that search themselves with certificates move as they do without, to the last bit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "exec/parallel.h"
#include "scene/build/build_certificates.h"
#include "scene/read_scene.h"
#include "sim/simulate.h"

namespace marrow {
namespace {

// A store of its own, so that tests neither find nor leave anything.
class CertifiedSearch : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = testing::TempDir() + "certified_" + test->name();
    std::filesystem::remove_all(folder_);
    make_folder(folder_);
    setenv("MARROW_CACHE", (folder_ + "/store").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("MARROW_CACHE");
    exec::set_thread_count(0);
    std::filesystem::remove_all(folder_);
  }

  // A square of triangles in the plane of x and z.
  std::string write_sheet(int cells, double size) const {
    std::string text;
    for (int i = 0; i <= cells; ++i) {
      for (int j = 0; j <= cells; ++j) {
        text += "v " + std::to_string(size * i / cells) + " 0 " + std::to_string(size * j / cells) + "\n";
      }
    }
    const auto add = [&](int a, int b, int c) {
      text += "f " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + "\n";
    };
    for (int i = 0; i < cells; ++i) {
      for (int j = 0; j < cells; ++j) {
        const int at = i * (cells + 1) + j + 1, across = at + cells + 1;
        add(at, at + 1, across);
        add(at + 1, across + 1, across);
      }
    }
    write_file(folder_ + "/sheet.obj", text);
    return folder_ + "/sheet.obj";
  }

  std::string folder_;
};

struct Outcome {
  State state;
  VecX initial;
  std::vector<CullingReport> culling;  // of every step
  std::vector<int> iterations;
  size_t contacts = 0;  // the most in a step

  size_t count_culled() const {
    size_t count = 0;
    for (const CullingReport& c : culling) count += c.certified_triangles;
    return count;
  }
};

Outcome run(std::string text, const std::string& how, int steps, const State* from = nullptr) {
  Scene scene = parse_scene(text, "test.json", {"bodies[0].self_collision=" + how});
  BuiltScene built = build_scene(scene, "test.json");
  add_certificates(scene, "test.json", built);
  Outcome outcome;
  outcome.initial = built.state.nodes;
  State state = from != nullptr ? *from : built.state;
  built.model.time.duration = (state.step + steps) * built.model.time.step;
  RunHooks hooks;
  hooks.on_step = [&](const State&, const StepReport& report) {
    outcome.culling.push_back(report.culling);
    outcome.iterations.push_back(report.newton.iterations);
    outcome.contacts = std::max(outcome.contacts, report.contacts);
  };
  EXPECT_EQ(simulate(built.model, state, hooks).end, RunEnd::Finished);
  outcome.state = state;
  return outcome;
}

void expect_same(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.state.nodes, b.state.nodes);
  EXPECT_EQ(a.state.velocities, b.state.velocities);
  EXPECT_EQ(a.iterations, b.iterations);
}

void expect_same_with_and_without(const std::string& text, int steps) {
  const Outcome plain = run(text, "plain", steps), certified = run(text, "certified", steps);
  expect_same(plain, certified);
  EXPECT_GT(certified.contacts, 0u);
  EXPECT_GT(certified.count_culled(), 0u);
  EXPECT_EQ(plain.count_culled(), 0u);
  // The last steps are deformed enough that not everything is certified any more.
  EXPECT_LT(certified.culling.back().certified_triangles, certified.culling.back().triangles);
}

// A bar is turned until its sides fold onto each other.
constexpr const char* kTwist = R"({
  "time": {"step": 0.02, "duration": 1}, "gravity": [0, 0, 0],
  "contact": {"d_hat": 2e-3, "friction": 0.3},
  "bodies": [{"shape": {"type": "box", "size": [1, 0.04, 0.3], "cells_x": 20, "cells_y": 1, "cells_z": 6},
    "material": {"youngs_modulus": 1e5, "poissons_ratio": 0.3},
    "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}},
      {"select": {"relative_box": {"min": [1, 0, 0], "max": [1, 1, 1]}},
       "keyframes": [{"time": 0}, {"time": 0.24, "rotation": [900, 0, 0], "translation": [-0.3, 0, 0]}]}]}]})";

TEST_F(CertifiedSearch, twisting_bar) {
  expect_same_with_and_without(kTwist, 12);
  // Regions were asked about ways they were not chosen for, and did not always hold there.
  EXPECT_GT(run(kTwist, "certified", 12).culling.back().renewed, 0u);
}

TEST_F(CertifiedSearch, folding_cloth_with_radius_and_friction) {
  const std::string text = R"({
    "time": {"step": 0.02, "duration": 1}, "gravity": [0, -9.81, 0],
    "contact": {"d_hat": 1e-3, "friction": 0.5},
    "bodies": [{"mesh": ")" +
                           write_sheet(16, 0.5) + R"(", "thickness": 0.002, "radius": 0.002,
      "material": {"density": 300, "youngs_modulus": 1e5, "poissons_ratio": 0.3},
      "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}},
        {"select": {"relative_box": {"min": [1, 0, 0], "max": [1, 1, 1]}}, "about": [0.25, 0, 0.25],
         "keyframes": [{"time": 0}, {"time": 0.2, "rotation": [0, 0, 178.9]}]}]},
      {"kind": "obstacle", "shape": {"type": "plate", "width": 2, "depth": 2}, "position": [0.25, -0.2, 0.25]}]})";
  expect_same_with_and_without(text, 18);
}

// Arms held at one end, as one body, drawn together beside affine bodies, which move in groups.
TEST_F(CertifiedSearch, tentacles_beside_affine_bodies) {
  const std::string text = R"({
    "time": {"step": 0.02, "duration": 1}, "gravity": [0, -9.81, 0], "contact": {"d_hat": 2e-3},
    "bodies": [{"shape": {"type": "rod", "radius": 0.05, "length": 0.8, "segments": 16},
      "repeat": {"count_x": 1, "count_y": 2, "count_z": 2, "step": [0, 0.13, 0.13]},
      "material": {"density": 1000, "youngs_modulus": 3e4, "poissons_ratio": 0.4},
      "velocity": [0, 0, 0],
      "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0.1, 0.4, 1]}}},
        {"select": {"relative_box": {"min": [0, 0.6, 0], "max": [0.1, 1, 1]}},
         "keyframes": [{"time": 0}, {"time": 0.1, "rotation": [0, 0, -30], "translation": [0, -0.015, 0]}]}]},
      {"kind": "affine", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}, "position": [0.2, 0.35, 0.06]}]})";
  expect_same_with_and_without(text, 10);
}

TEST_F(CertifiedSearch, does_not_depend_on_threads_and_resumes) {
  exec::set_thread_count(1);
  const Outcome one = run(kTwist, "certified", 8);
  exec::set_thread_count(3);
  expect_same(one, run(kTwist, "certified", 8));
  // From the state in the middle, with nothing remembered of the steps before.
  const Outcome first = run(kTwist, "certified", 4);
  const Outcome second = run(kTwist, "certified", 4, &first.state);
  EXPECT_EQ(second.state.nodes, one.state.nodes);
  EXPECT_EQ(second.state.velocities, one.state.velocities);
}

// The same scene, whatever is searched how: a run may be resumed with another choice.
TEST_F(CertifiedSearch, is_no_part_of_the_fingerprint) {
  const auto fingerprint = [](const std::string& how) {
    const Scene scene = parse_scene(kTwist, "test.json", {"bodies[0].self_collision=" + how});
    return build_scene(scene, "test.json").fingerprint;
  };
  EXPECT_EQ(fingerprint("plain"), fingerprint("certified"));
}

std::vector<std::string> prepare(const std::string& text) {
  const Scene scene = parse_scene(text, "test.json");
  BuiltScene built = build_scene(scene, "test.json");
  return add_certificates(scene, "test.json", built);
}

TEST_F(CertifiedSearch, is_stored_and_found_again) {
  const std::string box = R"({"bodies": [{"shape": {"type": "box"}, "self_collision": "certified"}]})";
  EXPECT_NE(prepare(box).at(0).find("computed in"), std::string::npos);
  EXPECT_NE(prepare(box).at(0).find("from the store"), std::string::npos);
  // Moved and turned it is the same body.
  const std::string moved = R"({"contact": {"d_hat": 1e-3}, "bodies": [{"shape": {"type": "box"},
      "self_collision": "certified"}, {"shape": {"type": "box"}, "self_collision": "certified",
      "position": [0.3, 5.1, -2], "rotation": [10, 20, 30]}]})";
  const std::vector<std::string> notes = prepare(moved);
  EXPECT_NE(notes.at(0).find("computed in"), std::string::npos);
  EXPECT_NE(notes.at(1).find("from the store"), std::string::npos);
  // Little is not worth it.
  EXPECT_TRUE(prepare(R"({"bodies": [{"shape": {"type": "box"}}]})").empty());
}

std::string find_problem(const std::string& text) {
  try {
    prepare(text);
  } catch (const InputError& error) {
    return to_string(error.where()) + ": " + error.problem();
  }
  return "none";
}

TEST_F(CertifiedSearch, refuses_what_it_cannot_do) {
  EXPECT_EQ(find_problem(R"({"bodies": [{"shape": {"type": "box"}, "kind": "rigid",
                              "self_collision": "certified"}]})"),
            "test.json:2:49, at bodies[0].self_collision: rigid bodies do not collide with themselves, so "
            "there is nothing to certify");
  EXPECT_NE(find_problem(R"({"bodies": [{"shape": {"type": "box"}, "self_contact": false,
                              "self_collision": "certified"}]})")
                .find("does not collide with itself"),
            std::string::npos);
  EXPECT_NE(find_problem(R"({"bodies": [{"shape": {"type": "box"}, "mesh_part": "edges",
                              "thickness": 0.01, "self_collision": "certified"}]})")
                .find("certificates need triangles, but the body has none"),
            std::string::npos);
  EXPECT_NE(find_problem(R"({"bodies": [{"shape": {"type": "box"}, "self_collision": "often"}]})")
                .find("auto, certified, plain"),
            std::string::npos);
}

}  // namespace
}  // namespace marrow
