// The tables of poses and forces: what a row holds, and what a resumed run keeps.
#include "output/run/results.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "output/run/results_read.h"
#include "sample_run.h"
#include "sim/model/pose.h"

namespace marrow {
namespace {

// A brick of equal points, with awkward names, and a wall that it touches.
struct Scene {
  Model model;
  State state;
  StepReport report;

  Scene() {
    Mesh mesh;
    for (int k = 0; k < 8; ++k) mesh.points.push_back(Vec3(k & 1, (k >> 1 & 1) * 2, (k >> 2 & 1) * 3));
    mesh.triangles = {{0, 1, 2}};
    add_rigid_body("brick, \"red\"", mesh, {.mass = 8, .center = {0.5, 1, 1.5}, .second = Mat3::Identity()},
                   model.kinematics);
    Mesh wall = mesh;
    add_obstacle("wall", wall, model.kinematics);
    model.mass = join_mass();
    state.nodes.resize(3 * model.kinematics.node_count);
    state.velocities = VecX::Zero(state.nodes.size());
  }

  ScalarMatrix join_mass() const {
    std::vector<Triplet> triplets;
    for (Index i = 0; i < 4; ++i) triplets.push_back({i, i, 2.0});
    return build_scalar_matrix(model.kinematics.node_count, model.kinematics.node_count, triplets);
  }
};

StepReport make_report(int step, bool touches) {
  StepReport report;
  report.step = step;
  report.time = 0.01 * step;
  report.forces.bodies.resize(2);
  if (touches) {
    PairForces pair;
    pair.a = 0;
    pair.b = 1;
    pair.normal.force = Vec3(0, 3, 0);
    pair.pressing = 3;
    report.forces.pairs.push_back(pair);
    report.forces.bodies[0].normal.force = Vec3(0, 3, 0);
  }
  return report;
}

TEST(Results, rows_of_obstacles_only_where_something_touches_them) {
  const Scene scene;
  VecX nodes = VecX::Random(scene.state.nodes.size());
  State state = scene.state;
  state.nodes = nodes;
  Model model = scene.model;
  model.initial_nodes = nodes;
  const std::string apart = format_body_rows(model, state, make_report(1, false));
  const std::string touching = format_body_rows(model, state, make_report(2, true));
  EXPECT_EQ(std::count(apart.begin(), apart.end(), '\n'), 1);
  EXPECT_EQ(std::count(touching.begin(), touching.end(), '\n'), 2);
  EXPECT_EQ(apart.substr(0, 31), "1,0.01,\"brick, \"\"red\"\"\",rigid,8");
  EXPECT_NE(touching.find("\n2,0.02,wall,obstacle,0,"), std::string::npos) << touching;
  // Before the first step there are no forces.
  const std::string start = format_body_rows(model, state, StepReport());
  EXPECT_TRUE(start.ends_with(std::string(27, ',') + "\n")) << start;
}

TEST(Results, a_resumed_run_keeps_the_rows_before_it) {
  Scene scene;
  scene.state.nodes = VecX::Random(scene.state.nodes.size());
  scene.model.initial_nodes = scene.state.nodes;
  const TemporaryFolder temporary;
  const std::string& folder = temporary.path;
  const auto write = [&](ResultsFiles& files, int first, int last) {
    for (int step = first; step <= last; ++step)
      files.add(scene.model, scene.state, make_report(step, step > 1));
  };
  {
    ResultsFiles files(folder, 0);
    write(files, 0, 5);
    EXPECT_TRUE(files.notices().empty());
  }
  const std::string whole = read_file(folder + "/bodies.csv"), contacts = read_file(folder + "/contacts.csv");
  write_file(folder + "/bodies.csv", whole + "6,0.06,torn");
  {
    ResultsFiles files(folder, 3);
    EXPECT_TRUE(files.notices().empty());
    write(files, 4, 5);
  }
  EXPECT_EQ(read_file(folder + "/bodies.csv"), whole);
  EXPECT_EQ(read_file(folder + "/contacts.csv"), contacts);
  // What is not there is told; a damaged file is cut at the damage.
  write_file(folder + "/bodies.csv", whole.substr(0, whole.find("\n3,") + 1) + "nonsense\n");
  std::filesystem::remove(folder + "/contacts.csv");
  ResultsFiles files(folder, 5);
  EXPECT_EQ(files.notices().size(), 2U);
  ResultsFiles::drop_later(folder, 1);
  EXPECT_EQ(read_file(folder + "/bodies.csv").find("\n2,"), std::string::npos);
}

TEST(Results, tables_are_read_back) {
  Scene scene;
  scene.state.nodes = VecX::Random(scene.state.nodes.size());
  scene.model.initial_nodes = scene.state.nodes;
  const TemporaryFolder temporary;
  const std::string& folder = temporary.path;
  ResultsFiles files(folder, 0);
  files.add(scene.model, scene.state, StepReport());
  files.add(scene.model, scene.state, make_report(1, true));
  ResultsReader reader(folder + "/bodies.csv", {"body", "normal_y", "step"});
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.text(0), "brick, \"red\"");
  EXPECT_TRUE(std::isnan(reader.number(1)));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.number(1), 3);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.text(0), "wall");
  EXPECT_FALSE(reader.next());
  EXPECT_THROW(ResultsReader(folder + "/bodies.csv", {"colour"}), InputError);
  write_file(folder + "/empty.csv", "");
  EXPECT_THROW(ResultsReader(folder + "/empty.csv", {"step"}), InputError);
}

