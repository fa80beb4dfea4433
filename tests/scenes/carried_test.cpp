// A fine surface that coarse tets carry: it is what collides and is seen, and the body moves as its tets do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numbers>

#include "core/error.h"
#include "kinematics/joined.h"
#include "kinematics/medial.h"
#include "math/rotation.h"
#include "mesh/io/mesh_file.h"
#include "mesh/surface.h"
#include "potentials/contact/barrier.h"
#include "potentials/elastic/von_mises.h"
#include "potentials/potential_battery.h"
#include "scene/read_scene.h"
#include "scenes/witness.h"
#include "sim/start/check_start.h"
#include "sim/start/model_witness.h"
#include "sim/terms/contact_terms.h"

namespace marrow::test {
namespace {

// The surface of a box with many cells, as a file of its own.
class CarriedSurface : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::temp_directory_path() / ("marrow_carried_" + name);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write_box(const Vec3& size, int cells, double shift = 0) {
    BoxShape shape;
    shape.size = size;
    shape.cells_x = shape.cells_y = shape.cells_z = cells;
    Mesh mesh = build_shape(shape);
    mesh.triangles = extract_surface(mesh.tets);
    mesh.tets.clear();
    for (Vec3& x : mesh.points) x.x() += shift;
    const std::string path = (folder_ / "fine.obj").string();
    write_mesh(path, mesh);
    return path;
  }

  std::filesystem::path folder_;
};

const Body& body_of(const BuiltScene& built, size_t b) { return built.model.kinematics.bodies[b]; }

Points points_of(const Model& model, const VecX& n, size_t b) {
  Points all;
  compute_points(model.kinematics, n, all);
  const Body& body = model.kinematics.bodies[b];
  return {all.begin() + body.first_point, all.begin() + body.first_point + body.W.rows()};
}

double mass_of(const Body& body) {
  double sum = 0;
  for (const double m : body.mass.values) sum += m;
  return sum;
}

TEST_F(CarriedSurface, points_are_those_of_the_file_and_affine_motions_are_exact) {
  const std::string fine = write_box({1, 0.5, 0.5}, 6);
  const BuiltScene built = build_text(R"({"bodies": [{"shape": {"type": "box", "size": [1, 0.5, 0.5],
    "cells_x": 3, "cells_y": 2, "cells_z": 2}, "position": [1, 2, 3], "rotation": [10, 20, 30],
    "scale": [1, 2, 1], "surface": ")" +
                                      fine + R"("}]})");
  const Mesh mesh = read_mesh(fine);
  const Body& body = body_of(built, 0);
  EXPECT_TRUE(is_carried(body));
  // The same triangles in the same order; points that none of them uses are left out.
  ASSERT_EQ(body.rest.triangles.size(), mesh.triangles.size());
  const Mat3 R = rotation_from_degrees({10, 20, 30});
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (size_t k = 0; k < 3; ++k) {
      const Vec3& X = mesh.points[static_cast<size_t>(mesh.triangles[i][k])];
      const Vec3 placed = Vec3(1, 2, 3) + R * Vec3(X.x(), 2 * X.y(), X.z());
      EXPECT_LT((body.rest.points[static_cast<size_t>(body.rest.triangles[i][k])] - placed).norm(), 1e-14);
    }
  }
  EXPECT_EQ(body.node_count, 4 * 3 * 3);
  EXPECT_NEAR(mass_of(body), 1000 * 0.5, 1e-9);
  Mat3 A;
  A << 1.2, 0.1, 0, -0.2, 0.9, 0.3, 0.1, 0, 1.1;
  VecX moved = built.state.nodes;
  for (Index i = 0; i < body.node_count; ++i) moved.segment<3>(3 * i) = A * moved.segment<3>(3 * i);
  const Points x = points_of(built.model, moved, 0);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_LT((x[i] - A * body.rest.points[i]).norm(), 1e-12);
}

