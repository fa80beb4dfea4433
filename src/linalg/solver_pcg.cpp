// Conjugate gradients, preconditioned by a cycle of algebraic multigrid.
#include <cmath>
#include <new>

#include "core/trace.h"
#include "exec/parallel.h"
#include "linalg/linear_solver.h"
#include "linalg/multigrid.h"

namespace marrow {
namespace {

double dot(const VecX& a, const VecX& b) {
  return exec::parallel_sum("linear.dot", static_cast<size_t>(a.size()),
                            [&](size_t i) { return a[static_cast<Index>(i)] * b[static_cast<Index>(i)]; });
}

class PcgSolver final : public LinearSolver {
 public:
  explicit PcgSolver(const LinearSolverOptions& options) : options_(options) {}

  void describe(SystemNodes nodes) override { nodes_ = std::move(nodes); }
  bool uses_description() const override { return true; }

  LinearStatus factorize(const BlockMatrix& A) override {
    const trace::Scope scope("linear.factorize");
    try {
      return multigrid_.build(A, nodes_);
    } catch (const std::bad_alloc&) {
      multigrid_ = Multigrid();
      return LinearStatus::OutOfMemory;
    }
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    const trace::Scope scope("linear.solve");
    x = VecX::Zero(b.size());
    VecX r = b, z(b.size()), Ap(b.size());
    multigrid_.apply(r, z);
    VecX p = z;
    double rz = dot(r, z);
    const double stop = options_.pcg_tolerance * options_.pcg_tolerance * rz;
    for (int k = 0; k < options_.pcg_max_iterations; ++k) {
      if (rz <= stop) return std::isfinite(rz) && rz >= 0 ? LinearStatus::Solved : LinearStatus::NotConverged;
      multigrid_.multiply(p, Ap);
      const double curvature = dot(p, Ap);
      if (!(curvature > 0)) return LinearStatus::NotPositiveDefinite;
      const double alpha = rz / curvature;
      x += alpha * p;
      r -= alpha * Ap;
      multigrid_.apply(r, z);
      const double rz_next = dot(r, z);
      p = z + (rz_next / rz) * p;
      rz = rz_next;
    }
    return rz <= stop ? LinearStatus::Solved : LinearStatus::NotConverged;
  }

 private:
  LinearSolverOptions options_;
  SystemNodes nodes_;
  Multigrid multigrid_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_pcg_solver(const LinearSolverOptions& options) {
  return std::make_unique<PcgSolver>(options);
}

}  // namespace marrow
