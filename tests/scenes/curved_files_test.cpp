// Scenes with curved meshes from files: mass, rest shape, orders, what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "core/error.h"
#include "geometry/curved/surface_deviation.h"
#include "geometry/curved_ball.h"
#include "math/rotation.h"
#include "potentials/elastic/elasticity.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "scenes/witness.h"
#include "sim/start/check_start.h"

namespace marrow::test {
namespace {

constexpr double kDensity = 1000;

std::string write_ball(int order, double radius = 1) {
  const std::string path = testing::TempDir() + fmt::format("marrow_ball_{}_{}.msh", order, radius);
  write_curved_file(path, make_ball_file(order, radius));
  return path;
}

BuiltScene build_ball(const std::string& path, const std::string& keys) {
  return build_text(
      fmt::format(R"({{"bodies": [{{"mesh": "{}", "material": {{"density": 1000}} {} }}]}})", path, keys));
}

double add_up_mass(const Body& body) {
  double mass = 0;
  for (const double m : body.mass.values) mass += m;
  return mass;
}

std::string refusal_of(const std::string& path, const std::string& keys) {
  try {
    build_ball(path, keys);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST(CurvedFiles, the_order_left_out_is_that_of_the_mesh) {
  for (int order = 1; order <= 4; ++order) {
    const BuiltScene built = build_ball(write_ball(order), "");
    EXPECT_EQ(built.model.kinematics.bodies[0].order, order);
    EXPECT_TRUE(built.notes.empty());
    EXPECT_TRUE(check_start(built.model, built.state).can_start());
  }
}

// A basis of higher order has the same rest shape, one of lower order the interpolant.
TEST(CurvedFiles, mass_and_centre_follow_the_curved_shape) {
  const double straight = add_up_mass(build_ball(write_ball(1), "").model.kinematics.bodies[0]);
  EXPECT_NEAR(straight, kDensity * 4 / 3, 1e-9);
  for (int of_mesh = 2; of_mesh <= 4; ++of_mesh) {
    const double own = add_up_mass(build_ball(write_ball(of_mesh), "").model.kinematics.bodies[0]);
    if (of_mesh == 4) {
      EXPECT_NEAR(own, kDensity * 4 * std::numbers::pi / 3, 100);
    }
    for (int order = 1; order <= 4; ++order) {
      const BuiltScene built =
          build_ball(write_ball(of_mesh), fmt::format(R"(, "order": {}, "position": [0.25, 0, -3])", order));
      const Body& body = built.model.kinematics.bodies[0];
      EXPECT_EQ(body.order, order);
      if (order >= of_mesh) {
        EXPECT_NEAR(add_up_mass(body), own, 1e-10 * own) << of_mesh << " " << order;
        EXPECT_TRUE(built.notes.empty());
      } else {
        ASSERT_EQ(built.notes.size(), 1u);
        EXPECT_NE(built.notes[0].find("interpolant of order"), std::string::npos);
        if (order == 1) {
          EXPECT_NEAR(add_up_mass(body), straight, 1e-9);
        }
      }
      const ScalarMatrix lumped = lump_rows(body.mass);
      Vec3 center = Vec3::Zero();
      for (Index i = 0; i < body.node_count; ++i) {
        center +=
            lumped.values[static_cast<size_t>(i)] * built.state.nodes.segment<3>(3 * i) / add_up_mass(body);
      }
      EXPECT_LE((center - Vec3(0.25, 0, -3)).norm(), 1e-13);
    }
  }
}

TEST(CurvedFiles, rigid_motions_do_not_strain) {
  for (int of_mesh = 2; of_mesh <= 4; ++of_mesh) {
    for (int order = 2; order <= 4; ++order) {
      const BuiltScene built = build_ball(write_ball(of_mesh), fmt::format(R"(, "order": {})", order));
      const Kinematics& kinematics = built.model.kinematics;
      const Mat3 R = rotation_from_degrees(Vec3(40, -70, 110));
      VecX n = built.state.nodes;
      for (Index i = 0; i < kinematics.node_count; ++i) {
        n.segment<3>(3 * i) = R * n.segment<3>(3 * i) + Vec3(1, 2, 3);
      }
      for (size_t e = 0; e < kinematics.elements.count(); ++e) {
        EXPECT_LE((compute_deformation_gradient(kinematics.elements, e, n) - R).norm(), 1e-12);
      }
    }
  }
}

TEST(CurvedFiles, spheres_of_thirty_tets_weigh_what_they_should) {
  const std::filesystem::path folder =
      std::filesystem::path(MARROW_SOURCE_DIR) /
      "../shared/data/scenes/polyfem-data/contact/meshes/3D/simple/sphere/coarse";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no ../shared/data";
  constexpr std::array<double, 5> kVolumes = {0, 2.862, 4.115, 4.191, 4.18886};
  for (int order = 1; order <= 4; ++order) {
    const BuiltScene built = build_ball((folder / fmt::format("P{}.msh", order)).string(), "");
    EXPECT_EQ(built.model.kinematics.bodies[0].order, order);
    EXPECT_NEAR(add_up_mass(built.model.kinematics.bodies[0]) / kDensity,
                kVolumes[static_cast<size_t>(order)], order == 4 ? 5e-6 : 5e-4);
  }
}

// Dropped on a floor, upsampled for a given deviation: certified at every iterate, and it rests on its curved
// surface, not on the octahedron's.
TEST(CurvedFiles, a_ball_falls_and_keeps_its_shape) {
  const BuiltScene built = build_text(fmt::format(R"({{
    "time": {{"step": 0.02, "duration": 0.3}},
    "bodies": [
      {{"mesh": "{}", "surface_deviation": 1e-3, "position": [0, 0.16, 0], "rotation": [10, 20, 30],
        "material": {{"density": 1000, "youngs_modulus": 1e6}}}},
      {{"kind": "obstacle", "plane": {{}}}}]}})",
                                                  write_ball(3, 0.1)));
  const Body& ball = built.model.kinematics.bodies[0];
  CurvedMesh mesh = make_curved_ball(3, 0.1);
  const int cells = choose_surface_cells(mesh, 1e-3, 3, 64);
  EXPECT_EQ(ball.rest.triangles.size(), static_cast<size_t>(8 * cells * cells));
  EXPECT_LE(bound_surface_deviation(mesh, cells), 1e-3);
  const WitnessedRun run = run_witnessed(built);
  EXPECT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean());
  EXPECT_GT(run.iterates, 20);
}

