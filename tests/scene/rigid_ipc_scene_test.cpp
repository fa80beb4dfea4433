// Rigid-ipc fixtures: what becomes of each entry, what is told of what is ignored, and every public fixture.
#include "scene/import/rigid_ipc_scene.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <numbers>

#include "core/error.h"
#include "core/file.h"
#include "kinematics/elements/mass_properties.h"
#include "scene/build/build.h"
#include "scene/describe.h"
#include "scene/import/import_scene.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCube =
    "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5\nv -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\n"
    "v 0.5 0.5 0.5\nv -0.5 0.5 0.5\nf 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\n"
    "f 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

class RigidIpc : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("marrow_rigid_ipc_" + std::to_string(::getpid()));
    fs::create_directories(folder_ / "meshes/parts");
    fs::create_directories(folder_ / "fixtures/3D");
    write_file((folder_ / "meshes/parts/cube.obj").string(), kCube);
    write_file((folder_ / "meshes/square.obj").string(),
               "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 3 2\nf 1 4 3\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path() const { return (folder_ / "fixtures/3D/fixture.json").string(); }

  // bodies: the entries of rigid_bodies; rest: further members of the root, each with a comma at its end.
  RigidIpcScene convert(const std::string& bodies, const std::string& rest = {},
                        BodyKind kind = BodyKind::Rigid) {
    write_file(path(), "{\"scene_type\": \"distance_barrier_rb_problem\", " + rest +
                           "\"rigid_body_problem\": {\"gravity\": [0, -9.8, 0], \"rigid_bodies\": [" +
                           bodies + "]}}");
    return read_rigid_ipc_scene(path(), path(), kind);
  }

  std::string answer_to(const std::string& bodies) {
    try {
      convert(bodies);
    } catch (const InputError& error) {
      return error.problem();
    }
    return "no error";
  }

  // What is converted is read and built like any scene.
  BuiltScene build(const RigidIpcScene& converted) {
    return build_scene(parse_scene(describe_scene(converted.scene), path()), path());
  }

  fs::path folder_;
};

TEST_F(RigidIpc, a_body_keeps_place_mass_and_velocities) {
  const RigidIpcScene converted = convert(
      R"({"mesh": "parts/cube.obj", "position": [1, 2, 3], "rotation": [0, 0, 90], "scale": [2, 1, 1],
          "density": 500, "linear_velocity": [0, 1, 0], "angular_velocity": [0, 0, 180]})",
      R"("timestep": 0.02, "max_time": 3, )");
  ASSERT_EQ(converted.scene.bodies.size(), 1u);
  const BodyDescription& body = converted.scene.bodies[0];
  EXPECT_EQ(body.name, "cube");
  EXPECT_EQ(body.kind, BodyKind::Rigid);
  EXPECT_EQ(body.material.density, 500);
  EXPECT_NEAR(body.angular_velocity.z(), std::numbers::pi, 1e-15);
  EXPECT_EQ(converted.scene.time.step, 0.02);
  EXPECT_EQ(converted.scene.time.duration, 3);
  EXPECT_EQ(converted.scene.gravity, Vec3(0, -9.8, 0));
  EXPECT_TRUE(converted.notices.empty());
  const BuiltScene built = build(converted);
  double mass = 0;
  for (const double m : built.model.mass.values) mass += m;
  EXPECT_NEAR(mass, 1000, 1e-9);
  Eigen::AlignedBox3d box;
  for (const Vec3& x : built.model.kinematics.bodies[0].rest.points) box.extend(x);
  EXPECT_LT((box.min() - Vec3(0.5, 1, 2.5)).norm(), 1e-12);
}

