// The force balance of bodies, from made-up nodes and gradients: in units of what is allowed.
#include "solve/balance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace marrow {
namespace {

constexpr double kTolerance = 1e-3;    // η
constexpr double kMotion = 4e-3;       // a s of gravity [m]
constexpr double kNodeMass = 0.5;      // [kg]
constexpr double kLeastMotion = 1e-6;  // [m]
constexpr Index kNodes = 8;

// The corners of a cube with edges of 2 m, about the centre: the mean of |n − c|² is 3 m².
VecX make_cube(const Vec3& center = Vec3::Zero()) {
  VecX n(3 * kNodes);
  for (Index i = 0; i < kNodes; ++i) {
    n.segment<3>(3 * i) = center + Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
  }
  return n;
}

// The same force on every node.
VecX spread(const Vec3& force) { return force.replicate(kNodes, 1) / kNodes; }

BalancedBody make_body(double motion = kMotion) {
  const double mass = kNodes * kNodeMass;
  return {.node_count = kNodes, .mass = mass, .impulse = mass * motion, .has_node_masses = true};
}

Balance make_balance(const BalancedBody& body, const VecX& prediction = make_cube()) {
  return {{body}, kTolerance, prediction, std::vector<double>(kNodes, kNodeMass), kLeastMotion};
}

// What makes a balance, in other units of length and mass.
struct Units {
  double length = 1, mass = 1;

  Imbalance assess(const VecX& n, const VecX& g) const {
    BalancedBody body = make_body();
    body.mass *= mass;
    body.impulse *= mass * length;
    return make(body).assess(length * n, mass * length * g);
  }
  double compute_promise(const VecX& n, const VecX& g, const VecX& step) const {
    BalancedBody body = make_body();
    body.mass *= mass;
    body.impulse *= mass * length;
    return make(body).compute_promise(length * n, mass * length * g, length * step);
  }

 private:
  Balance make(const BalancedBody& body) const {
    return {{body},
            kTolerance,
            length * make_cube(),
            std::vector<double>(kNodes, mass * kNodeMass),
            length * kLeastMotion};
  }
};

// A turn about z without a force, of torque |T| = 8 f √2.
VecX turn_about_z(double f) {
  VecX g = VecX::Zero(3 * kNodes);
  const VecX n = make_cube();
  for (Index i = 0; i < kNodes; ++i) {
    g.segment<3>(3 * i) = f * Vec3::UnitZ().cross(Vec3(n.segment<3>(3 * i))).normalized();
  }
  return g;
}

BlockMatrix make_diagonal(double value) {
  BlockMatrix H;
  for (Index i = 0; i <= kNodes; ++i) H.pattern.column_offsets.push_back(i);
  for (Index i = 0; i < kNodes; ++i) H.pattern.rows.push_back(i);
  H.blocks.assign(kNodes, value * Mat3::Identity());
  return H;
}

}  // namespace

// E = ½ m |n − ñ|² − s m a·n: the gradient is 0 where gravity leads, and all of m a s where inertia does.
TEST(Balance, a_body_in_free_fall_is_settled_where_gravity_leads_and_all_of_gravity_off_where_it_flies) {
  const Balance balance = make_balance(make_body());
  const Vec3 fall(0, -kMotion, 0);
  const auto compute_gradient = [&](const VecX& n) {
    return VecX(kNodeMass * (n - make_cube() - fall.replicate(kNodes, 1)));
  };
  const VecX fallen = make_cube(fall);
  EXPECT_LE(balance.assess(fallen, compute_gradient(fallen)).inner, 1e-9);
  EXPECT_TRUE(balance.assess(fallen, compute_gradient(fallen)).is_settled());
  const Imbalance prediction = balance.assess(make_cube(), compute_gradient(make_cube()));
  EXPECT_NEAR(prediction.body, 1 / kTolerance, 1e-9 / kTolerance);
  EXPECT_NEAR(prediction.inner, 1 / kTolerance, 1e-9 / kTolerance);
}

