// The answers to mistakes in joints.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

struct JointMistake {
  const char* name;
  const char* joint;
  const char* answer;
};

std::string answer_to_joint(const std::string& joint) {
  const std::string text = fmt::format(
      R"({{"bodies": [
      {{"name": "arm", "kind": "affine", "shape": {{"type": "box"}}}},
      {{"name": "jelly", "shape": {{"type": "box"}}, "position": [2, 0, 0]}},
      {{"name": "post", "kind": "obstacle", "shape": {{"type": "box"}}, "position": [-2, 0, 0]}}],
      "joints": [{}]}})",
      joint);
  try {
    build_scene(parse_scene(text, "scene.json"), "scene.json");
  } catch (const InputError& error) {
    return error.problem() + "\n" + error.where().json_path + "\n" + error.advice();
  }
  return "no error";
}

class JointErrors : public testing::TestWithParam<JointMistake> {};

TEST_P(JointErrors, answer_is_exact) { EXPECT_EQ(answer_to_joint(GetParam().joint), GetParam().answer); }

constexpr JointMistake kMistakes[] = {
    {"none", R"({"type": "ball", "a": "arm", "at": [0.5, 0, 0]})", "no error"},
    {"unknown_body", R"({"type": "ball", "a": "amr", "at": [0, 0, 0]})",
     "no body is called \"amr\"\njoints[0].a\nDid you mean \"arm\"?"},
    {"unknown_other_body", R"({"type": "ball", "a": "arm", "b": "jely", "at": [0, 0, 0]})",
     "no body is called \"jely\"\njoints[0].b\nDid you mean \"jelly\"?"},
    {"world_first", R"({"type": "ball", "a": "world", "b": "arm", "at": [0, 0, 0]})",
     "the world is not a body and cannot move relative to one\njoints[0].a\nName the body as a, and "
     "\"world\" as b."},
    {"same_body_twice", R"({"type": "ball", "a": "arm", "b": "arm", "at": [0, 0, 0]})",
     "a joint needs two bodies, and both are the same\njoints[0].b\nName another body, or \"world\"."},
    {"nothing_moves", R"({"type": "ball", "a": "post", "at": [-2, 0, 0]})",
     "neither of its bodies is free to move, so the joint has no effect\njoints[0]\nMake one of them soft, "
     "affine or rigid."},
    {"no_place", R"({"type": "ball", "a": "arm"})",
     "has no position\njoints[0]\nGive \"at\": [x, y, z], the position of the joint in the world at time 0."},
    {"zero_axis", R"({"type": "hinge", "a": "arm", "at": [0, 0, 0], "axis": [0, 0, 0]})",
     "the axis has no direction\njoints[0].axis\nGive a vector that is not zero."},
    {"axis_of_a_ball", R"({"type": "ball", "a": "arm", "at": [0, 0, 0], "axis": [1, 0, 0]})",
     "a joint of type ball has no axis\njoints[0].axis\nRemove it, or choose another type; "
     "docs/models/joints.md "
     "has the table."},
    {"limits_of_a_ball", R"({"type": "ball", "a": "arm", "at": [0, 0, 0], "limits": {"min": 0}})",
     "a joint of type ball has no limits\njoints[0].limits\nRemove it, or choose another type; "
     "docs/models/joints.md has the table."},
    {"limits_reversed",
     R"({"type": "hinge", "a": "arm", "at": [0, 0, 0], "limits": {"min": 20, "max": -20}})",
     "min, 20, is above max, -20\njoints[0].limits\nSwap the two."},
    {"starts_outside_its_limits", R"({"type": "hinge", "a": "arm", "at": [0, 0, 0], "limits": {"min": 20}})",
     "the coordinate is 0 at time 0, which is outside the limits\njoints[0].limits\nWiden the limits. Hinges "
     "and sliders count from their pose at time 0, distances are absolute."},
    {"empty_limits", R"({"type": "hinge", "a": "arm", "at": [0, 0, 0], "limits": {}})",
     "has no limits\njoints[0].limits\nGive min, max, or both."},
    {"motor_without_aim", R"({"type": "hinge", "a": "arm", "at": [0, 0, 0], "motor": {"max_force": 1}})",
     "has neither a speed nor a position\njoints[0].motor\nGive exactly one of the two."},
    {"motor_not_finite", R"({"type": "hinge", "a": "arm", "at": [0, 0, 0], "motor": {"speed": "1/t"}})",
     "the formula is infinite or not a number at t = 0 s\njoints[0].motor.speed\nLook for a division by "
     "zero, or a root or "
     "logarithm of a "
     "negative number."},
    {"spring_without_spring", R"({"type": "spring", "a": "arm", "at": [0, 0, 0], "at_b": [0, 1, 0]})",
     "has no spring\njoints[0]\nGive \"spring\": {\"stiffness\": …}."},
    {"distance_without_other_end", R"({"type": "distance", "a": "arm", "at": [0, 0, 0]})",
     "a distance joins two points, but the point of b is missing\njoints[0]\nGive \"at_b\": [x, y, z], the "
     "point of b at time 0."},
    {"distance_of_nothing", R"({"type": "distance", "a": "arm", "at": [0, 0, 0], "at_b": [0, 0, 0]})",
     "the two points coincide, so their distance has no direction\njoints[0].at_b\nMove one of them, or use "
     "a ball joint."},
    {"far_outside_something_soft", R"({"type": "ball", "a": "arm", "b": "jelly", "at": [0, 0, 0]})",
     "the position is 1.5 m away from the body \"jelly\"\njoints[0].at\nGive a point of the body at time 0, "
     "in world coordinates; `marrow info` prints a mesh's box."},
    {"far_outside_something_stiff", R"({"type": "ball", "a": "arm", "at": [100, 0, 0]})",
     "the position is 99.5 m away from the body \"arm\"\njoints[0].at\nGive a point of the body at time 0, "
     "in world coordinates; `marrow info` prints a mesh's box."},
    {"empty_selection", R"({"type": "fixed", "a": "jelly", "b": "arm", "select": {"vertices": []}})",
     "the list is empty\njoints[0].select.vertices\nName at least one vertex."},
};

INSTANTIATE_TEST_SUITE_P(All, JointErrors, testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

// A shell has no points off its surface that could hold an axis across it; a door hangs at its edge.
TEST(JointErrors, a_shell_is_hinged_along_itself_and_not_across) {
  const std::string file = testing::TempDir() + "marrow_joint_sheet.obj";
  write_file(file, "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 3 2\nf 2 3 4\n");
  const auto make = [&](const std::string& place) {
    const std::string text = R"({"bodies": [{"name": "sheet", "thickness": 0.01, "mesh": ")" + file +
                             R"("}], "joints": [{"type": "hinge", "a": "sheet", "length": 0.2, )" + place +
                             "}]}";
    return build_scene(parse_scene(text, "scene.json"), "scene.json").model.joints;
  };
  try {
    make(R"("at": [0.5, 0, 0.5], "axis": [0, 1, 0])");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().json_path, "joints[0].axis");
  }
  for (const char* place :
       {R"("at": [0, 0, 0.5], "axis": [0, 0, 1])", R"("at": [0.5, 0, 0.5], "axis": [1, 0, 0])"}) {
    const std::vector<Joint> joints = make(place);
    ASSERT_TRUE(joints[0].coordinate) << place;
    EXPECT_NEAR(joints[0].coordinate->initial, 0, 1e-9) << place;
  }
}

}  // namespace
}  // namespace marrow