Body make_points(const Points& points, Kinematics& kinematics) {
  Body body;
  body.rest.points = points;
  body.W = build_identity(static_cast<Index>(points.size()));
  body.mass = build_identity(static_cast<Index>(points.size()));
  append_body(body, kinematics);
  return kinematics.bodies.back();
}

VecX stack(const Points& points) {
  VecX n(3 * static_cast<Index>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) n.segment<3>(3 * static_cast<Index>(i)) = points[i];
  return n;
}

// The rotation and the velocities of a moved body are found, whatever its shape; what a wire or a point
// cannot know is 0.
TEST(Results, poses_of_any_shape) {
  const Mat3 R = Eigen::AngleAxisd(2.5, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Vec3 omega(0.3, -0.2, 0.5), shift(10, -3, 2);
  const std::vector<Points> shapes = {
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 3}},  // a solid
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 1, 0}},             // flat
      {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}},                        // straight
      {{1, 2, 3}},                                              // a point
  };
  for (const Points& shape : shapes) {
    Kinematics kinematics;
    const Body body = make_points(shape, kinematics);
    Points moved, velocities;
    for (const Vec3& x : shape) {
      moved.push_back(R * x + shift);
      velocities.push_back(Vec3(1, 0, 0) + omega.cross(moved.back()));
    }
    const BodyPose pose = compute_pose(body, stack(shape), stack(moved), stack(velocities));
    EXPECT_NEAR(pose.rotation.determinant(), 1, 1e-12);
    EXPECT_LT((pose.rotation * pose.rotation.transpose() - Mat3::Identity()).norm(), 1e-12);
    for (size_t i = 0; i < shape.size(); ++i) {
      const Vec3 X = shape[i] - compute_centre(body, stack(shape));
      EXPECT_LT((pose.centre + pose.rotation * X - moved[i]).norm(), 1e-12) << shape.size();
    }
    if (shape.size() > 3) {
      EXPECT_LT((pose.rotation - R).norm(), 1e-12);
      EXPECT_LT((pose.angular_velocity - omega).norm(), 1e-12);
    }
    if (shape.size() == 1) {
      EXPECT_EQ(pose.angular_velocity, Vec3::Zero());
    }
  }
}

}  // namespace
}  // namespace marrow
