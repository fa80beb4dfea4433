// Elastic bodies from descriptions: materials, radii.
#include <gtest/gtest.h>

#include "scene/build.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

BuiltScene build(const std::string& text) { return build_scene(parse_scene(text, "test.json"), "test.json"); }

}  // namespace

TEST(Build, every_point_has_a_radius_and_materials_keep_their_own_parameters) {
  const BuiltScene built = build(
      R"({"bodies": [{"shape": {"type": "box"}, "radius": 0.02, "material": {"model": "arruda_boyce", "locking_stretch": 1.7}},
                     {"kind": "obstacle", "shape": {"type": "box"}},
                     {"shape": {"type": "box"}, "material": {"model": "mooney_rivlin", "mooney_share": 0.6}}]})");
  const std::vector<Body>& bodies = built.model.kinematics.bodies;
  EXPECT_EQ(bodies[0].radii, std::vector<double>(bodies[0].rest.points.size(), 0.02));
  EXPECT_EQ(bodies[1].radii, std::vector<double>(bodies[1].rest.points.size(), 0.0));
  ASSERT_EQ(built.model.materials.size(), 2u);
  EXPECT_EQ(built.model.materials[0].locking_stretch, 1.7);
  EXPECT_EQ(built.model.materials[1].mooney_share, 0.6);
}

}  // namespace marrow
