// The physics of single soft bodies: what implicit Euler must do, and nothing else.
#include <gtest/gtest.h>

#include "scenes.h"

namespace marrow {
namespace {

using test::BodySpec;
using test::make_run;
using test::prescribe;
using test::run_all;
using test::SmallRun;

// Mean of a field of 3-vectors over the nodes.
Vec3 mean_of(const VecX& v) {
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < v.size(); i += 3) sum += v.segment<3>(i);
  return sum / (static_cast<double>(v.size()) / 3);
}

}  // namespace

TEST(Physics, free_fall_matches_the_closed_form_to_rounding) {
  // Implicit Euler: y_k = y_0 + v_0 k h − g h² k(k+1)/2, for every node.
  for (const MassKind mass : {MassKind::Lumped, MassKind::Consistent}) {
    BodySpec spec;
    spec.mass = mass;
    spec.velocity = Vec3(1, 2, -3);
    SmallRun run = make_run(spec, 0.01, 0.5);
    run.model.gravity = Vec3(0, -9.81, 0);
    run_all(run);
    const int k = run.state.step;
    ASSERT_EQ(k, 50);
    const double h = 0.01;
    const Vec3 moved = k * h * spec.velocity + h * h * k * (k + 1) / 2 * run.model.gravity;
    for (Index i = 0; i < run.initial.size(); i += 3) {
      EXPECT_LE((run.state.nodes.segment<3>(i) - run.initial.segment<3>(i) - moved).norm(), 2e-12);
    }
  }
}

TEST(Physics, an_equilibrium_does_not_depend_on_the_length_of_the_step) {
  std::vector<VecX> ends;
  for (const double h : {0.01, 10.0}) {
    BodySpec spec;
    spec.shape = BoxShape{.size = {1, 0.1, 0.1}, .cells_x = 20, .cells_y = 2, .cells_z = 2};
    spec.youngs_modulus = 3e6;
    SmallRun run = make_run(spec, h, h);
    run.model.time.integrator = Integrator::QuasiStatic;
    run.model.gravity = Vec3(0, -9.81, 0);
    prescribe(run, [](const Vec3& X) { return X[0] < -0.47; });
    run_all(run);
    ASSERT_EQ(run.state.step, 1);
    ends.push_back(run.state.nodes);
  }
  EXPECT_LE((ends[1] - ends[0]).lpNorm<Eigen::Infinity>(), 1e-6);
}

TEST(Physics, falling_spinning_body_keeps_momentum_and_never_gains_energy) {
  BodySpec spec;
  spec.shape = SphereShape{};
  spec.velocity = Vec3(2, 5, 0);
  spec.angular_velocity = Vec3(3, 1, 8);
  spec.youngs_modulus = 2e4;
  SmallRun run = make_run(spec, 0.01, 0.5);
  run.model.newton.tolerance = 1e-7;
  const Vec3 momentum = compute_momentum(run.model, run.state);
  const Vec3 angular = compute_angular_momentum(run.model, run.state);
  const Energies start = compute_energies(run.model, run.state);
  double last = start.kinetic + start.elastic;
  for (const StepReport& report : run_all(run)) {
    // No forces from outside: linear momentum is conserved by the method, to solver tolerance.
    EXPECT_LE((report.momentum - momentum).norm(), 1e-6 * momentum.norm());
    // Implicit Euler damps: neither energy nor angular momentum may grow.
    const double energy = report.energies.kinetic + report.energies.elastic;
    EXPECT_LE(energy, last * (1 + 1e-9));
    last = energy;
  }
  const Vec3 angular_end = compute_angular_momentum(run.model, run.state);
  EXPECT_LE(angular_end.norm(), angular.norm() * (1 + 1e-9));
  EXPECT_GE(angular_end.norm(), 0.5 * angular.norm());
  EXPECT_GT(angular_end.normalized().dot(angular.normalized()), 0.99);
  EXPECT_FALSE(test::has_inversion(run));
}

TEST(Physics, angular_momentum_loss_is_first_order_in_the_step) {
  const auto loss = [](double h) {
    BodySpec spec;
    spec.angular_velocity = Vec3(0, 0, 5);
    SmallRun run = make_run(spec, h, 0.2);
    run.model.newton.tolerance = 1e-8;
    const double before = compute_angular_momentum(run.model, run.state)[2];
    run_all(run);
    return 1 - compute_angular_momentum(run.model, run.state)[2] / before;
  };
  const double coarse = loss(0.01), fine = loss(0.005);
  EXPECT_GT(coarse, 0);
  EXPECT_NEAR(coarse / fine, 2, 0.4);
}

