// Joints as potentials: the battery for every kind of relation, and what the rows promise.
#include <gtest/gtest.h>

#include <numbers>

#include "potential_battery.h"
#include "potentials/joints/joints.h"

namespace marrow {
namespace {

using battery::random_vector;

// Eight nodes: the first four are body a, the others body b.
constexpr Index kNodes = 8;

WeightedPoint point_of(Index first, const Vec4& weights) {
  WeightedPoint point;
  for (Index k = 0; k < 4; ++k) {
    point.nodes.push_back(first + k);
    point.weights.push_back(weights[k]);
  }
  return point;
}

WeightedPoint vector_of(Index first, const Vec4& weights) {
  Vec4 zero_sum = weights;
  zero_sum.array() -= weights.mean();
  return point_of(first, zero_sum);
}

VecX make_nodes() {
  VecX n = random_vector(3 * kNodes, 0.1, 7);
  const Points corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (Index i = 0; i < kNodes; ++i) n.segment<3>(3 * i) += corners[static_cast<size_t>(i % 4)];
  return n;
}

Joint make_base() {
  Joint joint;
  joint.node_count_a = 4;
  joint.anchor_a = point_of(0, {0.1, 0.2, 0.3, 0.4});
  joint.anchor_b = point_of(4, {0.4, 0.1, 0.2, 0.3});
  return joint;
}

JointCoordinate make_coordinate(CoordinateKind kind) {
  std::vector<WeightedPoint> z = {vector_of(0, {-1, 1.5, 0.2, 0})};
  if (kind != CoordinateKind::Length) z.push_back(vector_of(4, {-1, 1, 0.3, 0}));
  if (kind == CoordinateKind::Angle) z.push_back(vector_of(4, {-1, 0, 1, 0.2}));
  return {kind, z, 0};
}

JointStep make_step() {
  return {.length = 0.01,
          .end = 0.01,
          .scale = 1,
          .end_scale = 1,
          .inverse_resistance = std::vector<double>(kNodes, 1e4)};
}

double value_of(const JointCoordinate& q, const VecX& n) {
  return compute_joint_function(q.kind, VectorStencil(q.vectors).gather(n), 0).value;
}

// The joint after a solve that left its relations violated: multipliers and violations are not zero.
void check_battery(const Joint& joint, bool is_exact) {
  const std::vector<Joint> joints = {joint};
  Joints potential(joints, {}, 1, kNodes);
  const VecX n = make_nodes();
  JointMemory memory = potential.make_memory();
  memory.multipliers = random_vector(static_cast<Index>(memory.multipliers.size()), 0.3, 3);
  if (joint.coordinate) memory.joints[0].coordinate = value_of(*joint.coordinate, n) - 0.02;
  potential.start_step(memory, n, make_step());
  battery::check_all(potential, n, {.length = 0.1, .tolerance = 1e-6}, is_exact);
}

}  // namespace

TEST(Joints, vanishing_vectors_pass_the_battery) {
  Joint joint = make_base();
  joint.vanishing.push_back(combine(1, joint.anchor_a, -1, joint.anchor_b));
  check_battery(joint, true);
}

TEST(Joints, a_point_held_in_the_world_passes_the_battery) {
  Joint joint = make_base();
  WeightedPoint place;
  place.offset = Vec3(0.3, 0.2, 0.1);
  joint.vanishing.push_back(combine(1, joint.anchor_a, -1, place));
  check_battery(joint, true);
}

TEST(Joints, right_angles_pass_the_battery) {
  Joint joint = make_base();
  joint.right_angles.push_back(make_coordinate(CoordinateKind::Dot));
  check_battery(joint, false);
}

std::string name_of(CoordinateKind kind) {
  const char* const names[] = {"length", "dot", "angle"};
  return names[static_cast<int>(kind)];
}

class JointCoordinates : public ::testing::TestWithParam<CoordinateKind> {
 protected:
  Joint make_joint() const {
    Joint joint = make_base();
    joint.coordinate = make_coordinate(GetParam());
    return joint;
  }
  double value() const { return value_of(make_coordinate(GetParam()), make_nodes()); }
};

TEST_P(JointCoordinates, held_passes_the_battery) {
  Joint joint = make_joint();
  joint.held = value() - 0.05;
  check_battery(joint, false);
}

TEST_P(JointCoordinates, beyond_a_limit_passes_the_battery) {
  Joint joint = make_joint();
  joint.max = value() - 0.1;
  check_battery(joint, false);
}

TEST_P(JointCoordinates, below_a_limit_passes_the_battery) {
  Joint joint = make_joint();
  joint.min = value() + 0.1;
  check_battery(joint, false);
}

TEST_P(JointCoordinates, inside_its_limits_does_nothing) {
  Joint joint = make_joint();
  joint.min = value() - 1;
  joint.max = value() + 1;
  const std::vector<Joint> joints = {joint};
  Joints potential(joints, {}, 1, kNodes);
  const VecX n = make_nodes();
  JointMemory memory = potential.make_memory();
  memory.joints[0].coordinate = value();
  potential.start_step(memory, n, make_step());
  EXPECT_EQ(battery::gradient_of(potential, n).norm(), 0);
  EXPECT_FALSE(potential.tighten(n));
}

TEST_P(JointCoordinates, driven_passes_the_battery) {
  Joint joint = make_joint();
  joint.motor = JointMotor{.speed = Expression(0.5), .position = {}};
  check_battery(joint, false);
}

TEST_P(JointCoordinates, driven_at_its_largest_force_passes_the_battery) {
  Joint joint = make_joint();
  joint.motor = JointMotor{.speed = Expression(100.0), .position = {}, .max_force = 1e-3};  // less than λ
  check_battery(joint, false);
}

TEST_P(JointCoordinates, sprung_and_damped_passes_the_battery) {
  Joint joint = make_joint();
  joint.spring = JointSpring{.stiffness = 2, .damping = 0.1, .rest = value() - 0.3};
  check_battery(joint, false);
}

INSTANTIATE_TEST_SUITE_P(All, JointCoordinates,
                         ::testing::Values(CoordinateKind::Length, CoordinateKind::Dot,
                                           CoordinateKind::Angle),
                         [](const auto& tested) { return name_of(tested.param); });

TEST(Joints, a_motor_never_pushes_with_more_than_it_has) {
  Joint joint = make_base();
  joint.coordinate = make_coordinate(CoordinateKind::Length);
  joint.motor = JointMotor{.speed = Expression(1e6), .position = {}, .max_force = 2.5};
  const std::vector<Joint> joints = {joint};
  Joints potential(joints, {}, 1, kNodes);
  const VecX n = make_nodes();
  potential.start_step({}, n, make_step());
  EXPECT_TRUE(potential.tighten(n));  // it finds that it cannot keep up
  const WeightedPoint& z = joint.coordinate->vectors[0];
  VecX weights = VecX::Zero(3 * kNodes);
  const Vec3 direction = z.at(n).normalized();
  for (size_t k = 0; k < z.nodes.size(); ++k) weights.segment<3>(3 * z.nodes[k]) = z.weights[k] * direction;
  EXPECT_NEAR((battery::gradient_of(potential, n) + 2.5 * weights).norm(), 0, 1e-12);
}

TEST(Joints, angles_count_on_over_full_turns) {
  const StackedVec z = (StackedVec(9) << Vec3(-1, -0.1, 0), Vec3::UnitX(), Vec3::UnitY()).finished();
  const double principal = std::atan2(-0.1, -1.0);
  const double near = 7 * std::numbers::pi;
  const double value = compute_joint_function(CoordinateKind::Angle, z, near).value;
  EXPECT_NEAR(value, principal + 8 * std::numbers::pi, 1e-12);
}

TEST(Joints, too_much_force_breaks_them_for_good) {
  Joint joint = make_base();
  joint.vanishing.push_back(combine(1, joint.anchor_a, -1, joint.anchor_b));
  joint.break_force = 1;
  const std::vector<Joint> joints = {joint};
  Joints potential(joints, {}, 1, kNodes);
  const VecX n = make_nodes();
  JointMemory memory = potential.make_memory();
  memory.multipliers = Vec3(0, 0.9, 0);
  potential.start_step(memory, n, make_step());
  EXPECT_FALSE(potential.finish_step(n).joints[0].is_broken);
  memory.multipliers = Vec3(0, 1.1, 0);
  potential.start_step(memory, n, make_step());
  const JointMemory after = potential.finish_step(n);
  EXPECT_TRUE(after.joints[0].is_broken);
  EXPECT_NEAR(after.joints[0].force, 1.1, 1e-12);
  EXPECT_EQ(potential.report().broken, 1);
  potential.start_step(after, n, make_step());
  EXPECT_EQ(battery::gradient_of(potential, n).norm(), 0);
}

TEST(JointMemory, is_the_same_after_packing_and_unpacking) {
  JointMemory memory;
  memory.joints = {{true, false, 1.5, 2, 3}, {false, true, -0.1, 4, 5}};
  memory.multipliers = random_vector(7, 1, 1);
  const JointMemory copy = unpack_joint_memory(pack(memory));
  ASSERT_EQ(copy.joints.size(), 2u);
  EXPECT_TRUE(copy.joints[0].is_broken);
  EXPECT_FALSE(copy.joints[1].is_broken);
  EXPECT_FALSE(copy.joints[0].is_held_up);
  EXPECT_TRUE(copy.joints[1].is_held_up);
  EXPECT_EQ(copy.joints[1].coordinate, -0.1);
  EXPECT_EQ(copy.joints[0].torque, 3);
  EXPECT_EQ(copy.multipliers, memory.multipliers);
  EXPECT_TRUE(unpack_joint_memory(VecX::Constant(3, 1e9)).joints.empty());
  EXPECT_TRUE(unpack_joint_memory({}).joints.empty());
}

}  // namespace marrow