// It lies on its four lower nodes: their forces bear the weight, its inside is pressed.
TEST(Balance, a_resting_body_is_balanced_and_not_settled_while_its_inside_moves) {
  const Balance balance = make_balance(make_body());
  VecX g = spread(Vec3(0, kNodes * kNodeMass * kMotion, 0));
  for (Index i = 0; i < kNodes; ++i) {
    if ((i & 2) == 0) g[3 * i + 1] -= 2 * kNodeMass * kMotion;
  }
  const Imbalance forces = balance.assess(make_cube(), g);
  EXPECT_LE(forces.body, 1e-9);
  // Every node is off by its own weight: √(m Σ |g|²/m_i) = m a s.
  EXPECT_NEAR(forces.inner, 1 / kTolerance, 1e-9 / kTolerance);
}

TEST(Balance, force_alone_is_measured_by_the_weight) {
  const Balance balance = make_balance(make_body());
  const double allowed = kTolerance * kNodes * kNodeMass * kMotion;
  const auto assess = [&](double part) {
    return balance.assess(make_cube(), spread(part * allowed * Vec3(2, -1, 2) / 3));
  };
  EXPECT_NEAR(assess(1).body, 1, 1e-12);
  EXPECT_NEAR(assess(3).body, 3, 1e-12);
  EXPECT_TRUE(assess(0.99).is_balanced());
  EXPECT_FALSE(assess(1.01).is_balanced());
  EXPECT_TRUE(assess(0.99).is_settled());
}

TEST(Balance, torque_alone_is_measured_by_the_weight_at_the_radius_of_gyration) {
  const Balance balance = make_balance(make_body());
  const double allowed = kTolerance * kNodes * kNodeMass * kMotion * std::sqrt(3.0);
  const VecX g = turn_about_z(allowed / (8 * std::sqrt(2.0)));
  EXPECT_NEAR(balance.assess(make_cube(), g).body, 1, 1e-12);
  // About the body's own middle, wherever it is.
  EXPECT_NEAR(balance.assess(make_cube(Vec3(50, -20, 30)), g).body, 1, 1e-12);
}

TEST(Balance, does_not_depend_on_the_units_of_length_and_mass) {
  VecX g(3 * kNodes), step(3 * kNodes);
  for (Index i = 0; i < g.size(); ++i) {
    g[i] = 1e-5 * std::sin(1.0 + i);
    step[i] = 1e-4 * std::cos(2.0 * i);
  }
  const Imbalance expected = Units{}.assess(make_cube(), g);
  const double promise = Units{}.compute_promise(make_cube(), g, step);
  EXPECT_GT(expected.body, 0);
  EXPECT_GT(promise, 0);
  for (const Units units : {Units{1e-3, 1}, Units{1, 1e6}, Units{100, 1e-5}}) {
    const Imbalance found = units.assess(make_cube(), g);
    EXPECT_NEAR(found.body / expected.body, 1, 1e-12);
    EXPECT_NEAR(found.inner / expected.inner, 1, 1e-12);
    EXPECT_NEAR(units.compute_promise(make_cube(), g, step) / promise, 1, 1e-12);
  }
}

TEST(Balance, a_body_without_gravity_is_measured_by_how_it_is_accelerated) {
  const Balance balance = make_balance(make_body(0));
  const double mass = kNodes * kNodeMass;
  for (const double moved : {0.01, 0.05}) {
    const VecX n = make_cube(Vec3(0, 0, moved));
    EXPECT_NEAR(balance.assess(n, spread(Vec3(kTolerance * mass * moved, 0, 0))).body, 1, 1e-12) << moved;
  }
}

TEST(Balance, a_body_without_gravity_that_stays_where_it_flies_counts_as_moved_a_little) {
  const Balance balance = make_balance(make_body(0));
  const double allowed = kTolerance * kNodes * kNodeMass * kLeastMotion;
  const Imbalance forces = balance.assess(make_cube(), spread(Vec3(allowed, 0, 0)));
  EXPECT_NEAR(forces.body, 1, 1e-12);
  EXPECT_NEAR(forces.inner, 1, 1e-12);
}

TEST(Balance, what_a_body_is_kept_from_is_not_counted) {
  BalancedBody body = make_body();
  body.is_locked = {false, true, false, false, false, true};
  const Balance balance = make_balance(body);
  EXPECT_EQ(balance.assess(make_cube(), spread(Vec3(0, 1, 0))).body, 0);
  EXPECT_GT(balance.assess(make_cube(), spread(Vec3(1, 0, 0))).body, 1);
  EXPECT_LE(balance.assess(make_cube(), turn_about_z(1)).body, 1e-9);
  EXPECT_GT(make_balance(make_body()).assess(make_cube(), turn_about_z(1)).body, 1);
}

