// What is written once and read as many bodies: variables, copies, included files, the ground.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "math/rotation.h"
#include "scene/describe.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

std::string answer_to_written(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_scene(text, "scene.json", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// A scene with one box that has these further keys.
std::string with_box(const std::string& keys, const std::string& scene_keys = "") {
  return "{" + scene_keys + R"("bodies": [{"shape": {"type": "box"}, )" + keys + "}]}";
}

// Files in a folder that is removed afterwards.
class IncludeTest : public testing::Test {
 protected:
  IncludeTest() { std::filesystem::create_directories(folder_ + "/parts"); }
  ~IncludeTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { write_file(folder_ + "/" + name, text); }
  Scene read(const std::string& text) { return parse_scene(text, folder_ + "/scene.json"); }
  std::string answer(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& error) {
      std::string what = error.what();
      for (size_t at = what.find(folder_); at != std::string::npos; at = what.find(folder_)) {
        what.replace(at, folder_.size(), "FOLDER");
      }
      return what;
    }
    return "no error";
  }

  std::string folder_ =
      std::filesystem::temp_directory_path() / ("marrow_include_" + std::to_string(::getpid()));
};

TEST(Variables, stand_for_numbers_wherever_one_is_wanted) {
  const Scene scene = parse_scene(
      R"({"variables": {"r": 0.1, "n": 3, "gap": "r / 10", "d": "2 * r + gap"},
          "time": {"step": "r / 10", "duration": "n"},
          "bodies": [{"name": "ball {n} of {2 * r}", "shape": {"type": "sphere", "radius": "r", "resolution": "n + 1"},
                      "position": [0, "d", "-d"], "pressure": "n * t + gap", "friction": "r",
                      "prescribed": [{"select": {"all": true}, "translation": ["d", "d * t", 0]}]}]})",
      "scene.json");
  const BodyDescription& body = scene.bodies.at(0);
  EXPECT_EQ(scene.time.step, 0.1 / 10);
  EXPECT_EQ(scene.time.duration, 3);
  EXPECT_EQ(body.name, "ball 3 of 0.2");
  EXPECT_EQ(std::get<SphereShape>(*body.shape).radius, 0.1);
  EXPECT_EQ(std::get<SphereShape>(*body.shape).resolution, 4);
  EXPECT_EQ(body.position, Vec3(0, 2 * 0.1 + 0.1 / 10, -(2 * 0.1 + 0.1 / 10)));
  EXPECT_DOUBLE_EQ(body.pressure->evaluate(2), 6.01);
  EXPECT_DOUBLE_EQ(body.prescribed[0].translation->evaluate(2).y(), 0.42);
  EXPECT_TRUE(body.prescribed[0].translation->x.is_constant());
}

