#include "linalg/linear_solver.h"

namespace marrow {
namespace {

// Below this a dense factorisation beats the sparse one's bookkeeping.
constexpr Index kDenseNodeLimit = 60;

// Below this the iterative solver never wins. Less: descriptions of the nodes are made in vain. [measured:
// bench/results/large_bodies.md]
constexpr Index kIterativeNodeLimit = 1000;

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
  if (node_count < kDenseNodeLimit) return make_dense_solver();
  if (node_count < kIterativeNodeLimit) return make_multifrontal_solver();
  return make_automatic_solver(options, make_multifrontal_solver(), make_pcg_solver(options));
}

}  // namespace marrow
