// Preconditioned conjugate gradients; the preconditioner is the inverse of the 3×3 diagonal blocks.
#include <Eigen/LU>
#include <cmath>

#include "core/trace.h"
#include "exec/parallel.h"
#include "linalg/linear_solver.h"

namespace marrow {
namespace {

double dot(const VecX& a, const VecX& b) {
  return exec::parallel_sum("linear.dot", static_cast<size_t>(a.size()),
                            [&](size_t i) { return a[static_cast<Index>(i)] * b[static_cast<Index>(i)]; });
}

class PcgSolver final : public LinearSolver {
 public:
  explicit PcgSolver(const LinearSolverOptions& options) : options_(options) {}

  LinearStatus factorize(const BlockMatrix& A) override {
    const trace::Scope scope("linear.factorize");
    A_ = &A;
    inverse_.resize(static_cast<size_t>(A.node_count()));
    exec::parallel_for("linear.jacobi", inverse_.size(),
                       [&](size_t i) { inverse_[i] = A.blocks[A.pattern.column_offsets[i]].inverse(); });
    for (const Mat3& block : inverse_) {
      if (!block.allFinite()) return LinearStatus::NotPositiveDefinite;
    }
    return LinearStatus::Solved;
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    const trace::Scope scope("linear.solve");
    x = VecX::Zero(b.size());
    VecX r = b, z(b.size()), Ap(b.size());
    precondition(r, z);
    VecX p = z;
    double rz = dot(r, z);
    const double stop = options_.pcg_tolerance * options_.pcg_tolerance * dot(b, b);
    for (int k = 0; k < options_.pcg_max_iterations; ++k) {
      if (dot(r, r) <= stop) return LinearStatus::Solved;
      multiply(*A_, p, Ap);
      const double curvature = dot(p, Ap);
      if (!(curvature > 0)) return LinearStatus::NotPositiveDefinite;
      const double alpha = rz / curvature;
      x += alpha * p;
      r -= alpha * Ap;
      precondition(r, z);
      const double rz_next = dot(r, z);
      p = z + (rz_next / rz) * p;
      rz = rz_next;
    }
    return dot(r, r) <= stop ? LinearStatus::Solved : LinearStatus::NotConverged;
  }

 private:
  void precondition(const VecX& r, VecX& z) const {
    exec::parallel_for("linear.precondition", inverse_.size(), [&](size_t i) {
      const Index at = 3 * static_cast<Index>(i);
      z.segment<3>(at) = inverse_[i] * r.segment<3>(at);
    });
  }

  LinearSolverOptions options_;
  const BlockMatrix* A_ = nullptr;
  std::vector<Mat3> inverse_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_pcg_solver(const LinearSolverOptions& options) {
  return std::make_unique<PcgSolver>(options);
}

}  // namespace marrow
