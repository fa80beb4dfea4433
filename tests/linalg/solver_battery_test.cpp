// One battery for every linear solver: the same systems, the same contract.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "exec/parallel.h"
#include "linalg/assembly.h"
#include "linalg/linear_solver.h"

namespace marrow {
namespace {

// A chain or random graph of springs plus a small diagonal: symmetric positive definite.
BlockMatrix make_matrix(Index node_count, int extra_edges, double diagonal, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.1, 1);
  std::vector<Index> offsets = {0}, nodes;
  for (Index i = 0; i + 1 < node_count; ++i) {
    nodes.insert(nodes.end(), {i, i + 1});
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  for (int k = 0; k < extra_edges; ++k) {
    nodes.insert(nodes.end(),
                 {static_cast<Index>(random() % node_count), static_cast<Index>(random() % node_count)});
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  for (Index i = 0; i < node_count; ++i) {
    nodes.push_back(i);
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  StencilGroup group;
  group.set_stencils(offsets, nodes, node_count);
  for (size_t e = 0; e < group.stencil_count(); ++e) {
    const auto blocks = group.blocks_of(e);
    if (blocks.size() == 1) {
      blocks[0] = diagonal * Mat3::Identity();
      continue;
    }
    const Vec3 d(uniform(random), uniform(random), -uniform(random));
    const Mat3 K = d * d.transpose() + 0.1 * Mat3::Identity();
    blocks[0] = K;
    blocks[1] = -K;
    blocks[2] = K;
  }
  BlockMatrix A;
  BlockAssembler assembler;
  const StencilGroup* groups[] = {&group};
  assembler.assemble(groups, node_count, A);
  return A;
}

VecX make_vector(Index size) {
  VecX v(size);
  for (Index i = 0; i < size; ++i) v[i] = std::sin(1.0 + i);
  return v;
}

struct SolverCase {
  LinearSolverKind kind;
  double accuracy;
};

class SolverBattery : public ::testing::TestWithParam<SolverCase> {
 protected:
  std::unique_ptr<LinearSolver> make() const {
    LinearSolverOptions options;
    options.kind = GetParam().kind;
    options.pcg_tolerance = 1e-12;
    return make_linear_solver(options, 100);
  }
};

}  // namespace

TEST_P(SolverBattery, solves_systems_of_every_size) {
  for (const Index n : {1, 2, 7, 100, 700}) {
    const BlockMatrix A = make_matrix(n, 2 * n, 0.5, static_cast<unsigned>(n));
    const VecX b = make_vector(3 * n);
    VecX x, Ax;
    const auto solver = make();
    ASSERT_EQ(solver->factorize(A), LinearStatus::Solved);
    ASSERT_EQ(solver->solve(b, x), LinearStatus::Solved);
    multiply(A, x, Ax);
    EXPECT_LE((Ax - b).norm(), GetParam().accuracy * b.norm()) << n;
  }
}

TEST_P(SolverBattery, agrees_with_the_dense_inverse) {
  const BlockMatrix A = make_matrix(20, 30, 1, 1);
  const VecX b = make_vector(60);
  const VecX expected = to_dense(A).ldlt().solve(b);
  VecX x;
  const auto solver = make();
  ASSERT_EQ(solver->factorize(A), LinearStatus::Solved);
  ASSERT_EQ(solver->solve(b, x), LinearStatus::Solved);
  EXPECT_LE((x - expected).norm(), 10 * GetParam().accuracy * expected.norm());
}

TEST_P(SolverBattery, new_values_and_new_patterns_are_noticed) {
  const auto solver = make();
  for (const unsigned seed : {1u, 1u, 2u, 3u}) {
    const BlockMatrix A = make_matrix(50, static_cast<int>(20 * seed), 0.1 + seed, seed);
    const VecX b = make_vector(150);
    VecX x, Ax;
    ASSERT_EQ(solver->factorize(A), LinearStatus::Solved);
    ASSERT_EQ(solver->solve(b, x), LinearStatus::Solved);
    multiply(A, x, Ax);
    EXPECT_LE((Ax - b).norm(), GetParam().accuracy * b.norm());
  }
}

// Held nodes and bodies that do not touch leave zero blocks in the pattern.
TEST_P(SolverBattery, nodes_that_nothing_couples_are_solved_on_their_own) {
  BlockMatrix A = make_matrix(40, 60, 0.5, 6);
  std::vector<char> is_held(40, 0);
  for (const size_t i : {0U, 7U, 8U, 21U, 39U}) is_held[i] = 1;
  eliminate_nodes(is_held, A);
  const VecX b = make_vector(120);
  VecX x, Ax;
  const auto solver = make();
  ASSERT_EQ(solver->factorize(A), LinearStatus::Solved);
  ASSERT_EQ(solver->solve(b, x), LinearStatus::Solved);
  multiply(A, x, Ax);
  EXPECT_LE((Ax - b).norm(), GetParam().accuracy * b.norm());
  EXPECT_LE((x.segment<3>(21) - b.segment<3>(21)).norm(), GetParam().accuracy * b.norm());
}

TEST_P(SolverBattery, an_indefinite_matrix_is_refused) {
  const BlockMatrix A = make_matrix(30, 10, -50, 4);
  const VecX b = make_vector(90);
  VecX x;
  const auto solver = make();
  const LinearStatus factored = solver->factorize(A);
  EXPECT_TRUE(factored == LinearStatus::NotPositiveDefinite ||
              solver->solve(b, x) == LinearStatus::NotPositiveDefinite);
}

TEST_P(SolverBattery, same_bits_on_any_number_of_threads) {
  const BlockMatrix A = make_matrix(3000, 3000, 0.5, 9);
  const VecX b = make_vector(9000);
  std::vector<VecX> results;
  for (const int threads : {1, 2, 3, 16}) {
    exec::set_thread_count(threads);
    const auto solver = make();
    if (GetParam().kind == LinearSolverKind::Dense) GTEST_SKIP() << "dense is serial";
    VecX x;
    ASSERT_EQ(solver->factorize(A), LinearStatus::Solved);
    ASSERT_EQ(solver->solve(b, x), LinearStatus::Solved);
    results.push_back(x);
  }
  exec::set_thread_count(0);
  for (const VecX& x : results) EXPECT_EQ(x, results[0]);
}

TEST_P(SolverBattery, after_a_reset_only_what_comes_next_counts) {
  // One solver has seen another pattern first; then the same two systems, a reset between them.
  const BlockMatrix first = make_matrix(800, 800, 0.5, 5), second = make_matrix(800, 1000, 0.5, 6);
  const VecX b = make_vector(2400);
  VecX used_x, fresh_x;
  const auto used = make(), fresh = make();
  for (const BlockMatrix* A : {&first, &second}) {
    ASSERT_EQ(used->factorize(*A), LinearStatus::Solved);
  }
  used->reset();
  ASSERT_EQ(used->factorize(second), LinearStatus::Solved);
  ASSERT_EQ(used->solve(b, used_x), LinearStatus::Solved);
  ASSERT_EQ(fresh->factorize(second), LinearStatus::Solved);
  ASSERT_EQ(fresh->solve(b, fresh_x), LinearStatus::Solved);
  EXPECT_EQ(used_x, fresh_x);
}

INSTANTIATE_TEST_SUITE_P(Solvers, SolverBattery,
                         ::testing::Values(SolverCase{LinearSolverKind::Multifrontal, 1e-10},
                                           SolverCase{LinearSolverKind::Cholmod, 1e-10},
                                           SolverCase{LinearSolverKind::Pcg, 1e-9},
                                           SolverCase{LinearSolverKind::Dense, 1e-10}),
                         [](const auto& c) { return std::string(enum_name(c.param.kind)); });

}  // namespace marrow