// What is cut finely reaches lower than what is cut coarsely; either stands on the ground with the same gap.
TEST(CurvedFiles, rest_on_sees_the_surface_that_collides) {
  const std::string path = write_ball(3, 0.1);
  std::vector<double> lowest;
  for (const int cells : {1, 3, 9}) {
    const BuiltScene built = build_text(fmt::format(
        R"({{"ground": {{}}, "bodies": [{{"mesh": "{}", "surface_cells": {}, "rotation": [50, 20, 30], "rest_on": "ground", "gap": 1e-4}}]}})",
        path, cells));
    EXPECT_TRUE(check_start(built.model, built.state).can_start());
    double low = 1e300;
    for (const Body& body : built.model.kinematics.bodies) {
      if (body.is_obstacle()) continue;
      for (const Vec3& x : body.rest.points) low = std::min(low, x.y());
    }
    lowest.push_back(low);
  }
  EXPECT_NEAR(lowest[0], 1e-4, 1e-12);
  EXPECT_NEAR(lowest[1], 1e-4, 1e-12);
  EXPECT_NEAR(lowest[2], 1e-4, 1e-12);
}

TEST(CurvedFiles, other_kinds_take_the_boundary) {
  const BuiltScene built = build_ball(write_ball(3), R"(, "kind": "rigid")");
  EXPECT_EQ(built.model.kinematics.bodies[0].rest.triangles.size(), 8u * 9);
  ASSERT_EQ(built.notes.size(), 1u);
  EXPECT_NE(built.notes[0].find("each face cut into 9 triangles"), std::string::npos);
}

TEST(CurvedFiles, what_is_wrong_is_named) {
  // An edge on the boundary folds back between its nodes.
  CurvedFile file = make_ball_file(2);
  const Index node = file.tet_nodes[5];  // between the second and third corner of the first tet
  const auto [a, b] = std::array{file.tet_nodes[1], file.tet_nodes[2]};
  const auto at = [&](Index i) -> Vec3& { return file.mesh.points[static_cast<size_t>(i)]; };
  at(node) = at(a) + 0.9 * (at(b) - at(a));
  const std::string bad = testing::TempDir() + "marrow_bad_ball.vtk";
  write_curved_file(bad, file);
  const std::string refusal = refusal_of(bad, "");
  EXPECT_NE(refusal.find("of order 2 are turned over or flat somewhere inside (0, "), std::string::npos)
      << refusal;
  EXPECT_NE(refusal.find("barycentric"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("Mesh again with smaller elements"), std::string::npos) << refusal;
  // The order of corners reversed everywhere.
  file = make_ball_file(1);
  for (Tet& tet : file.mesh.tets) std::swap(tet[0], tet[1]);
  file = make_ball_file(2);
  for (Vec3& x : file.mesh.points) x.z() = -x.z();
  write_curved_file(bad, file);
  EXPECT_NE(refusal_of(bad, "").find("All are: the file numbers corners"), std::string::npos);
  // Neighbours with nodes of their own at one place.
  file = make_ball_file(2);
  file.mesh.points.push_back(at(file.tet_nodes[4]));
  file.tet_nodes[4] = static_cast<Index>(file.mesh.points.size()) - 1;
  write_curved_file(bad, file);
  EXPECT_NE(refusal_of(bad, "").find("share corners, but not the nodes between them"), std::string::npos);

  const std::string good = write_ball(2);
  EXPECT_NE(refusal_of(good, R"(, "thickness": 0.01)").find("such a body has no thickness"),
            std::string::npos);
  EXPECT_NE(refusal_of(good, R"(, "surface_deviation": 1e-12)").find("m away from the curved surface"),
            std::string::npos);
  EXPECT_NE(
      refusal_of(good, R"(, "surface_deviation": 1e-2, "surface_cells": 3)").find("how the faces are cut"),
      std::string::npos);
  EXPECT_NE(refusal_of(write_ball(1), R"(, "surface_cells": 3)").find("the faces of straight tets"),
            std::string::npos);
  EXPECT_NE(refusal_of(good, R"(, "order": 1, "surface_cells": 3)").find("the faces of straight tets"),
            std::string::npos);
  EXPECT_NE(refusal_of(good, R"(, "surface": "carried")").find("second-order tet"), std::string::npos);
}

}  // namespace marrow::test
