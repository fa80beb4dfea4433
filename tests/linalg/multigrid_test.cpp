// Multigrid: what it is for is that the number of iterations hardly grows with the size of the system.
#include "linalg/multigrid.h"

#include <gtest/gtest.h>

#include "linalg/linear_solver.h"

namespace marrow {
namespace {

// A grid of nodes, each held by its neighbours: the matrix of a mattress with an almost free frame.
BlockMatrix make_grid(Index size) {
  BlockMatrix A;
  const auto at = [&](Index x, Index y, Index z) { return (z * size + y) * size + x; };
  A.pattern.column_offsets = {0};
  A.pattern.version = static_cast<std::uint64_t>(size);
  for (Index z = 0; z < size; ++z) {
    for (Index y = 0; y < size; ++y) {
      for (Index x = 0; x < size; ++x) {
        const Index neighbours =
            (x > 0) + (y > 0) + (z > 0) + (x + 1 < size) + (y + 1 < size) + (z + 1 < size);
        A.pattern.rows.push_back(at(x, y, z));
        A.blocks.push_back((neighbours + 1e-4) * Mat3::Identity());
        const Index next[3][3] = {{x + 1, y, z}, {x, y + 1, z}, {x, y, z + 1}};
        for (const auto& p : next) {
          if (std::max({p[0], p[1], p[2]}) >= size) continue;
          A.pattern.rows.push_back(at(p[0], p[1], p[2]));
          A.blocks.push_back(-Mat3::Identity());
        }
        A.pattern.column_offsets.push_back(static_cast<Index>(A.pattern.rows.size()));
      }
    }
  }
  return A;
}

TEST(Multigrid, iterations_stay_few_as_the_system_grows) {
  for (const Index size : {8, 16, 24}) {
    const BlockMatrix A = make_grid(size);
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
  const BlockMatrix A = make_grid(9);
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
  BlockMatrix A = make_grid(3);
  A.blocks[0].setZero();
  EXPECT_EQ(Multigrid().build(A, {}), LinearStatus::NotPositiveDefinite);
}

}  // namespace
}  // namespace marrow
