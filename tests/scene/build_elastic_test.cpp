// Elastic bodies from descriptions: materials, radii.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/mesh_file.h"
#include "mesh/shapes.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

BuiltScene build_elastic(const std::string& text) {
  return build_scene(parse_scene(text, "test.json"), "test.json");
}

}  // namespace

TEST(Build, every_point_has_a_radius_and_materials_keep_their_own_parameters) {
  const BuiltScene built = build_elastic(
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

TEST(Build, a_thickness_makes_a_shell_of_a_surface_and_is_asked_for) {
  const std::string file = testing::TempDir() + "marrow_build_sheet.obj";
  write_file(file, "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nv 2 0 1\nf 1 3 2\nf 2 3 4\nl 4 5\n");
  const auto scene = [&](const std::string& rest) {
    return R"({"bodies": [{"mesh": ")" + file + "\"" + rest + "}]}";
  };
  const BuiltScene built = build_elastic(scene(R"(, "thickness": 0.01)"));
  EXPECT_EQ(built.model.kinematics.membranes.count(), 2u);
  EXPECT_EQ(built.model.kinematics.strands.count(), 1u);
  EXPECT_EQ(built.model.kinematics.shell_bends.count(), 2u);
  EXPECT_EQ(built.model.kinematics.bodies[0].rest.triangles.size(), 2u);
  EXPECT_EQ(built.model.kinematics.bodies[0].rest.edges.size(), 1u);
  const auto answer = [&](const std::string& text) -> std::string {
    try {
      build_elastic(text);
    } catch (const InputError& error) {
      return error.where().json_path + ": " + error.problem();
    }
    return "";
  };
  const std::string open = answer(scene(""));
  EXPECT_TRUE(open.starts_with("bodies[0].mesh: " + file + " has no tetrahedra, its surface is ")) << open;
  EXPECT_TRUE(open.ends_with(", and no thickness is given")) << open;
  EXPECT_EQ(answer(scene(R"(, "thickness": 0.01, "material": {"model": "stvk"})")),
            "bodies[0].material.model: stvk is for tetrahedra, but the mesh has none");
  EXPECT_EQ(answer(R"({"bodies": [{"shape": {"type": "box"}, "thickness": 1}]})"),
            "bodies[0].thickness: the mesh has only tetrahedra, which have no thickness");
}

TEST(Build, a_closed_surface_is_filled_with_tets_once) {
  const std::string store = testing::TempDir() + "marrow_tet_store",
                    file = testing::TempDir() + "marrow_cube.obj";
  std::filesystem::remove_all(store);
  setenv("MARROW_CACHE", store.c_str(), 1);
  Mesh cube = build_shape(BoxShape{.size = {1, 1, 1}});
  cube.tets.clear();
  write_mesh(file, cube);
  const std::string text =
      R"({"bodies": [{"tet_size": 0.2, "material": {"density": 500}, "mesh": ")" + file + "\"}]}";
  const BuiltScene built = build_elastic(text);
  EXPECT_GT(built.model.kinematics.elements.count(), 20u);
  double mass = 0;
  for (const double m : built.model.mass.values) mass += m;
  EXPECT_NEAR(mass, 500, 1);
  // The second time it is read: what lies in the store decides.
  size_t kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(store))
    kept += entry.path().extension() == ".msh";
  EXPECT_EQ(kept, 1u);
  EXPECT_EQ(build_elastic(text).state.nodes, built.state.nodes);
  write_file(std::filesystem::directory_iterator(store)->path().string(), "damaged");
  EXPECT_EQ(build_elastic(text).state.nodes, built.state.nodes);
  unsetenv("MARROW_CACHE");
  std::filesystem::remove_all(store);
  try {
    build_elastic(R"({"bodies": [{"tet_size": 0.2, "shape": {"type": "box"}}]})");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().json_path, "bodies[0].tet_size");
  }
}

}  // namespace marrow
