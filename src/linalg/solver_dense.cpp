#include <Eigen/Cholesky>

#include "core/trace.h"
#include "linalg/linear_solver.h"

namespace marrow {
namespace {

class DenseSolver final : public LinearSolver {
 public:
  LinearStatus factorize(const BlockMatrix& A) override {
    const trace::Scope scope("linear.factorize");
    factor_.compute(to_dense(A));
    return factor_.info() == Eigen::Success ? LinearStatus::Solved : LinearStatus::NotPositiveDefinite;
  }

  LinearStatus solve(const VecX& b, VecX& x) override {
    const trace::Scope scope("linear.solve");
    x = factor_.solve(b);
    return LinearStatus::Solved;
  }

 private:
  Eigen::LLT<MatX> factor_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_dense_solver() { return std::make_unique<DenseSolver>(); }

}  // namespace marrow
