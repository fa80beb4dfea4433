// Joints between bodies of every kind: they hold to the solver's tolerance, and the physics they show.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "scene/read_scene.h"
#include "scenes/witness.h"

namespace marrow::test {
namespace {

constexpr double kGravity = 9.81;
constexpr double kDegree = std::numbers::pi / 180;

WitnessedRun run_clean(BuiltScene built) {
  WitnessedRun result = run_witnessed(std::move(built));
  EXPECT_TRUE(result.is_finished());
  EXPECT_TRUE(result.is_clean());
  return result;
}

double compute_worst_residual(const WitnessedRun& run) {
  double worst = 0;
  for (const StepReport& step : run.steps) worst = std::max(worst, step.joints.residual);
  return worst;
}

// The mean of the body's points that are at x at time 0, along X.
Vec3 compute_face_center(const Body& body, double x, const VecX& n) {
  VecX points;
  multiply(body.W, n.segment(3 * body.first_node, 3 * body.node_count), points);
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (size_t i = 0; i < body.rest.points.size(); ++i) {
    if (std::abs(body.rest.points[i].x() - x) > 1e-9) continue;
    sum += points.segment<3>(3 * static_cast<Index>(i));
    ++count;
  }
  return sum / count;
}

// An arm of 1 m and 1 kg along X, hinged to the world at its left end about Z.
std::string make_arm(const std::string& kind, const std::string& joint, const std::string& more = "") {
  return fmt::format(
      R"({{"time": {{"step": 0.01, "duration": 1}}, "bodies": [
        {{"name": "arm", "kind": "{}", "shape": {{"type": "box", "size": [1, 0.1, 0.1], "cells_x": 1, "cells_y": 1,
          "cells_z": 1}}, "position": [0.5, 0, 0], "material": {{"density": 100}}}}],
        "joints": [{{"type": "hinge", "a": "arm", "at": [0, 0, 0], "axis": [0, 0, 1] {}}}] {}}})",
      kind, joint, more);
}

constexpr double kArmTorque = kGravity * 0.5;             // of its weight, lying
constexpr double kArmInertia = (1 + 0.01) / 12.0 + 0.25;  // about the hinge [kg m²]

}  // namespace

// Every type of joint with every pair of kinds.
struct Pairing {
  const char* type;
  const char* a;
  const char* b;
};

class JointPairs : public ::testing::TestWithParam<Pairing> {
 protected:
  std::string make_text() const {
    const Pairing& of = GetParam();
    const std::string type = of.type;
    std::string joint;
    if (type == "distance" || type == "spring") {
      joint = R"("at": [0.15, 0.05, 0], "at_b": [-0.15, -0.02, 0.05])";
    } else {
      joint = R"("at": [0.001, 0.01, 0])";
    }
    if (type == "hinge" || type == "slider") joint += R"(, "axis": [0.1, 0.2, 1])";
    if (type == "spring") joint += R"(, "spring": {"stiffness": 500, "damping": 2})";
    const auto make_body = [](const char* name, const char* kind, double x, const char* spin) {
      const bool is_obstacle = std::string(kind) == "obstacle";
      return fmt::format(
          R"({{"name": "{}", "kind": "{}", "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2,
             "cells_y": 2, "cells_z": 2}}, "position": [{}, 0, 0] {} }})",
          name, kind, x, is_obstacle ? std::string() : fmt::format(R"(, "angular_velocity": {})", spin));
    };
    const bool is_world = std::string(of.b) == "world";
    std::string bodies = make_body("first", of.a, 0.11, "[1, 2, 3]");
    if (!is_world) bodies += ", " + make_body("second", of.b, -0.11, "[-2, 1, 0]");
    return fmt::format(
        R"({{"time": {{"step": 0.01, "duration": 0.3}}, "bodies": [{}],
            "joints": [{{"type": "{}", "a": "first", "b": "{}", {}}}]}})",
        bodies, type, is_world ? "world" : "second", joint);
  }
};

