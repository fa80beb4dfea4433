// Same bits on any number of threads, and across a restart from the state, with every solver of large
// systems. Scenes with contact, friction, joints and other integrators: tests/golden/same_bits.py.
#include <gtest/gtest.h>

#include "exec/parallel.h"
#include "scenes.h"

namespace marrow {
namespace {

using test::SmallRun;

SmallRun make_twist(int steps, LinearSolverKind kind) {
  test::BodySpec spec;
  BoxShape box;
  box.size = Vec3(1, 0.3, 0.3);
  // By itself, a body this large is solved iteratively.
  const bool is_large = kind == LinearSolverKind::Automatic;
  box.cells_x = is_large ? 24 : 16;
  box.cells_y = box.cells_z = is_large ? 8 : 5;
  spec.shape = box;
  SmallRun run = test::make_run(spec, 0.02, steps * 0.02);
  run.model.gravity = Vec3(0, -9.81, 0);
  run.model.linear.kind = kind;
  Motion twist;
  twist.angular_velocity = Vec3(10, 0, 0);
  prescribe(run, [](const Vec3& X) { return X[0] < -0.49; });
  prescribe(
      run, [](const Vec3& X) { return X[0] > 0.49; }, twist);
  return run;
}

class Determinism : public testing::TestWithParam<LinearSolverKind> {};

INSTANTIATE_TEST_SUITE_P(Solvers, Determinism,
                         testing::Values(LinearSolverKind::Automatic, LinearSolverKind::Multifrontal,
                                         LinearSolverKind::Cholmod, LinearSolverKind::Pcg),
                         [](const auto& solver) {
                           return std::string(
                               EnumNames<LinearSolverKind>::names[static_cast<size_t>(solver.param)]);
                         });

}  // namespace

TEST_P(Determinism, same_bits_on_any_number_of_threads) {
  std::vector<VecX> nodes, velocities;
  for (const int threads : {1, 2, 3, 16}) {
    exec::set_thread_count(threads);
    SmallRun run = make_twist(8, GetParam());
    test::run_all(run);
    ASSERT_EQ(run.state.step, 8);
    EXPECT_EQ(run.state.linear.is_iterative, GetParam() == LinearSolverKind::Automatic);
    nodes.push_back(run.state.nodes);
    velocities.push_back(run.state.velocities);
  }
  exec::set_thread_count(0);
  for (const VecX& n : nodes) EXPECT_EQ(n, nodes[0]);
  for (const VecX& v : velocities) EXPECT_EQ(v, velocities[0]);
}

TEST_P(Determinism, a_restart_from_the_state_gives_the_same_bits) {
  SmallRun whole = make_twist(8, GetParam());
  test::run_all(whole);
  SmallRun first = make_twist(3, GetParam());
  test::run_all(first);
  SmallRun second = make_twist(8, GetParam());
  second.state = first.state;
  test::run_all(second);
  EXPECT_EQ(second.state.step, 8);
  EXPECT_EQ(second.state.nodes, whole.state.nodes);
  EXPECT_EQ(second.state.velocities, whole.state.velocities);
}

}  // namespace marrow