TEST(Physics, hanging_beam_comes_to_rest_at_static_equilibrium) {
  BodySpec spec;
  BoxShape beam;
  beam.size = Vec3(1, 0.1, 0.1);
  beam.cells_x = 10;
  beam.cells_y = beam.cells_z = 2;
  spec.shape = beam;
  spec.youngs_modulus = 1e6;
  SmallRun run = make_run(spec, 0.05, 10);
  run.model.gravity = Vec3(0, -9.81, 0);
  run.model.newton.tolerance = 1e-6;
  prescribe(run, [](const Vec3& X) { return X[0] < -0.499; });
  const auto reports = run_all(run);
  ASSERT_EQ(reports.size(), 200u);
  EXPECT_LE(reports.back().energies.kinetic, 1e-8);
  EXPECT_LT(reports.back().energies.gravity, 0);
  // At equilibrium the elastic energy is close to half the work of the weight (small deflection).
  EXPECT_NEAR(reports.back().energies.elastic / -reports.back().energies.gravity, 0.5, 0.05);
  EXPECT_LT(mean_of(run.state.nodes)[1], -0.01);
  EXPECT_FALSE(test::has_inversion(run));
}

TEST(Physics, beam_deflection_converges_at_the_order_of_p1_elements) {
  // A cantilever under its weight against Timoshenko's beam (exact for ν = 0 but for the clamp);
  // docs/models/elasticity.md has the table of the whole study.
  const double young = 1e6, load = 1000 * 0.02 * 0.04, inertia = 0.2 * 0.008 / 12;
  const double expected = load / (8 * young * inertia) + load / (2 * 5.0 / 6 * young / 2 * 0.04);
  const auto compute_error = [&](int k) {
    BodySpec spec;
    spec.shape = BoxShape{.size = Vec3(1, 0.2, 0.2), .cells_x = 10 * k, .cells_y = 2 * k, .cells_z = 2 * k};
    spec.youngs_modulus = young;
    spec.poissons_ratio = 0;
    SmallRun run = make_run(spec, 1000, 3000);
    run.model.gravity = Vec3(0, -0.02, 0);
    run.model.newton.tolerance = 1e-12;
    prescribe(run, [](const Vec3& X) { return X[0] < -0.499; });
    run_all(run);
    double sum = 0;
    int count = 0;
    for (Index i = 0; i < run.initial.size(); i += 3) {
      if (run.initial[i] < 0.499) continue;
      sum += run.initial[i + 1] - run.state.nodes[i + 1];
      ++count;
    }
    return std::abs(sum / count / expected - 1);
  };
  const double coarse = compute_error(2), fine = compute_error(3);
  EXPECT_LT(fine, 0.1);
  const double order = std::log(coarse / fine) / std::log(1.5);
  EXPECT_GT(order, 1.6);
  EXPECT_LT(order, 2.4);
}

TEST(Physics, stretched_bar_shrinks_sideways_by_poissons_ratio) {
  BodySpec spec;
  BoxShape bar;
  bar.size = Vec3(1, 0.2, 0.2);
  bar.cells_x = 10;
  bar.cells_y = bar.cells_z = 2;
  spec.shape = bar;
  spec.poissons_ratio = 0.3;
  SmallRun run = make_run(spec, 1.0, 60);
  run.model.newton.tolerance = 1e-9;
  // Ends glide: pull them apart by 0.1 % at the full cross-section's own pace, then compare the middle.
  Motion pull;
  pull.keys = {{0, Vec3::Zero(), Vec3::Zero()}, {5, Vec3(0.001, 0, 0), Vec3::Zero()}};
  prescribe(run, [](const Vec3& X) { return X[0] < -0.499; });
  prescribe(
      run, [](const Vec3& X) { return X[0] > 0.499; }, pull);
  run_all(run);
  double width = 0;
  for (Index i = 0; i < run.initial.size(); i += 3) {
    if (std::abs(run.initial[i]) < 1e-9) width = std::max(width, std::abs(run.state.nodes[i + 1]));
  }
  EXPECT_NEAR((0.1 - width) / 0.1 / 0.001, 0.3, 0.03);
}

