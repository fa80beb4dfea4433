// Solvers of A x = b for a symmetric positive definite block matrix. The closed set of implementations:
//
//   multifrontal  our sparse Cholesky over 3×3 blocks, on all cores, its order kept where patterns stay
//                 similar: the default.
//   CHOLMOD       supernodal sparse Cholesky on one core, to compare with.
//   PCG           conjugate gradients preconditioned by algebraic multigrid: little memory, for bodies too
//                 large to factorise; taken by itself where the factor would not fit.
//   dense         Cholesky of the full matrix: fastest below about a hundred nodes.
//
// All give the same bits on any number of threads.
#pragma once

#include <memory>

#include "core/options.h"
#include "linalg/block_matrix.h"
#include "linalg/system_nodes.h"

namespace marrow {

enum class LinearSolverKind { Automatic, Multifrontal, Cholmod, Pcg, Dense };

template <>
struct EnumNames<LinearSolverKind> {
  static constexpr const char* names[] = {"automatic", "multifrontal", "cholmod", "pcg", "dense"};
};

struct LinearSolverOptions {
  LinearSolverKind kind = LinearSolverKind::Automatic;
  double pcg_tolerance = 1e-3;
  int pcg_max_iterations = 1000;
  bool operator==(const LinearSolverOptions&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, LinearSolverOptions& o) {
  visit(
      "linear_solver", o.kind,
      {.doc =
           "Solver of the linear systems; automatic uses dense below 60 nodes and multifrontal otherwise."});
  visit(
      "pcg_tolerance", o.pcg_tolerance,
      {.above = 0,
       .below = 1,
       .doc = "PCG stops when the error of a Newton step, measured by its energy, is about this fraction of "
              "the step. Larger values need more Newton steps; the accuracy of the motion is that of "
              "tolerance and balance."});
  visit("pcg_max_iterations", o.pcg_max_iterations,
        {.at_least = 1, .doc = "Maximum number of PCG iterations."});
}

enum class LinearStatus { Solved, NotPositiveDefinite, NotConverged, OutOfMemory };

const char* to_string(LinearStatus status);

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  // Forgets what earlier systems left where it could change later results.
  virtual void reset() {}

  // Says what the nodes of the systems from now on are; only needed if it is true that the solver uses it.
  virtual void describe(SystemNodes /*nodes*/) {}
  virtual bool uses_description() const { return false; }

  // Prepares to solve with A. A must stay alive and unchanged until the last solve with it.
  virtual LinearStatus factorize(const BlockMatrix& A) = 0;

  // x = A⁻¹ b with the matrix last prepared.
  virtual LinearStatus solve(const VecX& b, VecX& x) = 0;

  // Of the last solve; a direct solver has none.
  virtual Index iterations() const { return 0; }
};

std::unique_ptr<LinearSolver> make_linear_solver(const LinearSolverOptions& options, Index node_count);

// The implementations, one file each.
std::unique_ptr<LinearSolver> make_multifrontal_solver();
std::unique_ptr<LinearSolver> make_cholmod_solver();
std::unique_ptr<LinearSolver> make_pcg_solver(const LinearSolverOptions& options);
std::unique_ptr<LinearSolver> make_dense_solver();

}  // namespace marrow
