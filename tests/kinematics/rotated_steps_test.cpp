// Steps that turn a body end on the circle, not on its tangent.
#include "kinematics/rotated_steps.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "mesh/shapes.h"

namespace marrow {
namespace {

struct Cube {
  Kinematics kinematics;
  VecX nodes;
  std::vector<char> is_fixed;

  Cube() {
    const Points points =
        add_soft_body("cube", build_shape(BoxShape{.cells_x = 1, .cells_y = 1, .cells_z = 1}), 1000,
                      MassKind::Lumped, 0, kinematics);
    nodes.resize(3 * static_cast<Index>(points.size()));
    for (size_t i = 0; i < points.size(); ++i)
      nodes.segment<3>(3 * static_cast<Index>(i)) = points[i] + Vec3(3, 1, -2);
    is_fixed.assign(points.size(), 0);
  }

  Vec3 center() const {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < nodes.size(); i += 3) sum += nodes.segment<3>(i);
    return 3 * sum / static_cast<double>(nodes.size());
  }

  // The step of a body that moves by shift and turns, and whose first node goes astray.
  NodePath make_path(const Vec3& shift, const Vec3& rotation, const Vec3& astray) const {
    NodePath path = {nodes, VecX(nodes.size()), {}};
    for (Index i = 0; i < nodes.size(); i += 3) {
      path.direction.segment<3>(i) = shift + rotation.cross(Vec3(nodes.segment<3>(i) - center()));
    }
    path.direction.head<3>() += astray;
    return path;
  }
};

// How far the distances between nodes have changed at most.
double measure_stretch(const VecX& before, const VecX& after) {
  double most = 0;
  for (Index i = 0; i < before.size(); i += 3) {
    for (Index j = 0; j < i; j += 3) {
      const double old = (before.segment<3>(i) - before.segment<3>(j)).norm();
      most = std::max(most, std::abs((after.segment<3>(i) - after.segment<3>(j)).norm() - old));
    }
  }
  return most;
}

}  // namespace

TEST(RotatedSteps, a_turn_keeps_the_shape_at_every_part_of_the_way) {
  const Cube cube;
  const NodePath path = cube.make_path(Vec3(0.1, -0.2, 0.3), Vec3(0.3, 0.5, -0.2), Vec3::Zero());
  const RotatedSteps swings(cube.kinematics, cube.is_fixed, path, {1e-6, 1e-6});
  ASSERT_FALSE(swings.is_empty());
  EXPECT_GT(measure_stretch(cube.nodes, path.at(1)), 0.05);
  for (const double part : {0.01, 0.3, 1.0}) {
    const NodePath bent = swings.bend(path, part);
    EXPECT_LE(measure_stretch(cube.nodes, bent.at(1)), 1e-14);
  }
  // To first order it is the step itself.
  const double small = 1e-5;
  EXPECT_LE((swings.bend(path, small).direction - small * path.direction).norm(), 10 * small * small);
}

TEST(RotatedSteps, a_turn_by_more_than_a_right_angle_is_cut) {
  const Cube cube;
  const NodePath path = cube.make_path(Vec3::Zero(), Vec3(0, 40, 0), Vec3::Zero());
  const NodePath bent = RotatedSteps(cube.kinematics, cube.is_fixed, path, {1e-6, 1e-6}).bend(path, 1);
  const Vec3 before = cube.nodes.head<3>() - cube.center(), after = bent.at(1).head<3>() - cube.center();
  EXPECT_NEAR(std::atan2(before.z() * after.x() - before.x() * after.z(),
                         before.x() * after.x() + before.z() * after.z()),
              kLargestTurn, 1e-9);
}

TEST(RotatedSteps, only_what_turns_as_a_whole_swings) {
  const Cube cube;
  const Vec3 rotation(0.3, 0.5, -0.2);
  EXPECT_TRUE(RotatedSteps(cube.kinematics, cube.is_fixed,
                           cube.make_path(Vec3(1, 2, 3), Vec3::Zero(), Vec3::Zero()), {1e-6, 1e-6})
                  .is_empty());
  EXPECT_TRUE(RotatedSteps(cube.kinematics, cube.is_fixed,
                           cube.make_path(Vec3::Zero(), rotation, Vec3(1, 0, 0)), {1e-6, 1e-6})
                  .is_empty());
  EXPECT_TRUE(RotatedSteps(cube.kinematics, cube.is_fixed,
                           cube.make_path(Vec3::Zero(), rotation, Vec3::Zero()), {1, 1})
                  .is_empty());
  std::vector<char> is_fixed = cube.is_fixed;
  is_fixed[3] = 1;
  EXPECT_TRUE(RotatedSteps(cube.kinematics, is_fixed, cube.make_path(Vec3::Zero(), rotation, Vec3::Zero()),
                           {1e-6, 1e-6})
                  .is_empty());
}

}  // namespace marrow