TEST_P(JointPairs, hold_to_tolerance_without_intersections) {
  BuiltScene built = build_text(make_text());
  const Model model = built.model;
  const WitnessedRun run = run_clean(std::move(built));
  EXPECT_LE(compute_worst_residual(run), model.joint_options.tolerance * model.size);
  // The relations themselves at the end, not what the solver says of them.
  const Joint& joint = model.joints[0];
  for (const WeightedPoint& vector : joint.vanishing) {
    EXPECT_LE(vector.at(run.state.nodes).norm(), 1e-8 * model.size);
  }
  for (const JointCoordinate& pair : joint.right_angles) {
    EXPECT_NEAR(pair.vectors[0].at(run.state.nodes).dot(pair.vectors[1].at(run.state.nodes)), 0,
                1e-8 * model.size);
  }
  if (joint.type == JointType::Distance) {
    EXPECT_NEAR((joint.anchor_a.at(run.state.nodes) - joint.anchor_b.at(run.state.nodes)).norm(), *joint.held,
                1e-8 * model.size);
  }
  EXPECT_GT((run.state.nodes - run.initial).norm(), 0.01);  // it has moved
}

namespace {

std::vector<Pairing> list_pairings() {
  std::vector<Pairing> all;
  for (const char* type : {"ball", "hinge", "slider", "fixed", "distance", "spring"}) {
    for (const auto& [a, b] :
         {std::pair("affine", "world"), std::pair("affine", "affine"), std::pair("affine", "soft"),
          std::pair("soft", "soft"), std::pair("affine", "obstacle"), std::pair("rigid", "world"),
          std::pair("rigid", "affine"), std::pair("rigid", "rigid"), std::pair("soft", "rigid")}) {
      if (std::string(type) == "fixed" && (std::string(b) == "world" || std::string(b) == "obstacle"))
        continue;
      all.push_back({type, a, b});
    }
  }
  return all;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(All, JointPairs, ::testing::ValuesIn(list_pairings()), [](const auto& pairing) {
  return fmt::format("{}_{}_{}", pairing.param.type, pairing.param.a, pairing.param.b);
});

TEST(Hinge, drifts_less_than_a_millionth_of_its_size_in_a_thousand_steps) {
  // Both ends on the middle of a face, so that vertices tell where the hinge is without asking the joint.
  BuiltScene built = build_text(R"({
    "time": {"step": 0.01, "duration": 10}, "output": {"check": false}, "bodies": [
      {"name": "upper", "kind": "affine", "shape": {"type": "box", "size": [0.5, 0.05, 0.05], "cells_x": 1,
       "cells_y": 1, "cells_z": 1}, "position": [0.25, 0, 0]},
      {"name": "lower", "kind": "affine", "shape": {"type": "box", "size": [0.5, 0.05, 0.05], "cells_x": 1,
       "cells_y": 1, "cells_z": 1}, "position": [0.8, 0, 0], "angular_velocity": [0, 0, 2]}],
    "contact": {"enabled": false},
    "joints": [{"type": "hinge", "a": "upper", "at": [0, 0, 0], "axis": [0, 0, 1]},
               {"type": "hinge", "a": "lower", "b": "upper", "at": [0.55, 0, 0], "axis": [0, 0, 1]}]})");
  const Model model = built.model;
  double worst = 0, largest_turn = 0;
  RunHooks hooks;
  hooks.on_step = [&](const State& state, const StepReport& report) {
    const Body& upper = model.kinematics.bodies[0];
    const Body& lower = model.kinematics.bodies[1];
    const Vec3 pivot = compute_face_center(upper, 0, state.nodes);
    const Vec3 end = compute_face_center(upper, 0.5, state.nodes);
    const Vec3 start = compute_face_center(lower, 0.55, state.nodes);
    worst = std::max(worst, pivot.norm());
    worst = std::max(worst, (end + 0.1 * (end - pivot) - start).norm());  // 0.05 beyond the end
    worst = std::max(worst, std::abs(start.z()));                         // in the plane of the axes
    largest_turn = std::max(largest_turn, std::abs(report.joint_states[0].coordinate));
  };
  const VecX initial = built.state.nodes;
  const RunReport run = simulate(model, built.state, hooks);
  ASSERT_EQ(run.steps, 1000);
  EXPECT_GT(largest_turn, 1.5);  // it has swung
  EXPECT_LT(worst, 1e-6 * model.size);
}

TEST(Hinge, a_strong_motor_turns_at_its_speed) {
  const WitnessedRun run =
      run_clean(build_text(make_arm("affine", R"(, "motor": {"speed": 90, "max_force": 100})")));
  EXPECT_NEAR(run.steps.back().joint_states[0].coordinate, 90 * kDegree, 1e-6);
  // At the top of a quarter turn, its weight has no lever.
  EXPECT_LT(run.steps.back().joint_states[0].torque, 0.1 * kArmTorque);
}

TEST(Hinge, a_motor_pushes_with_no_more_than_its_largest_torque) {
  const double cap = 0.5 * kArmTorque;
  const WitnessedRun run = run_clean(
      build_text(make_arm("affine", fmt::format(R"(, "motor": {{"speed": 90, "max_force": {}}})", cap)),
                 {"time.duration=0.1", "time.step=0.001"}));
  // It falls, with half the torque of its weight missing.
  const double t = 0.1, expected = -0.5 * (kArmTorque - cap) / kArmInertia * t * t;
  EXPECT_NEAR(run.steps.back().joint_states[0].coordinate, expected, 0.02 * std::abs(expected));
}

TEST(Hinge, follows_a_given_angle) {
  const WitnessedRun run =
      run_clean(build_text(make_arm("affine", R"raw(, "motor": {"position": "30 * sin(2 * pi * t)"})raw")));
  for (const StepReport& step : run.steps) {
    EXPECT_NEAR(step.joint_states[0].coordinate, 30 * kDegree * std::sin(2 * std::numbers::pi * step.time),
                1e-7);
  }
}

TEST(Hinge, rests_on_its_limit_and_leaves_it_again) {
  const WitnessedRun run = run_clean(build_text(
      make_arm("affine",
               R"(, "limits": {"min": -30, "max": 10}, "spring": {"damping": 0.2, "stiffness": 0})"),
      {"time.duration=2"}));
  const double limit = -30 * kDegree;
  for (const StepReport& step : run.steps) EXPECT_GE(step.joint_states[0].coordinate, limit - 1e-8);
  EXPECT_NEAR(run.steps.back().joint_states[0].coordinate, limit, 1e-8);
  // What holds it there: the torque of its weight.
  EXPECT_NEAR(run.steps.back().joint_states[0].torque, kArmTorque * std::cos(limit), 1e-3 * kArmTorque);
  // Gravity upwards takes it to the other one.
  const WitnessedRun up = run_clean(build_text(
      make_arm("affine", R"(, "limits": {"min": -30, "max": 10})", R"(, "gravity": [0, 9.81, 0])")));
  EXPECT_NEAR(up.steps.back().joint_states[0].coordinate, 10 * kDegree, 1e-8);
}

TEST(Hinge, a_torsion_spring_swings_at_its_frequency) {
  const double stiffness = 20, period = 2 * std::numbers::pi / std::sqrt(stiffness / kArmInertia);
  const WitnessedRun run = run_clean(
      build_text(make_arm("affine", fmt::format(R"(, "spring": {{"stiffness": {}, "rest": 10}})", stiffness),
                          R"(, "gravity": [0, 0, 0])"),
                 {fmt::format("time.duration={}", period), "time.step=0.002", "time.integrator=newmark"}));
  // A whole swing: back at rest where it began, twice the rest angle in between.
  double largest = 0;
  for (const StepReport& step : run.steps) largest = std::max(largest, step.joint_states[0].coordinate);
  EXPECT_NEAR(largest, 20 * kDegree, 0.01 * kDegree);
  EXPECT_NEAR(run.steps.back().joint_states[0].coordinate, 0, 0.05 * kDegree);
  const Energies& end = run.steps.back().energies;
  EXPECT_NEAR(end.springs + end.kinetic, 0.5 * stiffness * std::pow(10 * kDegree, 2), 1e-3);
}

TEST(Hinge, counts_its_angle_over_full_turns) {
  const WitnessedRun run =
      run_clean(build_text(make_arm("affine", R"(, "motor": {"speed": 1080})"), {"time.step=0.02"}));
  EXPECT_NEAR(run.steps.back().joint_states[0].coordinate, 1080 * kDegree, 1e-6);
}

TEST(Slider, a_piston_follows_its_crank) {
  const std::string path = std::string(MARROW_SOURCE_DIR) + "/examples/stiff/slider_crank.json";
  BuiltScene built = build_scene(read_scene(path, {"time.duration=1"}), path);
  const double size = built.model.size;
  const WitnessedRun run = run_clean(std::move(built));
  EXPECT_LE(compute_worst_residual(run), 1e-9 * size);
  // Crank 0.2, rod 0.6: where the piston is, the angle says.
  for (const StepReport& step : run.steps) {
    const double angle = step.joint_states[0].coordinate;
    const double x = 0.2 * std::cos(angle) + std::sqrt(0.36 - std::pow(0.2 * std::sin(angle), 2));
    EXPECT_NEAR(step.joint_states[3].coordinate, x - 0.8, 1e-5) << "step " << step.step;
  }
  EXPECT_GT(run.steps.back().joint_states[0].coordinate, 180 * kDegree);
}

TEST(Distance, a_rope_is_slack_until_it_is_taut) {
  const WitnessedRun run = run_clean(build_text(R"({
    "time": {"step": 0.01, "duration": 0.6}, "bodies": [{"name": "weight", "kind": "affine", "shape":
      {"type": "sphere", "radius": 0.1, "resolution": 1}, "position": [0, 0, 0]}],
    "joints": [{"type": "distance", "a": "weight", "at": [0, 0, 0], "at_b": [0, 1, 0], "limits": {"max": 1.5}}]})"));
  for (const StepReport& step : run.steps) {
    const double length = step.joint_states[0].coordinate;
    EXPECT_LE(length, 1.5 + 1e-8);
    if (step.time < 0.3) {
      EXPECT_EQ(step.joint_states[0].force, 0) << step.time;
    }
  }
  const double weight = run.steps.back().joint_states[0].force;
  EXPECT_NEAR(run.steps.back().joint_states[0].coordinate, 1.5, 1e-8);
  EXPECT_GT(weight, 1);
}

class HangingWeight : public ::testing::TestWithParam<const char*> {};

// A weight of 1 kg on a ball joint that breaks above this force.
TEST_P(HangingWeight, breaks_its_joint_only_if_it_is_too_heavy) {
  const auto run_with = [](double force) {
    return run_clean(build_text(fmt::format(R"({{
      "time": {{"step": 0.01, "duration": 0.5}}, "bodies": [{{"name": "weight", "kind": "{}", "shape":
        {{"type": "box", "size": [0.1, 0.1, 0.1], "cells_x": 1, "cells_y": 1, "cells_z": 1}}}}],
      "joints": [{{"type": "ball", "a": "weight", "at": [0, 0.05, 0], "break_force": {}}}]}})",
                                            GetParam(), force)));
  };
  const WitnessedRun holds = run_with(1.05 * kGravity);
  EXPECT_EQ(holds.steps.back().joints.broken, 0);
  EXPECT_NEAR(holds.steps.back().joint_states[0].force, kGravity, 1e-3 * kGravity);  // solver.balance
  const WitnessedRun breaks = run_with(0.95 * kGravity);
  EXPECT_EQ(breaks.steps.back().joints.broken, 1);
  EXPECT_TRUE(breaks.state.joints.joints[0].is_broken);
  // From then on it falls freely.
  const double fallen = breaks.initial[1] - breaks.state.nodes[1];
  EXPECT_NEAR(fallen, 0.5 * kGravity * 0.25, 0.06);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HangingWeight, ::testing::Values("affine", "rigid"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(Weld, holds_every_selected_point_of_something_soft) {
  const std::string path = std::string(MARROW_SOURCE_DIR) + "/examples/stiff/weld.json";
  BuiltScene built = build_scene(read_scene(path, {"time.duration=0.5"}), path);
  const Model model = built.model;
  EXPECT_EQ(model.joints[1].vanishing.size(), 25u);
  const WitnessedRun run = run_clean(std::move(built));
  for (const WeightedPoint& vector : model.joints[1].vanishing) {
    EXPECT_LE(vector.at(run.state.nodes).norm(), 1e-8 * model.size);
  }
}

TEST(Gripper, lifts_a_soft_ball_by_friction) {
  const std::string path = std::string(MARROW_SOURCE_DIR) + "/examples/stiff/gripper.json";
  BuiltScene built =
      build_scene(read_scene(path, {"time.duration=2.2", "bodies[3].shape.resolution=2"}), path);
  const Body ball = built.model.kinematics.bodies[3];
  const WitnessedRun run = run_clean(std::move(built));
  const auto height = [&](const VecX& n) {
    double sum = 0;
    for (Index i = 0; i < ball.node_count; ++i) sum += n[3 * (ball.first_node + i) + 1];
    return sum / ball.node_count;
  };
  EXPECT_GT(height(run.state.nodes) - height(run.initial), 0.15);
  for (const StepReport& step : run.steps) {
    EXPECT_LE(step.joint_states[1].coordinate, 0.17 + 1e-7);
  }
}

// What is in the way of a motor without a limit is not passed through: the joint says that it does not hold.
TEST(Motor, does_not_push_through_an_obstacle) {
  const WitnessedRun run = run_clean(build_text(R"({
    "time": {"step": 0.01, "duration": 0.3}, "gravity": [0, 0, 0], "bodies": [
      {"name": "block", "kind": "affine", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1,
       "cells_y": 1, "cells_z": 1}},
      {"name": "wall", "kind": "obstacle", "shape": {"type": "box", "size": [0.2, 1, 1], "cells_x": 1,
       "cells_y": 1, "cells_z": 1}, "position": [0.25, 0, 0]}],
    "joints": [{"type": "slider", "a": "block", "at": [0, 0, 0], "axis": [1, 0, 0],
                "motor": {"position": "t", "max_force": 100}}]})"));
  const JointStatus& end = run.steps.back().joint_states[0];
  EXPECT_LT(end.coordinate, 0.05);
  EXPECT_GT(end.coordinate, 0.045);
  EXPECT_NEAR(end.force, 100, 1e-6);
}

