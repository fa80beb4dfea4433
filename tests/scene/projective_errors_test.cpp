// What the projective stepper cannot do is refused where the scene asks for it, with what to do.
#include <gtest/gtest.h>

#include "core/error.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

struct Refused {
  const char* name;
  const char* text;
  const char* place;
  const char* problem;
};

constexpr Refused kRefused[] = {
    {"options_without_the_stepper",
     R"({"solver": {"projective": {"iterations": 4}}, "bodies": [{"shape": {"type": "box"}}]})",
     "solver.projective", "these options have no effect: the stepper is newton"},
    {"another_integrator",
     R"({"solver": {"stepper": "projective"}, "time": {"integrator": "bdf2"}, "bodies": [{"shape": {"type": "box"}}]})",
     "time.integrator", "the projective stepper is implicit Euler"},
    {"nothing_to_project",
     R"({"solver": {"stepper": "projective"}, "bodies": [{"kind": "rigid", "shape": {"type": "box"}}]})",
     "solver.stepper", "the projective stepper needs a soft or medial body"},
    {"full_of_a_medial_body",
     R"({"solver": {"stepper": "projective", "projective": {"local": "full"}},
         "bodies": [{"kind": "medial", "shape": {"type": "box"}}]})",
     "solver.projective.local", "bodies[0] is medial: it has no unknowns at every vertex"},
    {"limits_of_a_certified_step",
     R"({"solver": {"stepper": "projective", "projective": {"most_stretch": 1.5}}, "bodies": [{"shape": {"type": "box"}}]})",
     "solver.projective.most_stretch",
     "the certified step ends with the forces of the material, which has no limit"},
    {"newton_of_a_detected_step",
     R"({"solver": {"stepper": "projective", "projective": {"contact": "detected", "newton_iterations": 2}},
         "bodies": [{"shape": {"type": "box"}}]})",
     "solver.projective.newton_iterations", "the detected step has no Newton iterations"},
    {"rigid_in_a_detected_step",
     R"({"solver": {"stepper": "projective", "projective": {"contact": "detected"}},
         "bodies": [{"shape": {"type": "box"}}, {"kind": "rigid", "shape": {"type": "box"}}]})",
     "bodies[1].kind", "the projective stepper with detected contact does not move rigid bodies"},
    {"damping_in_a_detected_step",
     R"({"solver": {"stepper": "projective", "projective": {"contact": "detected"}},
         "bodies": [{"shape": {"type": "box"}, "material": {"damping": 0.1}}]})",
     "bodies[0].material.damping", "the projective stepper with detected contact has no material damping"},
    {"hinge_in_a_detected_step",
     R"({"solver": {"stepper": "projective", "projective": {"contact": "detected"}},
         "bodies": [{"name": "a", "shape": {"type": "box"}}], "joints": [{"type": "hinge", "a": "a", "at": [0, 0, 0]}]})",
     "joints[0].type", "the projective stepper with detected contact has only ball joints"},
};

class ProjectiveErrors : public testing::TestWithParam<Refused> {};

INSTANTIATE_TEST_SUITE_P(Scenes, ProjectiveErrors, testing::ValuesIn(kRefused),
                         [](const auto& refused) { return std::string(refused.param.name); });

}  // namespace

TEST_P(ProjectiveErrors, name_place_and_reason) {
  try {
    parse_scene(GetParam().text, "scene.json");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().json_path, GetParam().place);
    EXPECT_EQ(error.problem(), GetParam().problem);
    EXPECT_FALSE(error.advice().empty());
  }
}

TEST(ProjectiveScene, cloth_is_refused_by_a_detected_step) {
  const char* const text = R"({
    "solver": {"stepper": "projective", "projective": {"contact": "detected"}},
    "bodies": [{"shape": {"type": "box"}}, {"shape": {"type": "sheet"}, "thickness": 0.01, "position": [0, 3, 0]}]})";
  try {
    build_scene(parse_scene(text, "scene.json"), "scene.json");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().json_path, "bodies[1]");
    EXPECT_NE(error.problem().find("moves tets only"), std::string::npos);
  }
}

TEST(ProjectiveScene, everything_else_is_allowed_with_certified_contact) {
  const char* const text = R"({
    "solver": {"stepper": "projective", "projective": {"newton_iterations": 2, "local": "hyper", "samples": 50}},
    "bodies": [{"name": "a", "shape": {"type": "box"}, "material": {"damping": 0.1}},
               {"name": "b", "kind": "rigid", "shape": {"type": "box"}, "position": [0, 3, 0]}],
    "joints": [{"type": "hinge", "a": "b", "at": [0, 3, 0]}]})";
  const BuiltScene built = build_scene(parse_scene(text, "scene.json"), "scene.json");
  EXPECT_EQ(built.model.stepper, Stepper::Projective);
  EXPECT_EQ(built.model.projective.newton_iterations, 2);
  EXPECT_EQ(built.model.projective.local, LocalStep::Hyper);
  EXPECT_EQ(built.model.projective.samples, 50);
  EXPECT_FALSE(built.model.is_unguarded());
}

}  // namespace marrow