TEST(Variables, are_replaced_in_the_canonical_scene) {
  const Scene scene = parse_scene(
      with_box(R"("pressure": "p * t^2", "name": "a{{b}")", R"("variables": {"p": -2}, )"), "scene.json");
  EXPECT_EQ(scene.bodies[0].pressure->text(), "(-2) * t^2");
  EXPECT_EQ(scene.bodies[0].name, "a{b}");
  const std::string text = describe_scene(scene);
  EXPECT_EQ(text.find("variables"), std::string::npos);
  EXPECT_EQ(describe_scene(parse_scene(text, "scene.json")), text);
}

TEST(Variables, change_from_the_command_line) {
  const std::string text = with_box(R"("scale": ["2 * a", 1, 1])", R"("variables": {"a": 1, "b": "a"}, )");
  EXPECT_EQ(parse_scene(text, "scene.json", {"variables.a=3"}).bodies[0].scale.x(), 6);
  EXPECT_EQ(parse_scene(text, "scene.json", {"variables.a=b * 2", "variables.b=2"}).bodies[0].scale.x(), 8);
  EXPECT_EQ(answer_to_written(text, {"variables.c=1"}),
            "--set variables.c=1: the scene has no variable \"c\"\n"
            "  Did you mean \"a\"?");
}

TEST(Variables, mistakes_are_told_with_place_and_column) {
  EXPECT_EQ(
      answer_to_written(with_box(R"("radius": "0.1 * lenght")", R"("variables": {"length": 1}, )")),
      "scene.json:1:78, at bodies[0].radius: found the text \"0.1 * lenght\", wanted a number or an "
      "expression; column 7: 'lenght' is not known; did you "
      "mean "
      "length?\n  radius [m]: Collision radius of all points: the surface that others touch lies this far "
      "outside the mesh. This also holds within the body, unless self_contact is false. If 0, the radii of "
      "the mesh file are used, times the largest factor of scale.");
  EXPECT_EQ(
      answer_to_written(with_box(R"("friction": "0 - 1")")),
      "scene.json:1:52, at bodies[0].friction: must be at least 0, found -1\n"
      "  friction: Coefficient of friction of the body. If both bodies have one, the geometric mean is used; "
      "if only one has, its value; if neither has, contact.friction. Entries of contact.pairs take "
      "precedence.");
  EXPECT_EQ(
      answer_to_written(R"({"variables": {"a": "b", "b": "c + 1", "c": "a"}, "bodies": []})"),
      "scene.json:1:21, at variables.a: the variable \"a\" depends on itself\n  Give one of them a number.");
  EXPECT_EQ(answer_to_written(R"({"variables": {"t": 1}, "bodies": []})"),
            "scene.json:1:16, at variables.t: \"t\" already has a meaning in expressions\n"
            "  Choose another name; t, pi, e and the functions are taken.");
  EXPECT_EQ(answer_to_written(R"({"variables": {"a": "1 / 0"}, "bodies": []})"),
            "scene.json:1:21, at variables.a: \"1 / 0\" is infinite or not a number\n"
            "  Look for a division by zero, or a root or logarithm of a negative number.");
  EXPECT_NE(answer_to_written(with_box(R"("radius": "0.1 * t")"))
                .find("depends on the time t, but one number is wanted"),
            std::string::npos);
  EXPECT_NE(answer_to_written(with_box(R"("name": "a {b")")).find("has a { without a }"), std::string::npos);
  EXPECT_NE(answer_to_written(with_box(R"("handles": "5 / 2")"))
                .find("found 2.5 from the text \"5 / 2\", wanted a whole number"),
            std::string::npos);
}

TEST(CopiesOfBodies, row_moves_and_turns) {
  const Scene scene = parse_scene(
      with_box(
          R"("name": "b", "position": [1, 0, 0], "copies": {"count": 3, "step": [2, 0, 0], "turn": [0, 0, 45]})"),
      "scene.json");
  ASSERT_EQ(scene.bodies.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    const BodyDescription& body = scene.bodies[static_cast<size_t>(i)];
    EXPECT_EQ(body.name, "b[" + std::to_string(i) + "]");
    EXPECT_EQ(body.group, "b");
    EXPECT_LT((body.position - Vec3(1 + 2 * i, 0, 0)).norm(), 1e-15);
    EXPECT_LT((body.rotation - Vec3(0, 0, 45 * i)).norm(), 1e-9);
  }
}

TEST(CopiesOfBodies, expressions_know_their_numbers) {
  const Scene scene =
      parse_scene(with_box(R"("name": "b {i} {j} {k} {index} {count}", "scale": ["1 + i", "1 + j", "1 + k"],
                  "copies": {"type": "grid", "count_x": 2, "count_y": 1, "count_z": 3, "step": [1, 2, 3]})"),
                  "scene.json");
  ASSERT_EQ(scene.bodies.size(), 6u);
  EXPECT_EQ(scene.bodies[5].name, "b 1 0 2 5 6");
  EXPECT_EQ(scene.bodies[5].scale, Vec3(2, 1, 3));
  EXPECT_EQ(scene.bodies[5].position, Vec3(1, 0, 6));
  EXPECT_EQ(scene.bodies[5].group, "");
}

TEST(CopiesOfBodies, ring_faces_its_centre) {
  const Scene scene =
      parse_scene(with_box(R"("position": [0, 1, 0], "copies": {"type": "ring", "count": 4, "radius": 2})"),
                  "scene.json");
  ASSERT_EQ(scene.bodies.size(), 4u);
  for (const BodyDescription& body : scene.bodies) {
    EXPECT_NEAR((body.position - Vec3(0, 1, 0)).norm(), 2, 1e-15);
    // The mesh's own x axis points outwards.
    const Vec3 outwards = rotation_from_degrees(body.rotation) * Vec3::UnitX();
    EXPECT_LT((body.position - Vec3(0, 1, 0) - 2 * outwards).norm(), 1e-12);
  }
}

TEST(CopiesOfBodies, what_stands_at_world_places_moves_along) {
  const Scene scene = parse_scene(
      with_box(
          R"("prescribed": [{"select": {"box": {"min": [0, 0, 0], "max": [1, 2, 3]}}, "about": [1, 0, 0]},
                                 {"select": {"sphere": {"center": [0, 0, 1], "radius": 0.1}}}],
                  "velocity": [1, 0, 0], "copies": {"count": 2, "step": [5, 0, 0], "turn": [0, 90, 0]})"),
      "scene.json");
  const BodyDescription& copy = scene.bodies.at(1);
  // About y by 90°: x becomes -z and z becomes x.
  EXPECT_LT((copy.prescribed[0].select.box->min - Vec3(5, 0, -1)).norm(), 1e-14);
  EXPECT_LT((copy.prescribed[0].select.box->max - Vec3(8, 2, 0)).norm(), 1e-14);
  EXPECT_LT((*copy.prescribed[0].about - Vec3(5, 0, -1)).norm(), 1e-14);
  EXPECT_LT((copy.prescribed[1].select.sphere->center - Vec3(6, 0, 0)).norm(), 1e-14);
  EXPECT_EQ(copy.velocity, Vec3(1, 0, 0));
  EXPECT_NE(
      answer_to_written(with_box(R"("prescribed": [{"select": {"box": {"min": [0, 0, 0], "max": [1, 2, 3]}}}],
                                  "copies": {"count": 2, "turn": [0, 30, 0]})"))
          .find("a box along the axes cannot be turned by this angle"),
      std::string::npos);
}

TEST(CopiesOfBodies, none_and_one_are_counts_too) {
  const std::string text = R"({"variables": {"n": 1}, "bodies": [
    {"name": "a", "kind": "rigid", "shape": {"type": "box"}, "copies": "n"}],
    "joints": [{"type": "ball", "a": "a[{i}]", "b": "a[{i + 1}]", "at": [0, 0, 0], "copies": "n - 1"}]})";
  const Scene one = parse_scene(text, "scene.json");
  EXPECT_EQ(one.bodies.size(), 1u);
  EXPECT_EQ(one.joints.size(), 0u);
  const Scene three = parse_scene(text, "scene.json", {"variables.n=3"});
  EXPECT_EQ(three.bodies.size(), 3u);
  ASSERT_EQ(three.joints.size(), 2u);
  EXPECT_EQ(three.joints[1].a, "a[1]");
  EXPECT_EQ(three.joints[1].b, "a[2]");
  EXPECT_NE(answer_to_written(text, {"variables.n=-1"}).find("must be at least 0, found -1"),
            std::string::npos);
}

