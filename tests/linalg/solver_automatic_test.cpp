// The solver that chooses: the iterative one takes over where it is faster or the direct one does not fit,
// and gives back where its iterations become many.
#include <gtest/gtest.h>

#include "core/memory.h"
#include "linalg/iterative/solver_choice.h"
#include "linalg/linear_solver.h"
#include "linear_systems.h"

namespace marrow {
namespace {

using test::make_grid;

// Writes down what it is asked: f factorise, s solve; capital letters for the iterative one.
class ToldSolver final : public LinearSolver {
 public:
  struct Script {
    LinearStatus factorize = LinearStatus::Solved, solve = LinearStatus::Solved;
    Index iterations = 4;
    std::optional<FactorCost> cost;
  };
  ToldSolver(std::string& told, bool is_iterative, const Script& script)
      : told_(told), is_iterative_(is_iterative), script_(script) {}
  std::optional<FactorCost> foresee(const BlockMatrix&) override {
    told_ += '?';
    return script_.cost;
  }
  LinearStatus factorize(const BlockMatrix&) override {
    told_ += is_iterative_ ? 'F' : 'f';
    return script_.factorize;
  }
  LinearStatus solve(const VecX&, VecX&) override {
    told_ += is_iterative_ ? 'S' : 's';
    return script_.solve;
  }
  Index iterations() const override { return script_.iterations; }

 private:
  std::string& told_;
  bool is_iterative_;
  const Script& script_;
};

// A chain of many nodes, whose factor costs what a test says.
struct Choice {
  std::string told;
  ToldSolver::Script direct, iterative;
  BlockMatrix A = make_grid({40, 1, 1});
  VecX b = VecX::Ones(3 * 40), x;
  std::unique_ptr<LinearSolver> solver =
      make_automatic_solver({}, std::make_unique<ToldSolver>(told, false, direct),
                            std::make_unique<ToldSolver>(told, true, iterative));

