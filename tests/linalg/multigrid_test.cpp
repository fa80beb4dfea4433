// Multigrid: what it is for is that the number of iterations hardly grows with the size of the system.
#include "linalg/iterative/multigrid.h"

#include <gtest/gtest.h>

#include "linalg/linear_solver.h"
#include "linear_systems.h"

namespace marrow {
namespace {

using test::make_grid;

TEST(Multigrid, iterations_stay_few_as_the_system_grows) {
  for (const Index size : {8, 16, 24}) {
    const BlockMatrix A = make_grid({size, size, size});
    LinearSolverOptions options;
    options.kind = LinearSolverKind::Pcg;
    options.pcg_tolerance = 1e-8;
    options.pcg_max_iterations = 30;  // block Jacobi alone needs over 100 at the largest size
    const auto solver = make_linear_solver(options, A.node_count());
    VecX b = VecX::Zero(3 * A.node_count()), x, Ax;
    b[0] = 1;
    b[b.size() - 1] = -2;
    ASSERT_EQ(solver->factorize(A), LinearStatus::Solved);
    EXPECT_EQ(solver->solve(b, x), LinearStatus::Solved) << size;
    multiply(A, x, Ax);
    EXPECT_LE((Ax - b).norm(), 1e-7 * b.norm());
  }
}

TEST(Multigrid, a_cycle_is_symmetric_and_positive) {
  const BlockMatrix A = make_grid({9, 9, 9});
  Multigrid multigrid;
  ASSERT_EQ(multigrid.build(A, {}), LinearStatus::Solved);
  EXPECT_GE(multigrid.level_count(), 2u);
  VecX u(3 * A.node_count()), v(u.size()), Mu, Mv;
  for (Index i = 0; i < u.size(); ++i) {
    u[i] = std::sin(3.0 * i);
    v[i] = std::cos(1.7 * i * i);
  }
  multigrid.apply(u, Mu);
  multigrid.apply(v, Mv);
  EXPECT_NEAR(u.dot(Mv), v.dot(Mu), 1e-10 * std::abs(u.dot(Mv)) + 1e-10);
  EXPECT_GT(u.dot(Mu), 0);
}

TEST(Multigrid, a_singular_diagonal_is_refused) {
  BlockMatrix A = make_grid({3, 3, 3});
  A.blocks[0].setZero();
  EXPECT_EQ(Multigrid().build(A, {}), LinearStatus::NotPositiveDefinite);
}

}  // namespace
}  // namespace marrow