TEST_F(RigidIpc, settings_are_taken_over_with_their_units) {
  const RigidIpcScene converted =
      convert(R"({"mesh": "parts/cube.obj"})",
              R"("max_iterations": 7, "timestep": 0.5, "ipc_solver": {"velocity_conv_tol": 1e-3},
         "distance_barrier_constraint": {"initial_barrier_activation_distance": 1e-4,
                                         "minimum_separation_distance": 0.02},
         "friction_constraints": {"static_friction_speed_bound": 1e-5, "iterations": -1}, )");
  const Scene& scene = converted.scene;
  EXPECT_EQ(scene.time.duration, 3.5);
  EXPECT_EQ(scene.contact.d_hat, 1e-4);
  EXPECT_EQ(scene.contact.epsilon_v, 1e-5);
  EXPECT_EQ(scene.contact.friction_iterations, -1);
  EXPECT_EQ(scene.bodies[0].radius, 0.01);
  EXPECT_NEAR(scene.solver.newton.tolerance, 1e-3, 1e-15);  // one body: its box is that of the world
}

TEST_F(RigidIpc, what_does_not_move_by_itself_is_an_obstacle) {
  const RigidIpcScene converted = convert(
      R"({"mesh": "square.obj", "type": "static"}, {"mesh": "square.obj", "is_dof_fixed": true},
         {"mesh": "parts/cube.obj", "type": "kinematic", "position": [0, 3, 0], "linear_velocity": [1, 0, 0],
          "angular_velocity": [0, 90, 0], "is_dof_fixed": [true, false, false, false, false, false],
          "kinematic_max_time": 0.5})",
      R"("max_time": 1, )");
  for (const BodyDescription& body : converted.scene.bodies) EXPECT_EQ(body.kind, BodyKind::Obstacle);
  EXPECT_TRUE(converted.scene.bodies[0].prescribed.empty());
  EXPECT_TRUE(converted.scene.bodies[1].prescribed.empty());
  const PrescribedDescription& motion = converted.scene.bodies[2].prescribed.at(0);
  EXPECT_EQ(motion.velocity, Vec3(0, 0, 0));
  EXPECT_NEAR(motion.angular_velocity.y(), std::numbers::pi / 2, 1e-15);
  EXPECT_LT((motion.about.value() - Vec3(0, 3, 0)).norm(), 1e-12);
  EXPECT_EQ(motion.end, 0.5);
  build(converted);
}

TEST_F(RigidIpc, poses_are_taken_one_a_step_and_then_the_velocities) {
  const RigidIpcScene converted = convert(
      R"({"mesh": "parts/cube.obj", "type": "kinematic", "position": [0, 1, 0], "angular_velocity": [100, 0, 0],
          "linear_velocity": [0, 0, 2],
          "kinematic_poses": [{"position": [0, 2, 0]}, {"position": [0, 4, 0], "rotation": [0, 0, 0]}]})",
      R"("max_time": 1, "timestep": 0.1, )");
  const std::vector<Keyframe>& keys = converted.scene.bodies[0].prescribed.at(0).keyframes;
  ASSERT_EQ(keys.size(), 4u);
  EXPECT_EQ(keys[1].time, 0.1);
  EXPECT_LT((keys[1].translation - Vec3(0, 1, 0)).norm(), 1e-12);
  EXPECT_LT((keys[2].translation - Vec3(0, 3, 0)).norm(), 1e-12);
  EXPECT_NEAR(keys[3].time, 1, 1e-15);
  EXPECT_LT((keys[3].translation - Vec3(0, 3, 1.6)).norm(), 1e-12);
  EXPECT_LT((keys[3].rotation - Vec3(80, 0, 0)).norm(), 1e-12);
}

TEST_F(RigidIpc, fixed_degrees_of_freedom_lock_a_rigid_body) {
  const std::string body =
      R"({"mesh": "parts/cube.obj", "is_dof_fixed": [false, true, false, true, true, false],
          "linear_velocity": [1, 2, 3]})";
  const RigidIpcScene rigid = convert(body);
  EXPECT_EQ(rigid.scene.bodies[0].locked, (std::vector{Freedom::Y, Freedom::TurnX, Freedom::TurnY}));
  const BuiltScene built = build(rigid);
  for (Index i = 0; i < 4; ++i)
    EXPECT_LT((built.state.velocities.segment<3>(3 * i) - Vec3(1, 0, 3)).norm(), 1e-12);
  const RigidIpcScene affine =
      convert(body + R"(, {"mesh": "parts/cube.obj", "position": [3, 0, 0]})", "", BodyKind::Affine);
  EXPECT_EQ(affine.scene.bodies[0].kind, BodyKind::Rigid);
  EXPECT_EQ(affine.scene.bodies[1].kind, BodyKind::Affine);
  EXPECT_EQ(affine.notices.at(1),
            "cube: is_dof_fixed for some axes only needs a rigid body, so it is made rigid");
}