TEST(CopiesOfBodies, joints_take_the_steps) {
  const Scene scene = parse_scene(R"({"bodies": [{"name": "a", "kind": "rigid", "shape": {"type": "box"},
      "copies": {"count": 4, "step": [0, 2, 0]}}],
    "joints": [{"name": "pin", "type": "hinge", "a": "a[{i}]", "b": "a[{i + 1}]", "at": [0, 1, 0], "axis": [1, 0, 0],
      "copies": {"count": 3, "step": [0, 2, 0], "turn": [0, 90, 0]}}]})",
                                  "scene.json");
  ASSERT_EQ(scene.joints.size(), 3u);
  EXPECT_EQ(*scene.joints[2].at, Vec3(0, 5, 0));
  EXPECT_LT((scene.joints[2].axis - Vec3(-1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(scene.joints[2].name, "pin[2]");
}

TEST(CopiesOfBodies, mistakes_name_the_copy) {
  EXPECT_EQ(answer_to_written(with_box(R"("name": "a", "kind": "rigid", "stiffness": 1, "copies": 2)")),
            "scene.json:1:83, at bodies[0].stiffness: a rigid body does not deform (copy a[0])\n"
            "  Remove it, or make the body affine.");
  EXPECT_NE(answer_to_written(with_box(R"("copies": {"type": "circle", "count": 2})"))
                .find("Did you mean \"ring\"?"),
            std::string::npos);
  EXPECT_NE(answer_to_written(with_box(R"("copies": {"type": "grid", "count_x": 1000, "count_y": 1000})"))
                .find("more than 100000 copies"),
            std::string::npos);
  EXPECT_NE(answer_to_written(with_box(R"("copies": {"type": "ring", "count": 2, "axis": [0, 0, 0]})"))
                .find("the axis has no direction"),
            std::string::npos);
}

TEST(Ground, is_an_obstacle_that_comes_last) {
  const Scene scene =
      parse_scene(with_box(R"("position": [0, 3, 0])",
                           R"("ground": {"height": 0.5, "normal": [0, 2, 0], "friction": 0.3}, )"),
                  "scene.json");
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[1].name, "ground");
  EXPECT_EQ(scene.bodies[1].kind, BodyKind::Obstacle);
  EXPECT_EQ(scene.bodies[1].plane->height, 0.5);
  EXPECT_EQ(scene.bodies[1].friction, 0.3);
  const Scene again = parse_scene(describe_scene(scene), "scene.json");
  EXPECT_EQ(describe_scene(again), describe_scene(scene));
  EXPECT_NE(answer_to_written(with_box(R"("rest_on": "ground")")).find("the scene has no ground"),
            std::string::npos);
  EXPECT_NE(answer_to_written(with_box(R"("name": "ground")", R"("ground": {}, )"))
                .find("is already called \"ground\""),
            std::string::npos);
  EXPECT_NE(answer_to_written(with_box(R"("name": "a")", R"("ground": {"normal": [0, 0, 0]}, )"))
                .find("no direction"),
            std::string::npos);
  EXPECT_NE(answer_to_written(R"({"bodies": [{"plane": {}}]})").find("only obstacles can be planes"),
            std::string::npos);
  EXPECT_NE(answer_to_written(R"({"bodies": [{"kind": "obstacle", "plane": {}, "position": [1, 0, 0]}]})")
                .find("a plane has no position"),
            std::string::npos);
}

TEST(Ground, circles_of_rests_are_refused) {
  EXPECT_NE(answer_to_written(R"({"bodies": [{"name": "a", "shape": {"type": "box"}, "rest_on": "b"},
                                     {"name": "b", "shape": {"type": "box"}, "rest_on": "a"}]})")
                .find("bodies rest on each other in a circle"),
            std::string::npos);
  EXPECT_NE(
      answer_to_written(with_box(R"("gap": 1)")).find("without rest_on there is nothing to keep a gap to"),
      std::string::npos);
}