// Without a largest force it would press for ever: it is left short of its target.
TEST(Motor, as_strong_as_you_like_is_held_up_by_a_wall) {
  for (const char* kind : {"rigid", "affine"}) {
    const WitnessedRun run = run_clean(build_text(fmt::format(
        R"({{"time": {{"step": 0.01, "duration": 0.3}}, "bodies": [
          {{"name": "box", "kind": "{}", "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1,
            "cells_y": 1, "cells_z": 1}}}},
          {{"name": "wall", "kind": "obstacle", "shape": {{"type": "box", "size": [0.1, 1, 1], "cells_x": 1,
            "cells_y": 1, "cells_z": 1}}, "position": [0.25, 0, 0]}}],
          "joints": [{{"type": "slider", "a": "box", "at": [0, 0, 0], "axis": [1, 0, 0], "motor": {{"speed": 2}}}}]}})",
        kind)));
    const StepReport& last = run.steps.back();
    EXPECT_NEAR(last.joint_states[0].coordinate, 0.1, 2e-3) << kind;
    EXPECT_NEAR(last.joints.residual, 0.02, 2e-3) << kind;
    EXPECT_LT(last.affine_error, 1e-2) << kind;
  }
}

// A carriage far above draws a box to the right by 0.2 m and back; the box may go 0.05 m.
TEST(Joints, one_that_something_blocks_is_left_open_and_closes_when_it_can) {
  const WitnessedRun run =
      run_clean(build_text(R"({"time": {"step": 0.01, "duration": 0.3}, "gravity": [0, 0, 0],
    "bodies": [
      {"name": "box", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1,
       "cells_z": 1}},
      {"name": "wall", "kind": "obstacle", "shape": {"type": "box", "size": [0.2, 1, 1], "cells_x": 1, "cells_y": 1,
       "cells_z": 1}, "position": [0.25, 0, 0]},
      {"name": "carriage", "kind": "obstacle", "position": [0, 2, 0], "shape": {"type": "box", "cells_x": 1,
       "cells_y": 1, "cells_z": 1}, "prescribed": [{"select": {"all": true}, "keyframes": [{"time": 0},
       {"time": 0.1, "translation": [0.2, 0, 0]}, {"time": 0.15, "translation": [0.2, 0, 0]}, {"time": 0.25}]}]},
      {"name": "free", "kind": "rigid", "position": [0, -3, 0], "shape": {"type": "box", "cells_x": 1, "cells_y": 1,
       "cells_z": 1}}],
    "joints": [{"type": "ball", "a": "free", "at": [0, -3, 0]},
               {"type": "ball", "a": "box", "b": "carriage", "at": [0, 0, 0]}]})"));
  const StepReport& drawn = run.steps[11];
  EXPECT_EQ(drawn.motion_remaining, 0);
  EXPECT_NEAR(drawn.joints.residual, 0.15, 2e-3);  // but for d̂
  EXPECT_EQ(drawn.joints.loosest, 1u);
  EXPECT_TRUE(drawn.joint_states[1].is_held_up);
  EXPECT_FALSE(drawn.joint_states[0].is_held_up);
  const StepReport& last = run.steps.back();
  EXPECT_LE(last.joints.residual, 1e-9);
  EXPECT_FALSE(last.joint_states[1].is_held_up);
}