TEST_F(RigidIpc, thin_bodies_weigh_density_times_area_length_or_number) {
  const RigidIpcScene converted = convert(
      R"({"mesh": "square.obj", "density": 3},
         {"vertices": [[0, 1, 0], [1, 1, 0], [1, 1, 2]], "edges": [[0, 1], [1, 2]], "density": 5},
         {"vertices": [[0, 2, 0], [1, 2, 0], [0, 2, 1], [0, 3, 0]], "density": 7})");
  const BuiltScene built = build(converted);
  const double expected[] = {12, 15, 28};
  for (size_t b = 0; b < 3; ++b) {
    double mass = 0;
    for (const double m : built.model.kinematics.bodies[b].mass.values) mass += m;
    EXPECT_NEAR(mass, expected[b], 1e-9) << b;
  }
}

TEST_F(RigidIpc, forces_dimensions_groups_and_parts) {
  const RigidIpcScene converted = convert(
      R"({"mesh": "parts/cube.obj", "dimensions": [2, 4, 6], "force": [0, 480, 0], "density": 10, "group_id": 3},
         {"mesh": "parts/cube.obj", "position": [9, 0, 0], "group_id": 3, "torque": [1, 0, 0], "colour": "red", "#x": 1},
         {"mesh": "parts/cube.obj", "enabled": false, "colour": "red"},
         {"vertices": [[0, 9, 0], [1, 9, 0], [0, 9, 1], [5, 9, 0], [6, 9, 0], [5, 9, 1]],
          "faces": [[0, 1, 2], [3, 4, 5], [1, 0, 2]], "split_components": true})");
  ASSERT_EQ(converted.scene.bodies.size(), 4u);
  EXPECT_LT((converted.scene.bodies[0].scale - Vec3(2, 4, 6)).norm(), 1e-12);
  const ForceDescription& force = converted.scene.bodies[0].forces.at(0);
  ASSERT_TRUE(force.acceleration.has_value());
  EXPECT_EQ(converted.scene.bodies[1].name, "cube 2");
  ASSERT_TRUE(converted.scene.bodies[1].forces.at(0).torque.has_value());
  EXPECT_EQ(converted.scene.bodies[1].forces[0].torque->evaluate(0), Vec3(1, 0, 0));
  ASSERT_EQ(converted.scene.contact.pairs.size(), 1u);
  EXPECT_TRUE(converted.scene.contact.pairs[0].ignore);
  EXPECT_EQ(converted.scene.contact.pairs[0].a, "group 3");
  EXPECT_EQ(converted.scene.bodies[3].name, "body part 2");
  EXPECT_EQ(converted.notices, (std::vector<std::string>{
                                   "the fixture has no end time; 10 s are simulated",
                                   "rigid_bodies[1]: colour is ignored", "rigid_bodies[2]: colour is ignored",
                                   "rigid_bodies[3]: duplicate triangles of the mesh count once (1)"}));
  build(converted);
}

TEST_F(RigidIpc, what_does_not_move_by_itself_needs_no_density) {
  const RigidIpcScene converted = convert(
      R"({"mesh": "parts/cube.obj", "type": "static", "density": 0},
         {"mesh": "parts/cube.obj", "type": "kinematic", "density": 0, "position": [3, 0, 0]},
         {"mesh": "parts/cube.obj", "is_dof_fixed": true, "density": -1, "position": [6, 0, 0]},
         {"mesh": "parts/cube.obj", "position": [0, 3, 0]})");
  const BuiltScene built = build(converted);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(built.model.kinematics.bodies[i].kind, BodyKind::Obstacle);
  EXPECT_EQ(answer_to(R"({"mesh": "parts/cube.obj", "density": 0})"), "must be above 0 kg/m³, found 0");
}