  LinearStatus solve() {
    const LinearStatus status = solver->factorize(A);
    return status == LinearStatus::Solved ? solver->solve(b, x) : status;
  }
  std::string solve_and_tell() {
    told.clear();
    solve();
    return told;
  }
  // As at the start of a step.
  void start_step() {
    const SolverMemory memory = solver->memory();
    solver->reset();
    solver->recall(memory);
  }
};

constexpr FactorCost kCheap = {1, 1, 1, 1}, kDear = {1e12, 1e9, 1e9, 1e8};

}  // namespace

TEST(AutomaticSolver, takes_the_direct_solver_for_a_cheap_factor_and_the_iterative_one_for_a_dear_one) {
  Choice cheap, dear;
  cheap.direct.cost = kCheap;
  dear.direct.cost = kDear;
  EXPECT_EQ(cheap.solve_and_tell(), "?fs");
  EXPECT_EQ(dear.solve_and_tell(), "?FS");
  EXPECT_FALSE(cheap.solver->memory().is_iterative);
  EXPECT_EQ(dear.solver->memory(), (SolverMemory{true, 4, 0, 0}));
}

TEST(AutomaticSolver, the_iterative_solver_stays_in_later_steps_without_another_analysis) {
  Choice choice;
  choice.direct.cost = kDear;
  choice.solve();
  choice.start_step();
  EXPECT_EQ(choice.solve_and_tell(), "FS");
}

TEST(AutomaticSolver, compares_again_in_the_step_after_iterations_became_many) {
  Choice choice;
  choice.direct.cost = kDear;
  choice.solve();
  choice.iterative.iterations = 50;
  choice.start_step();
  EXPECT_EQ(choice.solve_and_tell(), "FS");  // not within a step
  choice.start_step();
  EXPECT_EQ(choice.solve_and_tell(), "?FS");  // still faster
  EXPECT_EQ(choice.solver->memory().compared, 50);
  choice.start_step();
  EXPECT_EQ(choice.solve_and_tell(), "FS");  // no worse than at the last comparison
  choice.iterative.iterations = 100000;
  choice.solve();
  choice.start_step();
  choice.direct.cost = {1e6, 1e5, 1e5, 1e5};
  EXPECT_EQ(choice.solve_and_tell(), "?fs");
  choice.start_step();
  EXPECT_EQ(choice.solve_and_tell(), "?fs");  // it remembers how many iterations there were
}

TEST(AutomaticSolver, compares_again_where_contacts_couple_many_more_nodes) {
  Choice choice;
  choice.direct.cost = {1e6, 1e6, 1e5, 1};  // dearer than five iterations, not than exact solves in each
  EXPECT_EQ(choice.solve_and_tell(), "?FS");
  SystemNodes nodes;
  nodes.is_stiff.assign(40, 0);
  nodes.is_stiff[0] = nodes.is_stiff[1] = 1;
  choice.solver->describe(nodes);
  EXPECT_EQ(choice.solve_and_tell(), "FS");  // a few do not matter
  nodes.is_stiff.assign(40, 1);
  choice.solver->describe(nodes);
  EXPECT_EQ(choice.solve_and_tell(), "?fs");
  EXPECT_EQ(choice.solver->memory().exact, 1000);
  nodes.is_stiff.assign(40, 0);
  choice.solver->describe(nodes);
  EXPECT_EQ(choice.solve_and_tell(), "?FS");
}

TEST(AutomaticSolver, what_does_not_fit_into_memory_is_solved_iteratively) {
  Choice foreseen, met;
  foreseen.direct.cost = {1, 1e7, 1, 1};
  const FakeMemoryLimit limit(1e6);
  EXPECT_EQ(foreseen.solve_and_tell(), "?FS");
  met.direct.factorize = LinearStatus::OutOfMemory;
  EXPECT_EQ(met.solve_and_tell(), "?fFS");
  EXPECT_TRUE(met.solver->memory().is_iterative);
}

TEST(AutomaticSolver, where_neither_fits_memory_is_the_verdict) {
  Choice choice;
  choice.direct.factorize = choice.iterative.factorize = LinearStatus::OutOfMemory;
  EXPECT_EQ(choice.solve(), LinearStatus::OutOfMemory);
}

TEST(AutomaticSolver, gives_the_system_to_the_direct_solver_if_the_iterative_one_does_not_converge) {
  Choice choice;
  choice.direct.cost = {3e4, 1e5, 1e4, 1};  // slightly dearer than a few iterations
  choice.iterative.solve = LinearStatus::NotConverged;
  EXPECT_EQ(choice.solve_and_tell(), "?FS?fs");
  choice.start_step();
  EXPECT_EQ(choice.solve_and_tell(), "?fs");
}

// The real solvers: what is predicted from counts, and the limits of memory.
TEST(AutomaticSolver, a_cube_is_solved_iteratively_and_a_chain_directly) {
  for (const auto& [size, is_iterative] :
       {std::pair(test::GridSize{16, 16, 16}, true), {{4096, 1, 1}, false}}) {
    const BlockMatrix A = make_grid(size);
    const auto solver = make_linear_solver({.pcg_tolerance = 1e-8}, A.node_count());
    VecX b = VecX::Ones(3 * A.node_count()), x, Ax;
    ASSERT_EQ(solver->factorize(A), LinearStatus::Solved);
    ASSERT_EQ(solver->solve(b, x), LinearStatus::Solved);
    EXPECT_EQ(solver->memory().is_iterative, is_iterative);
    multiply(A, x, Ax);
    EXPECT_LE((Ax - b).norm(), 1e-6 * b.norm());
  }
}

TEST(AutomaticSolver, systems_beyond_the_limit_are_refused_before_memory_is_taken) {
  const BlockMatrix A = make_grid({16, 16, 16});
  for (const auto& solver : {make_multifrontal_solver(), make_pcg_solver({})}) {
    const FakeMemoryLimit limit(1e6);
    EXPECT_EQ(solver->factorize(A), LinearStatus::OutOfMemory);
    EXPECT_GT(solver->memory_needed(), 1e6);
  }
}

TEST(FactorCost, of_a_full_matrix_and_of_a_chain_is_what_theory_says) {
  constexpr Index kNodes = 30;
  BlockPattern full, chain;
  full.column_offsets = chain.column_offsets = {0};
  std::vector<Index> order;
  for (Index j = 0; j < kNodes; ++j) {
    for (Index i = j; i < kNodes; ++i) full.rows.push_back(i);
    for (Index i = j; i < std::min(j + 2, kNodes); ++i) chain.rows.push_back(i);
    full.column_offsets.push_back(static_cast<Index>(full.rows.size()));
    chain.column_offsets.push_back(static_cast<Index>(chain.rows.size()));
    order.push_back(j);
  }
  const double n = 3 * kNodes;
  const FactorCost dense = count_cost(build_front_tree(full, order));
  EXPECT_NEAR(dense.operations, n * n * n / 6, 1);
  EXPECT_EQ(dense.panels, n * n);
  EXPECT_EQ(dense.updates, 0);
  const FrontTree tree = build_front_tree(chain, order);
  const FactorCost sparse = count_cost(tree);
  EXPECT_EQ(sparse.panels, static_cast<double>(tree.panel_size));
  EXPECT_LE(sparse.panels, 0.2 * n * n);
  EXPECT_EQ(sparse.memory(), 8 * (sparse.panels + 2 * sparse.most_updates));
  EXPECT_LE(sparse.most_updates, sparse.updates);
}

}  // namespace marrow