// Two carriages draw one box apart: neither joint can hold, and the box stays between them.
TEST(Joints, that_contradict_each_other_share_the_gap_and_close_when_they_agree) {
  const auto carriage = [](const char* name, double y, double way) {
    return fmt::format(
        R"({{"name": "{}", "kind": "obstacle", "position": [0, {}, 0], "shape": {{"type": "box",
      "cells_x": 1, "cells_y": 1, "cells_z": 1}}, "prescribed": [{{"select": {{"all": true}}, "keyframes": [
      {{"time": 0}}, {{"time": 0.05, "translation": [{}, 0, 0]}}, {{"time": 0.1}}]}}]}})",
        name, y, way);
  };
  const WitnessedRun run = run_clean(build_text(fmt::format(
      R"({{"time": {{"step": 0.01, "duration": 0.15}}, "gravity": [0, 0, 0], "bodies": [
        {{"name": "box", "kind": "rigid", "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1,
          "cells_z": 1}}}}, {}, {}],
        "joints": [{{"type": "ball", "a": "box", "b": "high", "at": [0, 0, 0]}},
                   {{"type": "ball", "a": "box", "b": "low", "at": [0, 0, 0]}}]}})",
      carriage("high", 2, 0.1), carriage("low", -2, -0.1))));
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(run.steps[k].joints.residual, 0.02 * (k + 1), 1e-6) << k;
  EXPECT_LE(run.steps.back().joints.residual, 1e-9);
}

