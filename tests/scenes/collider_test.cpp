// A mesh that collides in place of the boundary of tets of any order, densities that keep the balance, and
// the small scenes of examples/high_order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "kinematics/elements/mass_properties.h"
#include "mesh/io/mesh_file.h"
#include "mesh/surface.h"
#include "scene/read_scene.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

class ColliderMesh : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::temp_directory_path() / ("marrow_collider_" + name);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write_surface(const Shape& shape, double shift = 0) {
    Mesh mesh = build_shape(shape);
    if (!mesh.tets.empty()) mesh.triangles = extract_surface(mesh.tets);
    mesh.tets.clear();
    for (Vec3& x : mesh.points) x.x() += shift;
    const std::string path = (folder_ / "fine.obj").string();
    write_mesh(path, mesh);
    return path;
  }

  std::filesystem::path folder_;
};

const Body& nth_body(const BuiltScene& built, size_t b) { return built.model.kinematics.bodies[b]; }

Points place_body_points(const BuiltScene& built, const VecX& n, size_t b) {
  Points all;
  compute_points(built.model.kinematics, n, all);
  const Body& body = nth_body(built, b);
  return {all.begin() + body.first_point, all.begin() + body.first_point + body.W.rows()};
}

double sum_masses(const Body& body) {
  double sum = 0;
  for (const double m : body.mass.values) sum += m;
  return sum;
}

Vec3 find_mass_center(const BuiltScene& built, const VecX& n, size_t b) {
  const Body& body = nth_body(built, b);
  const ScalarMatrix lumped = lump_rows(body.mass);
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < body.node_count; ++i) {
    sum += lumped.values[static_cast<size_t>(i)] * n.segment<3>(3 * (body.first_node + i));
  }
  return sum / sum_masses(body);
}

std::string refuse_scene(const std::string& body) {
  try {
    build_text(R"({"bodies": [{)" + body + "}]}");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_F(ColliderMesh, follows_tets_of_every_order_and_affine_motions_are_exact) {
  const std::string fine = write_surface(SphereShape{.radius = 0.5, .resolution = 4});
  for (int order = 1; order <= 4; ++order) {
    const BuiltScene built = build_text(fmt::format(
        R"({{"bodies": [{{"order": {}, "shape": {{"type": "sphere", "radius": 0.5, "resolution": 1}},
      "collider": {{"mesh": "{}"}}, "scale": [1, 2, 1], "rotation": [10, 20, 30], "position": [1, 2, 3]}}]}})",
        order, fine));
    const Body& body = nth_body(built, 0);
    EXPECT_EQ(body.rest.triangles.size(), read_mesh(fine).triangles.size());
    EXPECT_EQ(body.order, order);
    const Points start = place_body_points(built, built.state.nodes, 0);
    for (size_t i = 0; i < start.size(); ++i) EXPECT_LT((start[i] - body.rest.points[i]).norm(), 1e-12);
    Mat3 A;
    A << 1.2, 0.1, 0, -0.2, 0.9, 0.3, 0.1, 0, 1.1;
    VecX moved = built.state.nodes;
    for (Index i = 0; i < body.node_count; ++i) moved.segment<3>(3 * i) = A * moved.segment<3>(3 * i);
    const Points x = place_body_points(built, moved, 0);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_LT((x[i] - A * body.rest.points[i]).norm(), 1e-11);
    // The build says how far out the round surface is.
    const auto told = [](const std::string& note) { return note.find("m outside") != std::string::npos; };
    EXPECT_TRUE(std::any_of(built.notes.begin(), built.notes.end(), told));
  }
}

TEST_F(ColliderMesh, is_the_same_under_the_key_surface) {
  const std::string fine = write_surface(BoxShape{.cells_x = 4, .cells_y = 4, .cells_z = 4});
  const auto build = [&](const std::string& key) {
    return build_text(R"({"bodies": [{"shape": {"type": "box"}, )" + key + "}]}");
  };
  const BuiltScene a = build(R"("collider": {"mesh": ")" + fine + R"("})"),
                   b = build(R"("surface": ")" + fine + R"(")");
  EXPECT_EQ(nth_body(a, 0).W.values, nth_body(b, 0).W.values);
  EXPECT_EQ(nth_body(a, 0).W.indices, nth_body(b, 0).W.indices);
  EXPECT_EQ(nth_body(a, 0).rest.points, nth_body(b, 0).rest.points);
}

