// The direct or the iterative solver, whichever will be faster (linalg/iterative/solver_choice.h).
//
// A run begins with the direct one, whose analysis gives its cost. The iterative one takes over for good,
// also in steps to come, until it needs many more iterations than when the two were compared; then they are
// compared again, with the iterations of the last step. Each comparison is made with more iterations than the
// one before, so the choice cannot swing back and forth. It depends on matrices and on what the state
// remembers, never on a clock.
#include <algorithm>

#include "core/memory.h"
#include "linalg/iterative/solver_choice.h"
#include "linalg/linear_solver.h"

namespace marrow {
namespace {

struct AutomaticHeuristics {
  // Iterations per system that are expected where none were counted yet. More: the iterative solver takes
  // over at larger sizes. [measured: bench/results/large_bodies.md]
  Index expected = 5;
  // The solvers are compared again when a step needed this many times the iterations of the last comparison,
  // and as many more as `spare`. More: iterations that have become many are borne longer. [safety net]
  double more = 1.5;
  Index spare = 3;
  // The same of the share of the blocks that is solved exactly [thousandths].
  Index spare_share = 50;
};
constexpr AutomaticHeuristics kAutomatic;

class AutomaticSolver final : public LinearSolver {
 public:
  AutomaticSolver(const LinearSolverOptions& options, std::unique_ptr<LinearSolver> direct,
                  std::unique_ptr<LinearSolver> iterative)
      : options_(options), direct_(std::move(direct)), iterative_(std::move(iterative)) {}

  void reset() override {
    direct_->reset();
    iterative_->reset();
    recall({});
  }

  void recall(const SolverMemory& memory) override {
    memory_ = memory;
    systems_ = all_iterations_ = 0;
    const Index compared = std::max(memory_.compared, kAutomatic.expected);
    is_comparison_due_ =
        memory_.is_iterative && memory_.iterations > kAutomatic.more * compared + kAutomatic.spare;
  }

  SolverMemory memory() const override {
    SolverMemory memory = memory_;
    if (systems_ > 0) memory.iterations = (all_iterations_ + systems_ - 1) / systems_;
    return memory;
  }

  void describe(SystemNodes nodes) override {
    nodes_ = std::move(nodes);
    iterative_->describe(nodes_);
  }
  bool uses_description() const override { return true; }

  Index iterations() const override { return memory_.is_iterative ? iterative_->iterations() : 0; }
  double memory_needed() const override { return active().memory_needed(); }

  LinearStatus factorize(const BlockMatrix& A) override {
    A_ = &A;
    if (!memory_.is_iterative || is_comparison_due_ || is_more_exact(A)) compare(A);
    if (!memory_.is_iterative) {
      const LinearStatus status = direct_->factorize(A);
      if (status != LinearStatus::OutOfMemory) return status;
      memory_.is_iterative = true;
      direct_->release();
    }
    return iterative_->factorize(A);
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    if (!memory_.is_iterative) return direct_->solve(b, x);
    const LinearStatus status = iterative_->solve(b, x);
    ++systems_;
    all_iterations_ += iterative_->iterations();
    if (status != LinearStatus::NotConverged) return status;
    // From now on, as far as memory allows.
    memory_.compared = options_.pcg_max_iterations;
    memory_.is_iterative = false;
    compare(*A_);
    if (memory_.is_iterative) return status;
    const LinearStatus direct_status = direct_->factorize(*A_);
    return direct_status == LinearStatus::Solved ? direct_->solve(b, x) : direct_status;
  }

 private:
  const LinearSolver& active() const { return memory_.is_iterative ? *iterative_ : *direct_; }

  Index count_share(const BlockMatrix& A) const {
    constexpr double kThousandths = 1000;
    return static_cast<Index>(kThousandths * count_exact_share(A.pattern, nodes_));
  }

  bool is_more_exact(const BlockMatrix& A) const {
    return count_share(A) > kAutomatic.more * memory_.exact + kAutomatic.spare_share;
  }

  void compare(const BlockMatrix& A) {
    if (memory_.is_iterative) memory_.compared = std::max(memory_.compared, memory_.iterations);
    memory_.exact = count_share(A);
    is_comparison_due_ = false;
    const std::optional<FactorCost> cost = direct_->foresee(A);
    if (!cost) return;
    const Index iterations = std::max(memory_.compared, kAutomatic.expected);
    memory_.is_iterative =
        cost->memory() > memory_limit() ||
        predict_iterative_time(*cost, A.pattern, nodes_, iterations) < predict_direct_time(*cost, A.pattern);
    (memory_.is_iterative ? direct_ : iterative_)->release();
  }

  LinearSolverOptions options_;
  std::unique_ptr<LinearSolver> direct_, iterative_;
  SystemNodes nodes_;
  SolverMemory memory_;
  bool is_comparison_due_ = false;
  Index systems_ = 0, all_iterations_ = 0;  // of the iterative solver since the last reset
  const BlockMatrix* A_ = nullptr;
};

}  // namespace

std::unique_ptr<LinearSolver> make_automatic_solver(const LinearSolverOptions& options,
                                                    std::unique_ptr<LinearSolver> direct,
                                                    std::unique_ptr<LinearSolver> iterative) {
  return std::make_unique<AutomaticSolver>(options, std::move(direct), std::move(iterative));
}

}  // namespace marrow