TEST(Physics, prescribed_points_follow_their_motion_exactly) {
  BodySpec spec;
  SmallRun run = make_run(spec, 0.02, 0.4);
  run.model.gravity = Vec3(0, -9.81, 0);
  Motion spin;
  spin.velocity = Vec3(1, 0, 0);
  spin.angular_velocity = Vec3(0, 4, 0);
  prescribe(
      run, [](const Vec3& X) { return X[1] > 0.49; }, spin);
  run_all(run);
  ASSERT_EQ(run.state.step, 20);
  const PrescribedNodes& group = run.model.prescribed[0];
  for (size_t k = 0; k < group.nodes.size(); ++k) {
    const Vec3 expected = compute_position(spin, group.initial[k], run.state.time);
    EXPECT_EQ(Vec3(run.state.nodes.segment<3>(3 * group.nodes[k])), expected);
  }
  EXPECT_FALSE(test::has_inversion(run));
}

TEST(Physics, violent_prescribed_motion_is_reached_without_inversion) {
  // The top face is thrown across the body within one step: straight there would turn elements over.
  BodySpec spec;
  SmallRun run = make_run(spec, 0.02, 0.1);
  Motion jump;
  jump.keys = {{0, Vec3::Zero(), Vec3::Zero()}, {0.02, Vec3(1.5, -0.4, 0), Vec3::Zero()}};
  prescribe(run, [](const Vec3& X) { return X[1] < -0.49; });
  prescribe(
      run, [](const Vec3& X) { return X[1] > 0.49; }, jump);
  const auto reports = run_all(run);
  ASSERT_FALSE(reports.empty());
  EXPECT_GT(reports[0].motion_rounds, 0);
  EXPECT_EQ(reports.size(), 5u);
  EXPECT_LE(reports.back().motion_remaining, 1e-9);
  EXPECT_FALSE(test::has_inversion(run));
}

TEST(Physics, every_solver_gives_the_same_motion) {
  std::vector<VecX> results;
  for (const LinearSolverKind kind : {LinearSolverKind::Cholmod, LinearSolverKind::Multifrontal,
                                      LinearSolverKind::Dense, LinearSolverKind::Pcg}) {
    SmallRun run = make_run({}, 0.02, 0.2);
    run.model.gravity = Vec3(0, -9.81, 0);
    run.model.linear.kind = kind;
    run.model.newton.tolerance = 1e-8;
    prescribe(run, [](const Vec3& X) { return X[0] < -0.49; });
    run_all(run);
    results.push_back(run.state.nodes);
  }
  EXPECT_LE((results[0] - results[1]).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((results[0] - results[2]).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((results[0] - results[3]).lpNorm<Eigen::Infinity>(), 1e-7);
}

TEST(Physics, stiff_bodies_keep_turning) {
  // 0.1 rad a step. Implicit Euler's own loss is the same for every stiffness: about 1 − 0.1²·2 a step.
  std::vector<double> kept;
  for (const double youngs_modulus : {1e6, 1e9, 2e11}) {
    BodySpec spec;
    spec.shape = BoxShape{.size = Vec3(0.01, 0.01, 0.01), .cells_x = 2, .cells_y = 2, .cells_z = 2};
    spec.youngs_modulus = youngs_modulus;
    spec.density = 7800;
    spec.angular_velocity = Vec3(6, 8, 0);
    SmallRun run = make_run(spec, 0.01, 0.1);
    run.model.gravity = Vec3::Zero();
    const Vec3 before = compute_angular_momentum(run.model, run.state);
    for (const StepReport& step : run_all(run)) EXPECT_LE(step.newton.iterations, 12) << youngs_modulus;
    kept.push_back(compute_angular_momentum(run.model, run.state).dot(before) / before.squaredNorm());
  }
  EXPECT_GT(kept[0], 0.8);
  EXPECT_NEAR(kept[1], kept[0], 0.02);
  EXPECT_NEAR(kept[2], kept[0], 0.02);
}

TEST(Physics, prescribed_points_carry_fine_elements_along) {
  // A step moves the ends by half an element: they could not go there alone.
  BodySpec spec;
  spec.shape = BoxShape{.size = Vec3(1, 0.1, 0.1), .cells_x = 40, .cells_y = 4, .cells_z = 4};
  SmallRun run = make_run(spec, 0.01, 0.1);
  run.model.gravity = Vec3::Zero();
  for (Index i = 0; i < run.state.velocities.size(); i += 3) run.state.velocities[i] = 2.5;
  Motion motion;
  motion.velocity = Vec3(2.5, 0, 0);
  prescribe(
      run, [](const Vec3& X) { return std::abs(X.x()) > 0.49; }, motion);
  for (const StepReport& step : run_all(run)) {
    EXPECT_EQ(step.motion_rounds, 0);
    EXPECT_LE(step.newton.iterations, 3);
  }
}

}  // namespace marrow