TEST_F(RigidIpc, mistakes_are_told) {
  EXPECT_EQ(answer_to(R"({"mesh": "none.obj"})"), "the mesh none.obj is missing");
  EXPECT_EQ(answer_to(R"({"position": [0, 1]})"), "has two coordinates: the fixture is two-dimensional");
  EXPECT_EQ(answer_to(R"({"vertices": [[0, 1]]})"), "have two coordinates: the fixture is two-dimensional");
  EXPECT_EQ(answer_to(R"({})"), "has neither a mesh nor vertices");
  EXPECT_EQ(answer_to(R"({"mesh": "square.obj", "is_dof_fixed": [true]})"),
            "should be true, false or a list of six of these, found a list of 1");
  EXPECT_EQ(answer_to(R"({"vertices": [[0, 1, 0]], "edges": [[0, 1]]})"),
            "should be lists of 2 numbers of vertices below 1");
}

TEST_F(RigidIpc, a_kind_is_for_fixtures_alone) {
  const std::string file = (folder_ / "scene.json").string();
  write_file(file, "{\"bodies\": [{\"shape\": {\"type\": \"box\"}}]}");
  std::vector<std::string> notices;
  EXPECT_FALSE(is_foreign_scene(file));
  const auto problem_of = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.problem();
    }
    return "no error";
  };
  EXPECT_EQ(problem_of([&] { read_scene_or_import(file, {}, {BodyKind::Affine}, notices); }),
            "is not a rigid-ipc fixture; only for these can a kind be chosen");
  EXPECT_EQ(problem_of([&] { import_scene(file, file, {}); }), "is not a scene that can be converted");
  convert(R"({"mesh": "parts/cube.obj"})", R"("max_time": 1, )");
  const Scene scene = read_scene_or_import(path(), {"time.duration=0.5"}, {BodyKind::Affine}, notices);
  EXPECT_EQ(scene.bodies[0].kind, BodyKind::Affine);
  EXPECT_EQ(scene.time.duration, 0.5);
}

TEST(Locked, is_for_rigid_bodies_that_are_not_moved_otherwise) {
  const auto answer_to = [](const std::string& body) -> std::string {
    try {
      parse_scene(
          "{\"bodies\": [{\"shape\": {\"type\": \"box\"}, \"locked\": [\"x\", \"rz\"], " + body + "}]}",
          "scene");
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(answer_to("\"kind\": \"rigid\""), "no error");
  EXPECT_NE(
      answer_to("\"kind\": \"affine\"").find("bodies[0].locked: only rigid bodies can be locked in part"),
      std::string::npos);
  EXPECT_NE(answer_to("\"kind\": \"rigid\", \"prescribed\": [{\"select\": {\"all\": true}}]")
                .find("nothing left to lock"),
            std::string::npos);
}

// Every fixture in three dimensions becomes a scene that builds; every one in two is refused.
TEST(RigidIpcFixtures, all_public_ones) {
  const fs::path root = fs::path(MARROW_SOURCE_DIR) / "../shared/data/scenes/rigid-ipc/fixtures";
  if (!fs::exists(root)) GTEST_SKIP() << "needs the fixtures of rigid-ipc in ../shared/data/scenes";
  int converted = 0, refused = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".json") continue;
    const std::string path = entry.path().string();
    if (path.find("scalability/weak") != std::string::npos && path.find("64") == std::string::npos) continue;
    ASSERT_TRUE(is_rigid_ipc_fixture(path)) << path;
    try {
      const RigidIpcScene scene = read_rigid_ipc_scene(path, path, BodyKind::Affine);
      EXPECT_EQ(path.find("/2D/"), std::string::npos) << path;
      build_scene(parse_scene(describe_scene(scene.scene), path), path);
      ++converted;
    } catch (const InputError& error) {
      const bool is_plane = path.find("/2D/") != std::string::npos;
      const bool is_missing = error.problem().find("is missing") != std::string::npos;
      EXPECT_TRUE(is_plane || is_missing) << path << ": " << error.what();
      ++refused;
    }
  }
  EXPECT_GT(converted, 60);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace marrow
