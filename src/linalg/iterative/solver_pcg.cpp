// Conjugate gradients, preconditioned by a cycle of algebraic multigrid.
//
// Systems that follow one another differ little: multigrid's coarser levels are kept until iterations become
// many, or until a reset.
#include <algorithm>
#include <cmath>
#include <new>

#include "core/memory.h"
#include "core/trace.h"
#include "linalg/iterative/multigrid.h"
#include "linalg/iterative/solver_choice.h"
#include "linalg/linear_solver.h"

namespace marrow {
namespace {

struct PcgHeuristics {
  // Building levels takes as long as about this many iterations. They are built anew when solves have needed
  // as many more, together, than right after the levels were built: then building costs at most as much as
  // not building did. [measured: bench/results/large_bodies.md]
  Index building = 10;
  // A solve gives levels up at once that need this many times more, and as many as `spare`. [safety net]
  double far_more = 4;
  Index spare = 3;
  // How often the spectrum that is smoothed may be widened in one solve. [safety net]
  int widenings = 5;
};
constexpr PcgHeuristics kPcg;

class PcgSolver final : public LinearSolver {
 public:
  explicit PcgSolver(const LinearSolverOptions& options) : options_(options) {}

  void reset() override { is_outdated_ = true; }
  void release() override {
    multigrid_ = Multigrid();
    granted_ = 0;
    is_outdated_ = true;
  }
  void describe(SystemNodes nodes) override { nodes_ = std::move(nodes); }
  bool uses_description() const override { return true; }
  Index iterations() const override { return iterations_; }

  double memory_needed() const override { return A_ == nullptr ? 0 : predict_iterative_memory(A_->pattern); }

  LinearStatus factorize(const BlockMatrix& A) override {
    const trace::Scope scope("linear.factorize");
    A_ = &A;
    const bool is_kept = !is_outdated_ && multigrid_.node_count() == A.node_count();
    if (!is_kept) return build();
    const LinearStatus status = guard([&] { return multigrid_.update(A, nodes_); });
    return status == LinearStatus::NotPositiveDefinite ? build() : status;
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    const trace::Scope scope("linear.solve");
    iterations_ = 0;
    LinearStatus status = guard([&] { return try_solve(b, x); });
    if (status == LinearStatus::NotConverged && iterations_after_build_ != kNone) {
      status = build();
      if (status == LinearStatus::Solved) status = guard([&] { return try_solve(b, x); });
    }
    if (status != LinearStatus::Solved) {
      is_outdated_ = true;
    } else if (iterations_after_build_ == kNone) {
      iterations_after_build_ = iterations_;
    } else {
      excess_ += std::max(iterations_ - iterations_after_build_, 0);
      is_outdated_ = excess_ > kPcg.building;
    }
    return status;
  }

 private:
  template <class Work>
  LinearStatus guard(const Work& work) {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      multigrid_ = Multigrid();
      return LinearStatus::OutOfMemory;
    }
  }

  // Whether the levels will fit beside what is in use; those before have shown that they do.
  bool is_granted() {
    const double more = memory_needed() - granted_;
    if (more > 0 && memory_in_use() + more > memory_limit()) return false;
    granted_ = std::max(granted_, memory_needed());
    return true;
  }

  LinearStatus build() {
    is_outdated_ = false;
    iterations_after_build_ = kNone;
    excess_ = 0;
    multigrid_ = Multigrid();  // its memory is used again
    if (!is_granted()) return LinearStatus::OutOfMemory;
    return guard([&] { return multigrid_.build(*A_, nodes_); });
  }

  // Until a cycle is positive definite.
  LinearStatus try_solve(const VecX& b, VecX& x) {
    for (int k = 0;; ++k) {
      const Outcome outcome = iterate(b, x);
      if (outcome != Outcome::CycleNotPositive) return to_status(outcome);
      if (k == kPcg.widenings) return LinearStatus::NotConverged;
      multigrid_.widen();
    }
  }

  enum class Outcome { Solved, MatrixNotPositive, CycleNotPositive, NotConverged };

  static LinearStatus to_status(Outcome outcome) {
    switch (outcome) {
      case Outcome::Solved:
        return LinearStatus::Solved;
      case Outcome::MatrixNotPositive:
        return LinearStatus::NotPositiveDefinite;
      default:
        return LinearStatus::NotConverged;
    }
  }

  Index choose_limit() const {
    const Index most = options_.pcg_max_iterations;
    if (iterations_after_build_ == kNone) return most;
    return std::min(most, kPcg.spare + static_cast<Index>(kPcg.far_more * iterations_after_build_));
  }

  // Stops by √(r·M⁻¹r), which is near the error's energy norm.
  Outcome iterate(const VecX& b, VecX& x) {
    x = VecX::Zero(b.size());
    VecX r = b, z, Ap;
    multigrid_.apply(r, z);
    VecX p = z;
    double rz = dot(r, z);
    const double stop = options_.pcg_tolerance * options_.pcg_tolerance * rz;
    const Index most = choose_limit();
    for (Index k = 0; k <= most; ++k) {
      if (!std::isfinite(rz)) return Outcome::NotConverged;
      if (rz < 0) return Outcome::CycleNotPositive;
      if (rz <= stop) return Outcome::Solved;
      if (k == most) break;
      ++iterations_;
      multigrid_.multiply(p, Ap);
      const double curvature = dot(p, Ap);
      if (!(curvature > 0)) return Outcome::MatrixNotPositive;
      const double alpha = rz / curvature;
      x += alpha * p;
      r -= alpha * Ap;
      multigrid_.apply(r, z);
      const double next = dot(r, z);
      p = z + (next / rz) * p;
      rz = next;
    }
    return Outcome::NotConverged;
  }

  LinearSolverOptions options_;
  SystemNodes nodes_;
  const BlockMatrix* A_ = nullptr;
  Multigrid multigrid_;
  double granted_ = 0;  // memory that was there for the levels so far [bytes]
  bool is_outdated_ = false;
  Index iterations_ = 0;
  Index excess_ = 0;  // iterations since the levels were built, over what as many solves with new ones need
  Index iterations_after_build_ = kNone;  // kNone: none was made with the levels as they are
};

}  // namespace

std::unique_ptr<LinearSolver> make_pcg_solver(const LinearSolverOptions& options) {
  return std::make_unique<PcgSolver>(options);
}

}  // namespace marrow