TEST_F(CarriedSurface, the_witness_sees_the_fine_surface) {
  const std::string fine = write_box({1, 1, 1}, 6);
  const auto scene = [&](double height) {
    return build_text(
        R"({"bodies": [{"shape": {"type": "box", "cells_x": 1, "cells_y": 1, "cells_z": 1}, "surface": ")" +
        fine + R"("}, {"kind": "obstacle", "shape": {"type": "plate", "width": 3, "depth": 3},
      "position": [0, )" +
        std::to_string(height) + R"(, 0]}]})");
  };
  const BuiltScene apart = scene(-0.6), meeting = scene(-0.5);
  const size_t triangles = make_witness(apart.model).surfaces().triangles.size();
  EXPECT_EQ(triangles, body_of(apart, 0).rest.triangles.size() + body_of(apart, 1).rest.triangles.size());
  EXPECT_TRUE(check_start(apart.model, apart.state).can_start());
  EXPECT_FALSE(check_start(meeting.model, meeting.state).can_start());
}

TEST_F(CarriedSurface, a_beam_bends_as_its_tets_do) {
  const std::string fine = write_box({1, 0.2, 0.2}, 10);
  const std::string scene = R"({"time": {"step": 0.05, "duration": 0.5, "integrator": "quasi_static"},
    "contact": {"enabled": false},
    "bodies": [{"shape": {"type": "box", "size": [1, 0.2, 0.2], "cells_x": 10, "cells_y": 2, "cells_z": 2},
    "material": {"youngs_modulus": 1e6},
    "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}])";
  const WitnessedRun plain = run_witnessed(build_text(scene + "}]}"));
  const std::string with = scene + R"(, "surface": ")" + fine + R"("}]})";
  const BuiltScene built = build_text(with);
  const WitnessedRun carried = run_witnessed(built);
  ASSERT_TRUE(plain.is_finished() && carried.is_finished());
  // The same nodes, because the end is held by the same ones.
  ASSERT_EQ(plain.state.nodes.size(), carried.state.nodes.size());
  EXPECT_LT((plain.state.nodes - carried.state.nodes).cwiseAbs().maxCoeff(), 1e-6);
  // It bends, and the surface with it: its lowest point is that of the tip.
  double lowest = 0;
  for (const Vec3& x : points_of(built.model, carried.state.nodes, 0)) lowest = std::min(lowest, x.y());
  EXPECT_LT(lowest, -0.11);
  const std::vector<double> stress =
      compute_point_von_mises(built.model.kinematics, built.model.materials, carried.state.nodes);
  EXPECT_EQ(stress.size(), body_of(built, 0).rest.points.size());
  EXPECT_GT(*std::max_element(stress.begin(), stress.end()), 100);
}

TEST_F(CarriedSurface, a_lattice_around_the_surface_bends_like_the_plain_block) {
  const auto deflect = [&](const std::string& more) {
    const BuiltScene built =
        build_text(R"({"time": {"step": 0.05, "duration": 0.5, "integrator": "quasi_static"},
      "contact": {"enabled": false},
      "bodies": [{"shape": {"type": "box", "size": [1, 0.2, 0.2], "cells_x": 20, "cells_y": 4, "cells_z": 4},
      "material": {"youngs_modulus": 1e6},
      "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}])" +
                   more + "}]}");
    const double mass = mass_of(body_of(built, 0));
    EXPECT_NEAR(mass, 40, 1e-6);
    const WitnessedRun run = run_witnessed(built);
    EXPECT_TRUE(run.is_finished());
    const Points x = points_of(built.model, run.state.nodes, 0), rest = body_of(built, 0).rest.points;
    double tip = 0;
    for (size_t i = 0; i < x.size(); ++i) tip = std::min(tip, x[i].y() - rest[i].y());
    return tip;
  };
  const double plain = deflect(""), carried = deflect(R"(, "surface": "carried", "tet_size": 0.05)");
  // A cell holds the clamped end instead of a face, which shortens the beam by up to a twentieth: 15 % of the
  // third power. Cells that are cut are stiffer than what they hold.
  EXPECT_LT(plain, -0.01);
  EXPECT_NEAR(carried, plain, 0.25 * std::abs(plain));
}

TEST_F(CarriedSurface, a_block_rests_on_the_floor_with_its_weight) {
  const std::string fine = write_box({0.4, 0.2, 0.4}, 5);
  const BuiltScene built = build_text(R"({"time": {"step": 0.02, "duration": 1},
    "bodies": [{"shape": {"type": "box", "size": [0.4, 0.2, 0.4], "cells_x": 2, "cells_y": 1, "cells_z": 2},
    "position": [0, 0.102, 0], "material": {"youngs_modulus": 1e6}, "surface": ")" +
                                      fine + R"("},
    {"kind": "obstacle", "shape": {"type": "plate", "width": 1, "depth": 1}, "position": [0, -0.025, 0]}]})");
  const WitnessedRun run = run_witnessed(built);
  ASSERT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean());
  EXPECT_GT(run.steps.back().contacts, 20u);  // points of the fine bottom, not four corners
  EXPECT_LT(run.state.velocities.cwiseAbs().maxCoeff(), 1e-3);
  double lowest = 1;
  for (const Vec3& x : points_of(built.model, run.state.nodes, 0)) lowest = std::min(lowest, x.y());
  EXPECT_GT(lowest, 0);
  EXPECT_LT(lowest, built.model.contact.d_hat);
}

TEST_F(CarriedSurface, a_block_slides_down_a_slope_as_friction_says) {
  const std::string fine = write_box({0.4, 0.1, 0.4}, 4);
  const double angle = 30, mu = 0.3;
  const double s = std::sin(angle * std::numbers::pi / 180), c = std::cos(angle * std::numbers::pi / 180);
  const BuiltScene built = build_text(fmt::format(R"({{"time": {{"step": 0.01, "duration": 0.5}},
    "gravity": [{}, {}, 0], "contact": {{"friction": {}, "d_hat": 0.001}},
    "bodies": [{{"shape": {{"type": "box", "size": [0.4, 0.1, 0.4], "cells_x": 2, "cells_y": 1, "cells_z": 2}},
    "position": [0, 0.0508, 0], "material": {{"youngs_modulus": 1e7}}, "surface": "{}"}},
    {{"kind": "obstacle", "shape": {{"type": "plate", "width": 6, "depth": 1}}, "position": [1, -0.025, 0]}}]}})",
                                                  9.81 * s, -9.81 * c, mu, fine));
  const WitnessedRun run = run_witnessed(built);
  ASSERT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean());
  Vec3 mean = Vec3::Zero();
  const Body& body = body_of(built, 0);
  for (Index i = 0; i < body.node_count; ++i)
    mean += run.state.velocities.segment<3>(3 * i) / body.node_count;
  EXPECT_NEAR(mean.x(), 9.81 * (s - mu * c) * 0.5, 0.03 * 9.81 * (s - mu * c) * 0.5);
}

