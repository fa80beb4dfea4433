// Velocities after a step of Newmark's rule: those that joints allow, by impulses at the joints.
#include "sim/integrators/project_joint_velocities.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "built_scenes.h"
#include "sim/terms/step_terms.h"

namespace marrow {
namespace {

using test::build_text;
using test::get_mean;
using test::set_velocity;

constexpr double kJointStep = 0.01;

// Two rigid boxes, the second four times as heavy, with these joints between them.
struct Joined {
  BuiltScene built;
  StepTerms terms;
  VecX velocities;

  explicit Joined(const std::string& joints)
      : built(build_text(fmt::format(
            R"({{"time": {{"step": {}, "duration": 1, "integrator": "newmark"}}, "gravity": [0, 0, 0], "bodies": [
          {{"name": "first", "kind": "rigid", "shape": {{"type": "box", "size": [0.2, 0.1, 0.1], "cells_x": 1,
            "cells_y": 1, "cells_z": 1}}, "position": [-0.2, 0, 0], "material": {{"density": 500}}}},
          {{"name": "second", "kind": "rigid", "shape": {{"type": "box", "size": [0.2, 0.2, 0.1], "cells_x": 1,
            "cells_y": 1, "cells_z": 1}}, "position": [0.2, 0, 0]}}],
          "joints": [{}]}})",
            kJointStep, joints))),
        terms(built.model) {
    const StepPlan plan = get_newmark().plan(built.model, terms.is_prescribed, built.state, kJointStep);
    start_part(terms, plan, {kJointStep, kJointStep}, built.state);
    // Both fly and turn, each on its own.
    velocities = built.state.velocities;
    turn(0, Vec3(1, -2, 3), Vec3(4, 0, -5));
    turn(1, Vec3(0, 1, -1), Vec3(0, 2, 3));
  }

  void turn(size_t body, const Vec3& velocity, const Vec3& spin) {
    const Body& b = built.model.kinematics.bodies[body];
    const Vec3 center = get_mean(built.model, n(), body);
    for (Index i = b.first_node; i < b.first_node + b.node_count; ++i) {
      velocities.segment<3>(3 * i) = velocity + spin.cross(Vec3(n().segment<3>(3 * i)) - center);
    }
  }
  const VecX& n() const { return built.state.nodes; }
  std::vector<HeldRate> list_rates() const { return terms.joints.list_held_rates(n(), kJointStep); }
  void hold() { hold(list_rates()); }
  void hold(std::vector<HeldRate> rates) {
    project_joint_velocities(built.model, terms.is_prescribed, std::move(rates), n(), velocities);
  }
  State get_state() const {
    State state = built.state;
    state.velocities = velocities;
    return state;
  }
  // By how much the joints would open, at most [m/s].
  double find_excess() const {
    double largest = 0;
    for (const HeldRate& held : list_rates()) {
      largest = std::max(largest, std::abs(held.compute_rate(velocities) - held.rate));
    }
    return largest;
  }
};

const char* const kBall = R"({"type": "ball", "a": "first", "b": "second", "at": [0, 0.03, 0]})";

// The speed along y at which the first body rises from the second.
struct Rise {
  std::vector<Index> nodes;
  HeldRate rate;

  explicit Rise(const Model& model) {
    for (size_t body = 0; body < 2; ++body) {
      const Body& b = model.kinematics.bodies[body];
      for (Index i = 0; i < b.node_count; ++i) {
        nodes.push_back(b.first_node + i);
        rate.slopes.emplace_back(0, (body == 0 ? 1.0 : -1.0) / b.node_count, 0);
      }
    }
    rate.nodes = &nodes;
    rate.is_limit = true;
  }
  Rise(const Rise&) = delete;
  Rise& operator=(const Rise&) = delete;
};

}  // namespace

TEST(HoldVelocities, a_joint_opens_no_further_and_momenta_are_kept) {
  Joined joined(kBall);
  ASSERT_EQ(joined.list_rates().size(), 3u);
  ASSERT_GT(joined.find_excess(), 1);
  const Vec3 momentum = compute_momentum(joined.built.model, joined.get_state());
  const Vec3 angular = compute_angular_momentum(joined.built.model, joined.get_state());
  const double energy = compute_energies(joined.built.model, joined.get_state()).kinetic;
  joined.hold();
  EXPECT_LE(joined.find_excess(), 1e-8);
  EXPECT_LE((compute_momentum(joined.built.model, joined.get_state()) - momentum).norm(),
            1e-10 * momentum.norm());
  EXPECT_LE((compute_angular_momentum(joined.built.model, joined.get_state()) - angular).norm(),
            1e-10 * angular.norm());
  const double after = compute_energies(joined.built.model, joined.get_state()).kinetic;
  EXPECT_LT(after, energy);  // impulses of a joint that was opening take energy
  EXPECT_GT(after, 0.1 * energy);
}

TEST(HoldVelocities, velocities_that_a_joint_allows_are_left) {
  Joined joined(kBall);
  joined.hold();
  const VecX once = joined.velocities;
  joined.hold();
  EXPECT_LE((joined.velocities - once).lpNorm<Eigen::Infinity>(), 1e-9);
}

TEST(HoldVelocities, joints_that_say_the_same_twice_do_no_harm) {
  Joined once(kBall), twice(std::string(kBall) + ", " + kBall);
  once.hold();
  twice.hold();
  EXPECT_LE((twice.velocities - once.velocities).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(HoldVelocities, a_motor_goes_on_at_its_speed) {
  Joined joined(
      R"({"type": "hinge", "a": "first", "b": "second", "at": [0, 0, 0], "axis": [0, 0, 1], "motor": {"speed": 90}})");
  joined.hold();
  EXPECT_LE(joined.find_excess(), 1e-8);
  double largest = 0;
  for (const HeldRate& held : joined.list_rates()) largest = std::max(largest, std::abs(held.rate));
  EXPECT_GT(largest, 0);  // one of them is the motor's
}

TEST(HoldVelocities, a_limit_stops_what_goes_into_it_and_lets_go_what_leaves) {
  for (const double speed : {3.0, -3.0}) {
    Joined joined(kBall);
    set_velocity(joined.built.model, 0, Vec3(1, speed, 0), joined.built.state);
    set_velocity(joined.built.model, 1, Vec3(0, 0, 0), joined.built.state);
    joined.velocities = joined.built.state.velocities;
    const VecX before = joined.velocities;
    const Rise rise(joined.built.model);
    joined.hold({rise.rate});
    if (speed < 0) {
      EXPECT_EQ(joined.velocities, before);
      continue;
    }
    // An inelastic impact: both have the common velocity, 1 : 4 by mass; what is across stays.
    for (size_t body = 0; body < 2; ++body) {
      EXPECT_NEAR(get_mean(joined.built.model, joined.velocities, body).y(), speed / 5, 1e-9);
    }
    EXPECT_NEAR(get_mean(joined.built.model, joined.velocities, 0).x(), 1, 1e-9);
  }
}

TEST(HoldVelocities, what_is_prescribed_keeps_its_velocity) {
  Joined joined(kBall);
  const Body& first = joined.built.model.kinematics.bodies[0];
  for (Index i = 0; i < first.node_count; ++i) joined.terms.is_prescribed[first.first_node + i] = 1;
  const VecX before = test::get_nodes(joined.built.model, joined.velocities, 0);
  joined.hold();
  EXPECT_EQ(test::get_nodes(joined.built.model, joined.velocities, 0), before);
  EXPECT_LE(joined.find_excess(), 1e-8);
}

}  // namespace marrow
