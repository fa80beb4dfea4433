// What stiff bodies must do: keep angular momentum, stick and slide where Coulomb says, move alike as affine,
// rigid and hard soft bodies, and stay where they are locked.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "scenes/witness.h"
#include "sim/simulate.h"

namespace marrow::test {
namespace {

std::string example_path(const std::string& name) {
  return std::string(MARROW_SOURCE_DIR) + "/examples/stiff/" + name + ".json";
}

BuiltScene build_example(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return build_scene(read_scene(example_path(name), overrides), example_path(name));
}

Vec3 find_center(const Model& model, const VecX& n, size_t body) {
  const Body& b = model.kinematics.bodies[body];
  const ScalarMatrix lumped = lump_rows(b.mass);
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (Index i = 0; i < b.node_count; ++i) {
    sum += lumped.values[i] * n.segment<3>(3 * (b.first_node + i));
    mass += lumped.values[i];
  }
  return sum / mass;
}

// Runs to the end; use(state) after every step.
void follow(BuiltScene built, const std::function<void(const Model&, const State&)>& use) {
  const VecX initial = built.state.nodes;
  RunHooks hooks;
  hooks.on_step = [&](const State& state, const StepReport&) { use(built.model, state); };
  const RunReport run = simulate(built.model, built.state, hooks);
  ASSERT_EQ(run.end, RunEnd::Finished);
}

// ---- free rotation ----------------------------------------------------------------------------------------

struct Rotation {
  const char* scene;
  double loss;  // of angular momentum, over a second at 12 rad/s with steps of 1 ms
};

class FreeRotation : public ::testing::TestWithParam<Rotation> {};

TEST_P(FreeRotation, keeps_angular_momentum_and_turns_over) {
  BuiltScene built = build_example(GetParam().scene, {"time.duration=1"});
  const Vec3 before = compute_angular_momentum(built.model, built.state);
  double worst = 0;
  follow(std::move(built), [&](const Model& model, const State& state) {
    worst = std::max(worst, (compute_angular_momentum(model, state) - before).norm() / before.norm());
  });
  EXPECT_LT(worst, GetParam().loss);
}

TEST(FreeTumbling, of_affine_bodies_keeps_angular_momentum_and_energy) {
  for (const char* integrator : {"implicit_euler", "newmark"}) {
    const std::string text = fmt::format(R"({{"gravity": [0, 0, 0],
      "time": {{"step": 0.05, "duration": 5, "integrator": "{}"}},
      "bodies": [{{"kind": "affine", "shape": {{"type": "box", "size": [0.1, 0.3, 0.2], "cells_x": 1, "cells_y": 1,
        "cells_z": 1}}, "angular_velocity": [0.01, 0, 10]}}]}})",
                                         integrator);
    BuiltScene built = build_text(text);
    const Vec3 before = compute_angular_momentum(built.model, built.state);
    const VecX initial = built.state.nodes;
    const double energy = compute_energies(built.model, built.state).kinetic;
    follow(std::move(built), [&](const Model& model, const State& state) {
      EXPECT_LT((compute_angular_momentum(model, state) - before).norm(), 1e-9 * before.norm());
      EXPECT_NEAR(compute_energies(model, state).kinetic, energy, 1e-4 * energy);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, FreeRotation,
                         ::testing::Values(Rotation{"handle_euler", 1e-9}, Rotation{"handle_newmark", 1e-5},
                                           Rotation{"handle_bdf2", 1e-3}),
                         [](const ::testing::TestParamInfo<Rotation>& param) {
                           return std::string(param.param.scene);
                         });

// A free box under a couple of forces that is small for the step: what it has of the momentum they give.
double turn_slowly(const std::string& kind, double step) {
  const std::string text = fmt::format(R"({{"gravity": [0, 0, 0], "time": {{"step": {}, "duration": {}}},
    "bodies": [{{"kind": "{}", "shape": {{"type": "box", "size": [1, 1, 1], "cells_x": 1, "cells_y": 1,
      "cells_z": 1}}, "material": {{"density": 1000}}, "forces": [{{"select": {{"all": true}}, "torque": [0, 1, 0]}}]}}]}})",
                                       step, 20 * step, kind);
  double momentum = 0;
  follow(build_text(text), [&](const Model& model, const State& state) {
    momentum = compute_angular_momentum(model, state).y() / state.time;
  });
  return momentum;
}

TEST(SmallTorque, turns_stiff_bodies_at_any_step) {
  for (const char* kind : {"rigid", "affine"}) {
    for (const double step : {0.01, 0.1, 0.3}) EXPECT_NEAR(turn_slowly(kind, step), 1, 0.02) << kind << step;
  }
}