TEST(Joints, hold_a_heavy_load_on_light_links) {
  std::string bodies, joints;
  for (int i = 0; i < 6; ++i) {
    const bool is_load = i == 5;
    bodies += fmt::format(
        R"({}{{"name": "b{}", "kind": "rigid", "shape": {{"type": "box", "size": [{}, 0.06, {}], "cells_x": 1, "cells_y": 1,
          "cells_z": 1}}, "position": [0, {}, 0], "material": {{"density": {}}}, "velocity": [{}, 0, 0]}})",
        i > 0 ? ", " : "", i, is_load ? 0.5 : 0.02, is_load ? 0.5 : 0.02, -0.04 - 0.08 * i,
        is_load ? 5e4 : 10, is_load ? 1 : 0);
    const std::string other = i == 0 ? "" : fmt::format(R"("b": "b{}", )", i - 1);
    joints += fmt::format(R"({}{{"type": "ball", "a": "b{}", {} "at": [0, {}, 0]}})", i > 0 ? ", " : "", i,
                          other, -0.08 * i);
  }
  const WitnessedRun run = run_clean(build_text(fmt::format(
      R"({{"time": {{"step": 0.01, "duration": 0.1}}, "bodies": [{}], "joints": [{}]}})", bodies, joints)));
  EXPECT_LT(compute_worst_residual(run), 1e-10);
}