// A block of one cell whose bottom has ribs: it stands on them, with its weight.
TEST_F(ColliderMesh, carries_the_weight_of_a_body_of_order_2) {
  const std::string fine =
      write_surface(BoxShape{.size = {0.4, 0.2, 0.4}, .cells_x = 6, .cells_y = 3, .cells_z = 6});
  const BuiltScene built = build_text(R"({"time": {"step": 0.02, "duration": 1},
    "bodies": [{"order": 2, "shape": {"type": "box", "size": [0.4, 0.2, 0.4], "cells_x": 1, "cells_y": 1, "cells_z": 1},
    "position": [0, 0.102, 0], "material": {"youngs_modulus": 1e6}, "collider": {"mesh": ")" +
                                      fine + R"("}},
    {"kind": "obstacle", "plane": {"height": 0}}]})");
  const WitnessedRun run = run_witnessed(built);
  ASSERT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean()) << run.intersections << " " << run.inversions;
  EXPECT_GT(run.steps.back().contacts, 40u);
  double lowest = 1;
  for (const Vec3& x : place_body_points(built, run.state.nodes, 0)) lowest = std::min(lowest, x.y());
  EXPECT_GT(lowest, 0);
  EXPECT_LT(lowest, built.model.contact.d_hat);
  EXPECT_NEAR(find_mass_center(built, run.state.nodes, 0).y(), 0.1, 0.003);
}

TEST_F(ColliderMesh, far_outside_the_tets_is_refused_by_its_point) {
  const std::string fine = write_surface(BoxShape{}, 0.7);
  const std::string body =
      R"("shape": {"type": "box", "cells_x": 2, "cells_y": 2, "cells_z": 2}, "collider": {"mesh": ")" + fine +
      R"("})";
  EXPECT_EQ(refuse_scene(body), "");  // 0.7 m: below the longest edge, a diagonal of 0.87 m
  const std::string far = write_surface(BoxShape{}, 0.9);
  for (const char* order : {"", R"("order": 3, )"}) {
    const std::string text = refuse_scene(order + body);
    EXPECT_NE(text.find("point "), std::string::npos) << text;
    EXPECT_NE(text.find("is 0.9 m outside the tets, farther than the longest edge of the nearest one"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("bodies[0].collider"), std::string::npos) << text;
  }
}

TEST_F(ColliderMesh, bad_input_is_refused_with_a_reason) {
  const auto expect = [](const std::string& body, const std::string& text) {
    EXPECT_NE(refuse_scene(body).find(text), std::string::npos) << body << "\n" << refuse_scene(body);
  };
  const std::string box = R"("shape": {"type": "box"}, )";
  expect(box + R"("collider": {"mesh": "a.obj"}, "surface": "b.obj")", "surface names already what collides");
  expect(box + R"("kind": "rigid", "collider": {"mesh": "a.obj"})",
         "only tets of soft bodies carry a surface; this is rigid");
  expect(box + R"("kind": "medial", "collider": {"mesh": "a.obj"})", "this is medial");
  expect(box + R"("collider": {"file": "a.obj"})", "unknown key \"file\"");
  expect(box + R"("collider": {})", "the key \"mesh\" is missing");
  expect(box + R"("collider": "surface")", "only medial bodies have collider");
  expect(box + R"("densities": {})", "no densities are given");
  expect(box + R"("densities": {"match_collider": true})", "the body has no collider of its own");
  expect(box + R"("densities": {"values": [1000, 2000]})", "2 densities for");
  expect(box + R"("densities": {"center_of_mass": [0.6, 0, 0]})", "no densities between 100 and 10000 kg/m³");
  expect(box + R"("kind": "rigid", "densities": {"center_of_mass": [0, 0, 0]})",
         "only tets of a soft body have densities");
}