// The largest total energy over the smallest step, of a bar that hangs on a joint of this type [J].
double swing(const std::string& kind, const std::string& joint, double step) {
  const std::string text = fmt::format(R"({{"time": {{"step": {}, "duration": 4, "integrator": "newmark"}},
    "bodies": [{{"name": "bar", "kind": "{}", "shape": {{"type": "box", "size": [1, 0.1, 0.1], "cells_x": 1,
      "cells_y": 1, "cells_z": 1}}, "position": [0.5, 0, 0], "angular_velocity": [0.5, 0, 0]}}],
    "joints": [{{"a": "bar", "at": [0, 0, 0], {}}}]}})",
                                       step, kind, joint);
  BuiltScene built = build_text(text);
  const VecX initial = built.state.nodes;
  double most = 0;
  RunHooks hooks;
  hooks.on_step = [&](const State&, const StepReport& report) {
    most = std::max(most, report.energies.kinetic + report.energies.gravity);
  };
  EXPECT_EQ(simulate(built.model, built.state, hooks).end, RunEnd::Finished);
  return most;
}

TEST(Bdf2, a_bounce_does_not_gain_energy) {
  for (const char* kind : {"rigid", "affine"}) {
    BuiltScene built = build_text(fmt::format(
        R"({{"time": {{"step": 0.01, "duration": 1.5, "integrator": "bdf2"}}, "bodies": [
          {{"kind": "{}", "shape": {{"type": "sphere", "radius": 0.1, "resolution": 2}}, "position": [0, 0.6, 0]}},
          {{"kind": "obstacle", "shape": {{"type": "box", "size": [2, 0.1, 2], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
            "position": [0, -0.05, 0]}}]}})",
        kind));
    const VecX initial = built.state.nodes;
    double last = 0;
    RunHooks hooks;
    hooks.on_step = [&](const State&, const StepReport& report) {
      const double energy = report.energies.kinetic + report.energies.gravity;
      EXPECT_LT(energy, std::max(last, 0.0) + 1e-6) << kind << report.step;
      last = energy;
    };
    EXPECT_EQ(simulate(built.model, built.state, hooks).end, RunEnd::Finished);
    EXPECT_LT(last, -10) << kind;  // it has fallen by half a metre and lies
  }
}

// The first step is implicit Euler's, and so is every one after a change of the step's length: what was
// before an impact in it must not come back in those that follow.
TEST(Bdf2, an_impact_in_the_first_step_is_no_bounce) {
  for (const char* kind : {"rigid", "affine"}) {
    BuiltScene built = build_text(fmt::format(
        R"({{"time": {{"step": 0.01, "duration": 0.2, "integrator": "bdf2"}}, "gravity": [0, 0, 0], "bodies": [
          {{"kind": "{}", "position": [0, 0.105, 0], "velocity": [0, -1, 0],
            "shape": {{"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2}}}},
          {{"kind": "obstacle", "position": [0, -0.05, 0],
            "shape": {{"type": "box", "size": [2, 0.1, 2], "cells_x": 1, "cells_y": 1, "cells_z": 1}}}}]}})",
        kind));
    const double before = -compute_momentum(built.model, built.state).y();
    double last = 0;
    follow(std::move(built),
           [&](const Model& model, const State& state) { last = compute_momentum(model, state).y(); });
    EXPECT_GE(last, 0) << kind;
    EXPECT_LT(last, 0.05 * before) << kind;
  }
}

TEST(Newmark, joints_do_not_gain_energy) {
  for (const char* kind : {"rigid", "affine"}) {
    for (const char* joint : {R"("type": "hinge", "axis": [0, 0, 1])", R"("type": "ball")",
                              R"("type": "distance", "at_b": [0, 0.3, 0.1])"}) {
      for (const double step : {0.01, 0.05}) {
        // It can fall by a metre: 98 J.
        EXPECT_LT(swing(kind, joint, step), 1) << kind << joint << step;
      }
    }
  }
}

// ---- friction ---------------------------------------------------------------------------------------------