TEST(Balance, the_worst_body_decides) {
  BalancedBody first = make_body(), second = make_body();
  second.first_node = kNodes;
  VecX n(6 * kNodes), g = VecX::Zero(6 * kNodes);
  n << make_cube(), make_cube(Vec3(5, 0, 0));
  const double allowed = kTolerance * first.impulse;
  const Balance balance({first, second}, kTolerance, n, std::vector<double>(2 * kNodes, kNodeMass),
                        kLeastMotion);
  g << spread(Vec3(2 * allowed, 0, 0)), spread(Vec3(-5 * allowed, 0, 0));
  EXPECT_NEAR(balance.assess(n, g).body, 5, 1e-12);
  EXPECT_NEAR(balance.compute_velocity_error(g, 10), 10 * 5 * allowed / second.mass, 1e-12);
  // Each body by itself: what one promises is no use to the other.
  VecX step(6 * kNodes);
  step << spread(Vec3(-1, 0, 0)), spread(Vec3(-1, 0, 0));
  const double expected = 5 * allowed / kNodes * second.mass / (second.impulse * second.impulse);
  EXPECT_NEAR(balance.compute_promise(n, g, step) / expected, 1, 1e-12);
}

TEST(Balance, of_a_rigid_body_nothing_but_force_and_torque_is_left) {
  BalancedBody body = make_body();
  body.is_rigid = true;
  body.has_node_masses = false;
  const Balance balance = make_balance(body);
  // Stretches it along x, and nothing else.
  VecX g = VecX::Zero(3 * kNodes);
  for (Index i = 0; i < kNodes; ++i) g[3 * i] = make_cube()[3 * i];
  EXPECT_LE(balance.assess(make_cube(), g).inner, 1e-9);
  EXPECT_GT(make_balance(make_body()).assess(make_cube(), g).inner, 1);
  // A force f: |f| √(m/m); a torque T about z: √(m T²/I), I = m · 2 m².
  const double force = kTolerance * body.impulse;
  EXPECT_NEAR(balance.assess(make_cube(), spread(Vec3(force, 0, 0))).inner, 1, 1e-9);
  EXPECT_NEAR(balance.assess(make_cube(), turn_about_z(force / 8)).inner, 1, 1e-9);
}

TEST(Balance, of_a_soft_body_whose_masses_are_shared_and_without_inertia_nothing_is_ever_settled) {
  const VecX none = VecX::Zero(3 * kNodes);
  BalancedBody body = make_body();
  body.has_node_masses = false;
  EXPECT_FALSE(make_balance(body).assess(make_cube(), none).is_settled());
  Balance still = make_balance(make_body());
  EXPECT_TRUE(still.assess(make_cube(), none).is_settled());
  EXPECT_GT(still.compute_promise(make_cube(), spread(Vec3(1, 0, 0)), spread(Vec3(1, 0, 0))), 0);
  still.set_static();
  EXPECT_FALSE(still.assess(make_cube(), none).is_settled());
  EXPECT_TRUE(still.assess(make_cube(), none).is_balanced());
  EXPECT_EQ(still.compute_promise(make_cube(), spread(Vec3(1, 0, 0)), spread(Vec3(1, 0, 0))), 0);
}

TEST(Balance, rounding_decides_where_a_stiff_hessian_leaves_more_than_the_tolerance) {
  Balance balance = make_balance(make_body());
  const VecX n = make_cube(Vec3(99, 0, 0));
  const double stiffness = 1e9, reach = 100;
  const double floor = 4 * std::numeric_limits<double>::epsilon() * reach * 3 * kNodes * stiffness;
  ASSERT_GT(floor, 10 * kTolerance * make_body().impulse);
  const VecX g = spread(Vec3(floor, 0, 0));
  EXPECT_GT(balance.assess(n, g).body, 10);
  balance.update_floor(n, make_diagonal(stiffness));
  EXPECT_NEAR(balance.assess(n, g).body, 1, 1e-12);
  balance.update_floor(n, make_diagonal(1));  // that of the last Hessian, not the largest ever
  EXPECT_GT(balance.assess(n, g).body, 10);
}

}  // namespace marrow