TEST_F(ColliderMesh, densities_put_the_centre_of_mass_where_it_should_be) {
  const std::string fine = write_surface(ConeShape{.radius = 0.4, .height = 0.8});
  const MassProperties solid = compute_mass_properties(read_mesh(fine), 1000, 0);
  for (int order = 1; order <= 3; ++order) {
    const BuiltScene matched = build_text(fmt::format(
        R"({{"bodies": [{{"order": {}, "shape": {{"type": "box", "size": [0.8, 0.8, 0.8], "cells_x": 3, "cells_y": 3, "cells_z": 3}},
      "collider": {{"mesh": "{}"}}, "densities": {{"match_collider": true}}}}]}})",
        order, fine));
    EXPECT_NEAR(sum_masses(nth_body(matched, 0)), solid.mass, 1e-8 * solid.mass);
    EXPECT_LT((find_mass_center(matched, matched.state.nodes, 0) - solid.center).norm(), 1e-8);
    const BuiltScene moved = build_text(fmt::format(
        R"({{"bodies": [{{"order": {}, "shape": {{"type": "box", "cells_x": 3, "cells_y": 3, "cells_z": 3}},
      "scale": [1, 2, 1], "rotation": [0, 0, 90], "densities": {{"center_of_mass": [0, 0.1, 0]}}}}]}})",
        order));
    EXPECT_NEAR(sum_masses(nth_body(moved, 0)), 2000, 1e-6);
    EXPECT_LT((find_mass_center(moved, moved.state.nodes, 0) - Vec3(-0.2, 0, 0)).norm(), 1e-8);
  }
  // Given ones, from a list and from a file.
  std::ofstream(folder_ / "d.txt") << "# kg/m³\n500 500 500\n2000 2000 2000\n";
  const std::string box =
      R"({"bodies": [{"shape": {"type": "box", "cells_x": 1, "cells_y": 1, "cells_z": 1}, "densities": )";
  const BuiltScene list = build_text(box + R"({"values": [500, 500, 500, 2000, 2000, 2000]}}]})");
  const BuiltScene file = build_text(box + R"({"file": ")" + (folder_ / "d.txt").string() + R"("}}]})");
  EXPECT_NEAR(sum_masses(nth_body(list, 0)), 1250, 1e-9);
  EXPECT_EQ(nth_body(list, 0).mass.values, nth_body(file, 0).mass.values);
}

// ---- the scenes of examples/high_order
// -------------------------------------------------------------------------------

std::string high_order_path(const std::string& name) {
  const std::filesystem::path examples =
      std::filesystem::path(ipc_scene_path("rollers")).parent_path().parent_path();
  return (examples / "high_order" / (name + ".json")).string();
}

TEST(HighOrderScenes, a_figure_of_coarse_tets_stands_with_the_densities_of_its_solid_and_tips_over_without) {
  const auto tilt = [](bool has_densities) {
    const std::string path = high_order_path("balancing_armadillo");
    Scene scene = read_scene(path);
    if (!has_densities) scene.bodies[0].densities.reset();
    scene.time.duration = 1;
    const BuiltScene built = build_scene(scene, path);
    const WitnessedRun run = run_witnessed(built);
    EXPECT_TRUE(run.is_finished());
    EXPECT_TRUE(run.is_clean()) << run.intersections << " " << run.inversions;
    return (find_mass_center(built, run.state.nodes, 0) - find_mass_center(built, built.state.nodes, 0))
        .norm();
  };
  EXPECT_LT(tilt(true), 0.005);
  EXPECT_GT(tilt(false), 0.2);
}

TEST(HighOrderScenes, a_cube_of_tets_with_a_round_surface_rolls_like_a_ball_and_straight) {
  const std::string path = high_order_path("rolling_ball");
  const BuiltScene built = build_scene(read_scene(path, {"time.duration=1.5"}), path);
  const WitnessedRun run = run_witnessed(built);
  EXPECT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean()) << run.intersections << " " << run.inversions;
  const Vec3 way =
      find_mass_center(built, run.state.nodes, 0) - find_mass_center(built, built.state.nodes, 0);
  // Without slipping: 5/7 g sin 10° along the slope; implicit Euler goes ½ a h t farther.
  const double a = 5.0 / 7 * 9.81 * std::sin(10 * M_PI / 180);
  EXPECT_NEAR(way.head<2>().norm(), 0.5 * a * 1.5 * (1.5 + 0.025), 0.02 * a);
  EXPECT_LT(std::abs(way.z()), 0.005);
}

// On the facets of its 48 tets a ball of order 1 tips over and rolls away; of order 2 and with a round
// surface it hardly does, and comes up again higher.
TEST(HighOrderScenes, a_coarse_ball_of_order_2_with_a_round_surface_bounces_up_again) {
  const auto bounce = [](bool is_round) {
    const std::string path = high_order_path("bouncing_ball");
    Scene scene = read_scene(path, {"time.step=0.002"});
    if (!is_round) {
      scene.bodies[0].collider.reset();
      scene.bodies[0].order.reset();
    }
    const BuiltScene built = build_scene(scene, path);
    const WitnessedRun run = run_witnessed(built);
    EXPECT_TRUE(run.is_finished());
    EXPECT_TRUE(run.is_clean()) << run.intersections << " " << run.inversions;
    return find_mass_center(built, run.state.nodes, 0);
  };
  const Vec3 round = bounce(true), faceted = bounce(false);
  const auto aside = [](const Vec3& x) { return std::hypot(x.x(), x.z()); };
  EXPECT_LT(aside(round), 0.2 * aside(faceted));
  EXPECT_GT(aside(faceted), 0.4);
  EXPECT_GT(round.y(), faceted.y() + 0.05);
}

}  // namespace
}  // namespace marrow::test
