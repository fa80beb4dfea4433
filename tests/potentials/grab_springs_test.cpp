// Grabs: the battery near the target and far away, on a point of four nodes; the limit of the force; damping.
#include "potentials/grab_springs.h"

#include "potential_battery.h"

namespace marrow {
namespace {

Grab make_test_grab(const Vec3& target) {
  Grab grab;
  grab.point.nodes = {0, 2, 3, 5};
  grab.point.weights = {0.4, -0.2, 0.5, 0.3};
  grab.target = target;
  grab.stiffness = 80;
  grab.damping = 3;
  grab.most_force = 20;
  return grab;
}

VecX make_grabbed_nodes() { return battery::random_vector(18, 0.5, 7); }

}  // namespace

TEST(GrabSprings, passes_the_battery_near_and_far) {
  const VecX n = make_grabbed_nodes();
  for (const double distance : {0.0, 0.05, 0.25, 3.0, 100.0}) {
    const Grab one = make_test_grab(make_test_grab(Vec3::Zero()).point.at(n) + distance * Vec3(0.6, 0, 0.8));
    Grab other = make_test_grab(Vec3(1, 2, 3));
    other.point.nodes = {1, 2};
    other.point.weights = {0.5, 0.5};
    GrabSprings springs(6);
    springs.set({one, other});
    springs.start_step(n, 0.01, true);
    battery::check_all(springs, n + battery::random_vector(18, 0.02, 3), {1, 1e-7}, true);
    springs.start_step(n, 0.01, false);
    battery::check_all(springs, n + battery::random_vector(18, 0.02, 4), {1, 1e-7}, true);
  }
}

TEST(GrabSprings, the_force_is_that_of_the_spring_near_and_never_above_the_limit) {
  const VecX n = make_grabbed_nodes();
  const Vec3 x = make_test_grab(Vec3::Zero()).point.at(n);
  double last = 0;
  for (const double distance : {1e-4, 1e-2, 0.1, 0.25, 1.0, 1e2, 1e5}) {
    GrabSprings springs(6);
    springs.set({make_test_grab(x + Vec3(distance, 0, 0))});
    springs.start_step(n, 0.01, false);
    const GrabSprings::Pull pull = springs.compute_pulls(n).at(0);
    // F d/√(D² + d²), D = F/k
    const double expected = 20 * distance / std::hypot(20.0 / 80, distance);
    EXPECT_NEAR(pull.force.x(), expected, 1e-9 * expected + 1e-9);
    EXPECT_LE(pull.force.norm(), 20 * (1 + 1e-15));
    EXPECT_GT(pull.force.norm(), last);
    last = pull.force.norm();
    if (distance <= 1e-2) {
      EXPECT_NEAR(pull.force.x(), 80 * distance, 1e-3 * 80 * distance);
    }
  }
  EXPECT_NEAR(last, 20, 1e-6);
}

TEST(GrabSprings, damping_opposes_the_motion_within_the_same_limit) {
  const VecX n = make_grabbed_nodes();
  GrabSprings springs(6);
  const Vec3 x = make_test_grab(Vec3::Zero()).point.at(n);
  springs.set({make_test_grab(x)});
  const double h = 0.01;
  springs.start_step(n, h, true);
  for (const double speed : {1e-3, 1.0, 1e4}) {
    const VecX moved = n + h * speed * Vec3(0, 1, 0).replicate(6, 1);  // the weights add up to 1
    const GrabSprings::Pull pull = springs.compute_pulls(moved).at(0);
    const double free = 80 * h * speed + 3 * speed;  // k d + c v
    EXPECT_NEAR(pull.force.y(), -20 * free / std::hypot(20.0, free), 1e-9 * free) << speed;
    EXPECT_LE(pull.force.norm(), 20 * (1 + 1e-15));
  }
}

TEST(GrabSprings, none_is_nothing) {
  GrabSprings springs(6);
  EXPECT_TRUE(springs.is_empty());
  const VecX n = make_grabbed_nodes();
  EXPECT_EQ(springs.compute_value(n), 0);
  EXPECT_EQ(springs.update_hessian(n, 1), nullptr);
  EXPECT_EQ(battery::gradient_of(springs, n), VecX::Zero(18));
}

}  // namespace marrow