TEST(Joints, give_the_same_bits_after_a_restart) {
  const std::string path = std::string(MARROW_SOURCE_DIR) + "/examples/stiff/door.json";
  const auto run_from = [&](State state, int steps) {
    BuiltScene built = build_scene(read_scene(path, {fmt::format("time.duration={}", 0.01 * steps)}), path);
    const VecX initial = built.state.nodes;
    if (state.step == 0) state = built.state;
    simulate(built.model, state, {});
    return state;
  };
  const State whole = run_from({}, 30);
  State half = run_from({}, 14);
  half.joints = unpack_joint_memory(pack(half.joints));
  const State resumed = run_from(half, 30);
  EXPECT_EQ(resumed.step, 30);
  EXPECT_EQ(resumed.nodes, whole.nodes);
  EXPECT_EQ(resumed.velocities, whole.velocities);
  EXPECT_EQ(resumed.joints.multipliers, whole.joints.multipliers);
}

// ---- equilibria without inertia ---------------------------------------------------------------------------

std::string make_static_load(const char* kind, const char* place, const char* joint) {
  return fmt::format(R"({{"time": {{"step": 0.01, "duration": 0.02, "integrator": "quasi_static"}},
    "bodies": [{{"name": "load", "kind": "{}", "position": {}, "forces": [{{"select": {{"all": true}}, "force": [30, -500, 70]}}],
      "shape": {{"type": "box", "size": [0.2, 0.25, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}}}}],
    "joints": [{{"a": "load", {}}}]}})",
                     kind, place, joint);
}