// A ring whose inner sides are pressed together, between two plates so that it does not turn over: the fine
// surface meets itself.
TEST_F(CarriedSurface, it_collides_with_itself) {
  const BuiltScene built = build_text(R"({"time": {"step": 0.02, "duration": 1.04}, "gravity": [0, 0, 0],
    "bodies": [{"shape": {"type": "torus", "ring_radius": 0.3, "tube_radius": 0.1, "segments": 24},
    "material": {"youngs_modulus": 1e5}, "surface": "carried", "tet_size": 0.08},
    {"kind": "obstacle", "shape": {"type": "box", "size": [0.1, 1.5, 1.5]}, "position": [-0.46, 0, 0],
     "prescribed": [{"select": {"all": true}, "velocity": [0.22, 0, 0]}]},
    {"kind": "obstacle", "shape": {"type": "box", "size": [0.1, 1.5, 1.5]}, "position": [0.46, 0, 0],
     "prescribed": [{"select": {"all": true}, "velocity": [-0.22, 0, 0]}]},
    {"kind": "obstacle", "shape": {"type": "box", "size": [1.5, 0.05, 1.5]}, "position": [0, 0.14, 0]},
    {"kind": "obstacle", "shape": {"type": "box", "size": [1.5, 0.05, 1.5]}, "position": [0, -0.14, 0]}]})");
  const WitnessedRun run = run_witnessed(built);
  ASSERT_TRUE(run.is_finished());
  EXPECT_TRUE(run.is_clean());
  // The inner sides of the ring were 0.4 m apart, and are within reach of each other's barrier now.
  const Points x = points_of(built.model, run.state.nodes, 0), &rest = body_of(built, 0).rest.points;
  const auto list_inner = [&](double sign) {
    Points inner;
    for (size_t i = 0; i < x.size(); ++i) {
      if (sign * rest[i].x() > 0.1 && rest[i].norm() < 0.24) inner.push_back(x[i]);
    }
    return inner;
  };
  double nearest = 1;
  for (const Vec3& a : list_inner(-1)) {
    for (const Vec3& b : list_inner(1)) nearest = std::min(nearest, (a - b).norm());
  }
  EXPECT_GT(nearest, 0);
  EXPECT_LT(nearest, 0.03);  // points face triangles, not points: half a triangle is added to the gap
}