TEST_F(IncludeTest, bodies_joints_and_pairs_are_added_with_prefix_place_and_variables) {
  write("parts/arm.json", R"({"variables": {"l": 1, "half": "l / 2"}, "time": {"step": 0.5},
    "ground": {},
    "bodies": [{"name": "arm", "kind": "rigid", "mesh": "arm.obj", "position": ["half", 0, 0], "velocity": [1, 0, 0]},
               {"kind": "rigid", "shape": {"type": "box"}, "group": "boxes"}],
    "joints": [{"name": "pin", "type": "hinge", "a": "arm", "b": "body 1", "at": ["l", 0, 0], "axis": [1, 0, 0]}],
    "contact": {"pairs": [{"a": "arm", "b": "boxes", "ignore": true}]}})");
  const Scene scene = read(R"({"variables": {"x": 3}, "bodies": [{"name": "own", "shape": {"type": "box"}}],
    "include": ["parts/arm.json",
                {"file": "parts/arm.json", "prefix": "left ", "position": ["x", 0, 0], "rotation": [0, 90, 0],
                 "variables": {"l": "x - 1"}}]})");
  ASSERT_EQ(scene.bodies.size(), 5u);
  EXPECT_EQ(scene.bodies[0].name, "own");
  EXPECT_EQ(scene.bodies[1].name, "arm");
  EXPECT_EQ(scene.bodies[1].mesh, "parts/arm.obj");
  EXPECT_EQ(scene.bodies[1].position, Vec3(0.5, 0, 0));
  EXPECT_EQ(scene.bodies[2].name, "arm body 1");
  EXPECT_EQ(scene.bodies[3].name, "left arm");
  EXPECT_EQ(scene.bodies[4].group, "left boxes");
  // l = 2; about y by 90° x becomes -z.
  EXPECT_LT((scene.bodies[3].position - Vec3(3, 0, -1)).norm(), 1e-14);
  EXPECT_LT((scene.bodies[3].velocity - Vec3(0, 0, -1)).norm(), 1e-14);
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[0].b, "arm body 1");
  EXPECT_EQ(scene.joints[1].name, "left pin");
  EXPECT_EQ(scene.joints[1].b, "left body 1");
  EXPECT_LT((*scene.joints[1].at - Vec3(3, 0, -2)).norm(), 1e-14);
  EXPECT_LT((scene.joints[1].axis - Vec3(0, 0, -1)).norm(), 1e-14);
  ASSERT_EQ(scene.contact.pairs.size(), 2u);
  EXPECT_EQ(scene.contact.pairs[1].b, "left boxes");
  EXPECT_NE(scene.time.step, 0.5);
  EXPECT_EQ(scene.included, (std::vector<std::string>{"parts/arm.json", "parts/arm.json"}));
}