// Nothing but the limit resists, and that only where it is: Newton's direction would be kilometres long.
TEST(StaticJoints, a_load_falls_to_the_limit_of_its_slider) {
  for (const char* kind : {"rigid", "affine"}) {
    for (const char* joint :
         {R"("axis": [0, 1, 0], "limits": {"min": -0.1})", R"("axis": [0, -1, 0], "limits": {"max": 0.1})",
          R"("axis": [0, 1, 0], "limits": {"min": -0.001})"}) {
      for (const char* at : {"[0, -0.5, 0]", "[0, 0, 0]"}) {
        const std::string text = make_static_load(
            kind, "[0, -0.5, 0]", fmt::format(R"("type": "slider", "at": {}, {})", at, joint).c_str());
        const WitnessedRun result = run_clean(build_text(text));
        if (!result.is_finished()) continue;
        const auto& state = result.steps.back().joint_states[0];
        const double limit = std::string(joint).find("0.001") == std::string::npos ? 0.1 : 0.001;
        EXPECT_NEAR(std::abs(state.coordinate), limit, 1e-3 * limit) << kind << joint << at;
      }
    }
  }
}

TEST(StaticJoints, a_rigid_load_swings_as_far_as_it_must) {
  for (const char* place : {"[0.3, -0.2, 0]", "[0.3, 0.2, 0.1]", "[0.01, 0.5, 0]"}) {
    for (const char* joint :
         {R"("type": "ball", "at": [0, 0, 0])", R"("type": "hinge", "at": [0, 0, 0], "axis": [0, 0, 1])"}) {
      BuiltScene built = build_text(make_static_load("rigid", place, joint));
      const Vec3 weight(30, -500 - 10 * kGravity, 70);
      const Vec3 start = compute_mean(built.state.nodes, 0, 4);
      const WitnessedRun result = run_clean(std::move(built));
      if (!result.is_finished()) continue;
      Vec3 arm = start, pull = weight;
      if (std::string(joint).find("hinge") != std::string::npos) arm.z() = pull.z() = 0;
      const Vec3 expected = Vec3(0, 0, start.z() - arm.z()) + arm.norm() * pull.normalized();
      EXPECT_LT((compute_mean(result.state.nodes, 0, 4) - expected).norm(), 2e-3 * arm.norm())
          << place << joint;
    }
  }
}

}  // namespace marrow::test