TEST_F(CarriedSurface, the_barrier_of_carried_points_has_the_right_derivatives) {
  const BuiltScene built = build_text(R"({"contact": {"d_hat": 0.05},
    "bodies": [{"shape": {"type": "box", "cells_x": 2, "cells_y": 2, "cells_z": 2}, "surface": "carried",
      "tet_size": 0.5, "rotation": [5, 10, 3], "position": [0, 0.62, 0]},
    {"shape": {"type": "box", "cells_x": 1, "cells_y": 1, "cells_z": 1}, "position": [0.1, -0.5, 0]}]})");
  const Model& model = built.model;
  ContactFinder finder(build_collision_mesh(model.kinematics), make_candidate_filter(model),
                       NodeMap(model.kinematics), join_rest_meshes(model.kinematics).points,
                       model.contact.d_hat);
  finder.start({});
  Barrier barrier(finder);
  barrier.set_stiffness(1);
  // Down until the lowest corner is in the barrier.
  VecX n = built.state.nodes;
  const Body& body = body_of(built, 0);
  double lowest = 1;
  for (const Vec3& x : points_of(model, n, 0)) lowest = std::min(lowest, x.y());
  for (Index i = 0; i < body.node_count; ++i) n[3 * i + 1] -= lowest - 0.02;
  ASSERT_GT(barrier.compute_value(n), 0);
  battery::check_gradient(barrier, n, {0.01, 1e-5});
  battery::check_hessian(barrier, n, {0.01, 1e-4}, false);
  battery::check_threads(barrier, n);
}

TEST_F(CarriedSurface, bad_input_is_refused_with_a_reason) {
  const auto answer = [](const std::string& body) -> std::string {
    try {
      build_text(R"({"bodies": [{)" + body + "}]}");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const std::string box = R"("shape": {"type": "box"})", far = write_box({1, 1, 1}, 2, 40);
  EXPECT_NE(answer(box + R"(, "surface": ")" + far + "\"").find("outside the tets"), std::string::npos);
  EXPECT_NE(answer(box + R"(, "surface": "missing.obj")").find("missing.obj"), std::string::npos);
  EXPECT_NE(answer(box + R"(, "surface": "")").find("empty"), std::string::npos);
  EXPECT_NE(answer(box + R"(, "surface": "carried", "kind": "rigid")").find("only tets of soft bodies"),
            std::string::npos);
  EXPECT_NE(answer(box + R"(, "surface": "carried", "thickness": 0.1)").find("no thickness"),
            std::string::npos);
  // Two ends that share a cell cannot be held apart.
  EXPECT_NE(answer(box + R"(, "surface": "carried", "tet_size": 0.5, "prescribed": [
    {"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}},
    {"select": {"relative_box": {"min": [0.25, 0, 0], "max": [0.25, 1, 1]}}}])")
                .find("earlier entry"),
            std::string::npos);
}

}  // namespace
}  // namespace marrow::test