// A block on a slope of tangent 0.5; returns how far it has come down in half a second.
double slide(const std::string& kind, double mu) {
  const double angle = std::atan(0.5), up = 0.05 + 0.125 + 9e-4;
  const auto number = [](double x) { return std::to_string(x); };
  BuiltScene built = build_text(
      R"({"time": {"step": 0.01, "duration": 0.5}, "solver": {"tolerance": 1e-6},
          "contact": {"d_hat": 1e-3, "epsilon_v": 1e-4, "friction_iterations": -1,
                      "friction": )" +
      number(mu) + R"(},
          "bodies": [{"kind": "obstacle", "shape": {"type": "box", "size": [3, 0.1, 1], "cells_x": 1, "cells_y": 1,
                      "cells_z": 1}, "rotation": [0, 0, )" +
      number(-angle * 180 / std::numbers::pi) + R"(]},
                     {"kind": ")" +
      kind +
      R"(", "shape": {"type": "box", "size": [0.25, 0.25, 0.25], "cells_x": 1, "cells_y": 1, "cells_z": 1},
                      "rotation": [0, 0, )" +
      number(-angle * 180 / std::numbers::pi) + R"(], "position": [)" + number(up * std::sin(angle)) + ", " +
      number(up * std::cos(angle)) + R"(, 0]}]})");
  const Vec3 before = find_center(built.model, built.state.nodes, 1);
  Vec3 after = before;
  follow(std::move(built),
         [&](const Model& model, const State& state) { after = find_center(model, state.nodes, 1); });
  return (after - before).dot(Vec3(std::cos(angle), -std::sin(angle), 0));
}

class Slope : public ::testing::TestWithParam<const char*> {};

TEST_P(Slope, sticks_above_the_threshold_and_slides_as_computed_below) {
  // Sticking contacts creep, slower than ε_v: 5e-5 in the half second; settling takes the rest.
  EXPECT_LT(slide(GetParam(), 0.51), 1.5e-4);
  // Implicit Euler: after n steps of constant acceleration a the way is a h² n (n + 1)/2.
  for (const double mu : {0.45, 0.3}) {
    const double angle = std::atan(0.5);
    const double a = 9.81 * (std::sin(angle) - mu * std::cos(angle));
    const double expected = a * 1e-4 * 50 * 51 / 2;
    EXPECT_NEAR(slide(GetParam(), mu), expected, 0.03 * expected) << mu;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Slope, ::testing::Values("rigid", "affine"));

// ω = t: the block at r slides when ω² r exceeds µ g, at ω = √(µ g/r). Returns when it has moved 1 cm on the
// table.
double find_slip_time(const std::string& scene) {
  double slip = 1e9;
  follow(build_example(scene), [&](const Model& model, const State& state) {
    const Vec3 x = find_center(model, state.nodes, 1);
    if (slip > 1e8 && std::abs(std::hypot(x.x(), x.z()) - 0.5) > 0.01) slip = state.time;
  });
  return slip;
}

TEST(Turntable, a_block_leaves_when_friction_no_longer_holds_it) {
  EXPECT_GT(find_slip_time("turntable_1"), 1e8);
  for (const auto& [scene, mu] : {std::pair("turntable_05", 0.5), std::pair("turntable_01", 0.1)}) {
    // Friction also carries the block along, r α = 0.5 m/s²; 1 cm takes a while.
    const double omega = std::sqrt(std::sqrt(mu * mu * 9.81 * 9.81 - 0.25) / 0.5);
    const double slip = find_slip_time(scene);
    EXPECT_GT(slip, 0.97 * omega) << scene;
    EXPECT_LT(slip, 1.35 * omega) << scene;
  }
}

double lift(const std::string& scene) {
  double height = 0;
  BuiltScene built = build_example(scene);
  const double before = find_center(built.model, built.state.nodes, 1).y();
  follow(std::move(built), [&](const Model& model, const State& state) {
    height = find_center(model, state.nodes, 1).y() - before;
  });
  return height;
}

TEST(Lewis, lifts_if_the_friction_angle_is_above_half_the_wedges) {
  EXPECT_GT(lift("lewis"), 0.08);
  EXPECT_LT(lift("lewis_slips"), 0.01);
}

double find_largest_fall(const std::string& scene) {
  BuiltScene built = build_example(scene);
  std::vector<Vec3> before;
  for (size_t b = 1; b < built.model.kinematics.bodies.size(); ++b)
    before.push_back(find_center(built.model, built.state.nodes, b));
  double fall = 0;
  follow(std::move(built), [&](const Model& model, const State& state) {
    for (size_t b = 1; b < model.kinematics.bodies.size(); ++b)
      fall = std::max(fall, (find_center(model, state.nodes, b) - before[b - 1]).norm());
  });
  return fall;
}

TEST(Arch, stands_by_friction_and_falls_without_enough) {
  EXPECT_LT(find_largest_fall("arch_25"), 0.01);
  EXPECT_GT(find_largest_fall("arch_25_falls"), 0.15);
}

// ---- kinds ------------------------------------------------------------------------------------------------

// A tilted box falls onto its edge, tips over and comes to lie; its centre after every step.
std::vector<Vec3> tumble(const std::string& body) {
  std::vector<Vec3> centers;
  follow(
      build_text(R"({"time": {"step": 0.005, "duration": 0.4}, "solver": {"tolerance": 1e-4},
      "contact": {"d_hat": 1e-3, "friction": 0.4, "epsilon_v": 1e-3},
      "bodies": [{"kind": "obstacle", "shape": {"type": "box", "size": [4, 0.2, 4], "cells_x": 1, "cells_y": 1,
                  "cells_z": 1}, "position": [0, -0.1, 0]},
                 {"position": [0, 0.36, 0], "rotation": [0, 0, 20], "angular_velocity": [0, 0, 1],
                  "shape": {"type": "box", "size": [0.3, 0.5, 0.3], "cells_x": 1, "cells_y": 1, "cells_z": 1}, )" +
                 body + "}]}"),
      [&](const Model& model, const State& state) { centers.push_back(find_center(model, state.nodes, 1)); });
  return centers;
}

double find_largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

TEST(Kinds, move_alike_as_rigid_affine_and_hard_soft_bodies) {
  const std::vector<Vec3> rigid = tumble(R"("kind": "rigid")");
  const std::vector<Vec3> affine = tumble(R"("kind": "affine")");
  const std::vector<Vec3> soft = tumble(R"("material": {"youngs_modulus": 1e9, "density": 1000})");
  ASSERT_EQ(rigid.size(), 80u);
  EXPECT_LT((rigid.back() - rigid.front()).norm(), 1.0);
  EXPECT_GT((rigid.back() - rigid.front()).norm(), 0.02);  // it has moved
  EXPECT_LT(find_largest_distance(rigid, affine), 0.005);
  // Implicit Euler damps the turning of soft bodies, not that of stiff ones.
  EXPECT_LT(find_largest_distance(rigid, soft), 0.06);
}

// |A Aᵀ − 1| of a heap's bodies.
TEST(Kinds, affine_bodies_keep_their_shape) {
  Scene scene = read_scene(example_path("heap_16"), {"time.duration=0.8"});
  for (BodyDescription& body : scene.bodies) {
    if (body.kind == BodyKind::Rigid) body.kind = BodyKind::Affine;
  }
  BuiltScene built = build_scene(scene, example_path("heap_16"));
  const VecX rest = built.state.nodes;
  double worst = 0;
  follow(std::move(built), [&](const Model& model, const State& state) {
    for (const Body& body : model.kinematics.bodies) {
      if (body.kind != BodyKind::Affine) continue;
      const auto edges = [&](const VecX& n) {
        Mat3 D;
        for (Index k = 0; k < 3; ++k)
          D.col(k) = n.segment<3>(3 * (body.first_node + k + 1)) - n.segment<3>(3 * body.first_node);
        return D;
      };
      const Mat3 A = edges(state.nodes) * edges(rest).inverse();
      worst = std::max(worst, (A * A.transpose() - Mat3::Identity()).norm());
    }
  });
  EXPECT_LT(worst, 1e-4);
}

// ---- locks ------------------------------------------------------------------------------------------------

TEST(Locks, a_piston_stays_in_its_plane) {
  BuiltScene built = build_example("piston", {"time.duration=0.3"});
  const VecX before = built.state.nodes;
  double worst = 0, way = 0;
  follow(std::move(built), [&](const Model& model, const State& state) {
    for (const Body& body : model.kinematics.bodies) {
      if (body.kind != BodyKind::Rigid) continue;
      for (Index i = body.first_node; i < body.first_node + 4; ++i) {
        worst = std::max(worst, std::abs(state.nodes[3 * i + 2] - before[3 * i + 2]));
        way = std::max(way, std::abs(state.nodes[3 * i + 1] - before[3 * i + 1]));
      }
    }
  });
  EXPECT_LT(worst, 1e-12);
  EXPECT_GT(way, 0.05);
}

// A body with mixed moments of inertia, spun about the only axis it may turn about, keeps its speed.
TEST(Locks, a_body_on_an_axle_keeps_turning_about_it) {
  BuiltScene built = build_text(R"({"time": {"step": 0.01, "duration": 1}, "gravity": [0, -9.81, 0],
      "bodies": [{"kind": "rigid", "shape": {"type": "box", "size": [1, 0.2, 0.1], "cells_x": 1, "cells_y": 1,
                  "cells_z": 1}, "rotation": [30, 40, 0], "angular_velocity": [1, 2, 5], "velocity": [1, 1, 1],
                  "locked": ["x", "y", "z", "rx", "ry"]}]})");
  const VecX before = built.state.nodes;
  follow(std::move(built), [&](const Model& model, const State& state) {
    EXPECT_LT(find_center(model, state.nodes, 0).norm(), 1e-12);
    const Mat3 R = Eigen::AngleAxisd(5 * state.time, Vec3::UnitZ()).toRotationMatrix();
    for (Index i = 0; i < 4; ++i) {
      EXPECT_LT((state.nodes.segment<3>(3 * i) - R * before.segment<3>(3 * i)).norm(), 1e-4) << state.time;
    }
  });
}

}  // namespace
}  // namespace marrow::test