TEST_F(IncludeTest, includes_nest_and_names_of_meshes_follow) {
  write("parts/inner.json", R"({"bodies": [{"mesh": "m.obj", "kind": "obstacle"}]})");
  write("outer.json",
        R"({"include": [{"file": "parts/inner.json", "position": [0, 1, 0], "prefix": "a "}]})");
  const Scene scene = read(R"({"include": [{"file": "outer.json", "position": [0, 1, 0], "prefix": "b "}]})");
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.bodies[0].mesh, "parts/m.obj");
  EXPECT_EQ(scene.bodies[0].name, "b a body 0");
  EXPECT_EQ(scene.bodies[0].position, Vec3(0, 2, 0));
}

TEST_F(IncludeTest, mistakes_name_both_files) {
  write("parts/bad.json", "{\"bodies\": [\n  {\"shape\": {\"type\": \"box\"}, \"friction\": -1}]}");
  EXPECT_EQ(
      answer("{\n \"include\": [\"parts/bad.json\"]}"),
      "FOLDER/parts/bad.json:2:42, at bodies[0].friction: must be at least 0, found -1\n"
      "  friction: Coefficient of friction of the body. If both bodies have one, the geometric mean is used; "
      "if only one has, its value; if neither has, contact.friction. Entries of contact.pairs take "
      "precedence. "
      "It is included at FOLDER/scene.json:2:14, at include[0].");
  // What only shows in the whole scene names the included file, too.
  write("parts/joint.json", R"({"bodies": [{"name": "a", "kind": "rigid", "shape": {"type": "box"}}],
    "joints": [{"type": "ball", "a": "b", "at": [0, 0, 0]}]})");
  EXPECT_EQ(answer(R"({"include": ["parts/joint.json"]})").substr(0, 71),
            "FOLDER/parts/joint.json:2:38, at joints[0].a: no body is called \"b\"\n  D");
  EXPECT_NE(answer(R"({"include": ["none.json"]})").find("there is no file FOLDER/none.json"),
            std::string::npos);
  EXPECT_NE(answer(R"({"include": [{"file": "parts/joint.json", "variables": {"x": 1}}]})")
                .find("there is no variable \"x\" here, but a value for it is given"),
            std::string::npos);
  write("parts/keys.json", R"({"bodies": [{"shape": {"type": "box"}, "prescribed": [
    {"select": {"all": true}, "keyframes": [{"time": 0}, {"time": 1, "rotation": [0, 0, 9]}]}]}]})");
  EXPECT_NE(answer(R"({"include": [{"file": "parts/keys.json", "rotation": [0, 0, 9]}]})")
                .find("keyframes with rotations cannot be turned"),
            std::string::npos);
}

TEST_F(IncludeTest, circles_are_refused) {
  write("parts/a.json", R"({"include": ["b.json"]})");
  write("parts/b.json", R"({"include": ["../parts/a.json"]})");
  EXPECT_NE(answer(R"({"include": ["parts/a.json"]})").find("../parts/a.json includes itself"),
            std::string::npos);
  write("scene.json", R"({"include": ["scene.json"]})");
  EXPECT_NE(answer(R"({"include": ["scene.json"]})").find("scene.json includes itself"), std::string::npos);
}

TEST_F(IncludeTest, forces_and_formulas_turn_with_the_part) {
  write("parts/push.json", R"({"bodies": [{"shape": {"type": "box"},
    "forces": [{"select": {"all": true}, "force": ["2 * t", 1, 0]}]}]})");
  const Scene scene = read(R"({"include": [{"file": "parts/push.json", "rotation": [0, 0, 90]}]})");
  const Vec3 force = scene.bodies[0].forces[0].force->evaluate(3);
  EXPECT_LT((force - Vec3(-1, 6, 0)).norm(), 1e-14);
}

}  // namespace
}  // namespace marrow
