#include "linalg/linear_solver.h"

namespace marrow {
namespace {

// Below this a dense factorisation beats the sparse one's bookkeeping.
constexpr Index kDenseNodeLimit = 60;

}  // namespace

const char* to_string(LinearStatus status) {
  switch (status) {
    case LinearStatus::Solved:
      return "solved";
    case LinearStatus::NotPositiveDefinite:
      return "matrix not positive definite";
    case LinearStatus::NotConverged:
      return "not converged";
    case LinearStatus::OutOfMemory:
      return "out of memory";
  }
  return "unknown";
}

std::unique_ptr<LinearSolver> make_linear_solver(const LinearSolverOptions& options, Index node_count) {
  switch (options.kind) {
    case LinearSolverKind::Multifrontal:
      return make_multifrontal_solver();
    case LinearSolverKind::Cholmod:
      return make_cholmod_solver();
    case LinearSolverKind::Pcg:
      return make_pcg_solver(options);
    case LinearSolverKind::Dense:
      return make_dense_solver();
    case LinearSolverKind::Automatic:
      break;
  }
  return node_count < kDenseNodeLimit ? make_dense_solver() : make_multifrontal_solver();
}

}  // namespace marrow
