// The answers to mistakes in scenes of dimension 2, and in the weighting of contact.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

std::string refuse_scene(const std::string& text) {
  try {
    build_scene(parse_scene(text, "scene.json"), "scene.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// A scene of dimension 2 with one body that has these keys beside its shape.
std::string refuse_body(const std::string& keys, const std::string& shape = R"({"type": "disk"})") {
  return refuse_scene(R"({"dimension": 2, "bodies": [{"shape": )" + shape + ", " + keys + "}]}");
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(PlanarErrors, what_lies_in_space_is_refused) {
  EXPECT_EQ(refuse_body(R"("position": [1, 2, 0])"), "no error");
  expect_has(refuse_body(R"("kind": "rigid")"), "there are no rigid bodies in a scene of dimension 2");
  expect_has(refuse_body(R"("position": [0, 0, 1])"), "bodies lie at z = 0 in a scene of dimension 2");
  expect_has(refuse_body(R"("rotation": [10, 0, 0])"), "bodies turn about z only");
  expect_has(refuse_body(R"("velocity": [0, 0, 1])"), "bodies move along x and y only");
  expect_has(refuse_body(R"("thickness": 0.1)"), "bodies are 1 m deep");
  expect_has(refuse_body(R"("order": 2)"), "elements have order 1");
  expect_has(refuse_body(R"("name": "a")", R"({"type": "box"})"), "the shape box does not lie in the plane");
  expect_has(refuse_body(R"("prescribed": [{"select": {"all": true}, "velocity": [0, 0, 1]}])"),
             "the motion leaves the plane");
  expect_has(refuse_body(R"("prescribed": [{"select": {"all": true}, "translation": [0, 0, "t"]}])"),
             "the motion leaves the plane");
  expect_has(refuse_body(R"("prescribed": [{"select": {"all": true}, "angle": "90*t"}])"),
             "the motion leaves the plane");
  EXPECT_EQ(refuse_body(R"("prescribed": [{"select": {"all": true}, "angle": "90*t", "axis": [0, 0, 1]}])"),
            "no error");
  expect_has(
      refuse_scene(R"({"dimension": 2, "gravity": [0, 0, -9.81], "bodies": [{"shape": {"type": "disk"}}]})"),
      "gravity has no z");
  expect_has(refuse_scene(R"({"dimension": 2, "solver": {"stepper": "projective"},
                             "bodies": [{"shape": {"type": "disk"}}]})"),
             "steps are Newton's");
  expect_has(refuse_scene(R"({"dimension": 2, "bodies": [{"name": "a", "shape": {"type": "disk"}}],
                             "joints": [{"type": "ball", "a": "a", "at": [0, 0, 0]}]})"),
             "there are no joints");
}

TEST(PlanarErrors, meshes_must_be_flat_triangles) {
  const std::string file = (std::filesystem::temp_directory_path() / "planar_errors.obj").string();
  const auto refuse_mesh = [&](const std::string& text) {
    write_file(file, text);
    return refuse_scene(R"({"dimension": 2, "bodies": [{"mesh": ")" + file + R"("}]})");
  };
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  EXPECT_EQ(refuse_mesh(square + "f 1 2 3\nf 1 4 3\n"), "no error");  // either way round
  expect_has(refuse_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0.5\nf 1 2 3\n"), "point 2 (counted from 0) has z = 0.5");
  expect_has(refuse_mesh(square + "v 1 2 0\nf 1 2 3\nf 1 3 4\nf 1 3 5\n"), "overlap");
  expect_has(refuse_mesh(square + "l 1 2\n"), "the mesh has no triangles");
  std::filesystem::remove(file);
}

TEST(WeightingErrors, each_weighting_has_its_own_stiffness) {
  const auto refuse = [](const std::string& contact) {
    return refuse_scene(R"({"contact": )" + contact + R"(, "bodies": [{"shape": {"type": "box"}}]})");
  };
  EXPECT_EQ(refuse(R"({"weighting": "area", "stiffness": 1e4})"), "no error");
  EXPECT_EQ(refuse(R"({"kappa": 1})"), "no error");
  expect_has(refuse(R"({"weighting": "area", "kappa": 1})"), "Give contact.stiffness in Pa");
  expect_has(refuse(R"({"stiffness": 1e4})"), "Set contact.weighting to \"area\"");
}

}  // namespace
}  // namespace marrow
