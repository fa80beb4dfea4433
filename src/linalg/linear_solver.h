// Solvers of A x = b for a symmetric positive definite block matrix. The closed set of implementations:
//
//   multifrontal  our sparse Cholesky over 3×3 blocks, on all cores, its order kept where patterns stay
//                 similar.
//   CHOLMOD       supernodal sparse Cholesky on one core, to compare with.
//   PCG           conjugate gradients preconditioned by algebraic multigrid: time and memory in proportion to
//                 the size, for soft bodies of more than about a thousand nodes.
//   dense         Cholesky of the full matrix: fastest below about a hundred nodes.
//   automatic     one of these, by what each will cost (linalg/iterative/solver_choice.h).
//
// All give the same bits on any number of threads.
#pragma once

#include <memory>
#include <optional>

#include "core/options.h"
#include "linalg/block_matrix.h"
#include "linalg/factor_cost.h"
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
           "Solver of the linear systems; automatic uses dense below 60 nodes, and otherwise multifrontal or "
           "pcg, whichever will be faster by a count of their operations."});
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

// What a run must remember about its systems, so that it takes the same decisions when it is resumed.
struct SolverMemory {
  bool is_iterative = false;  // the iterative solver has taken over
  Index iterations = 0;       // of conjugate gradients per system, on average over the last step
  Index compared = 0;         // the most with which the solvers were compared; 0: never
  Index exact = 0;            // at the last comparison, the share of blocks solved exactly [thousandths]
  bool operator==(const SolverMemory&) const = default;
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  // Forgets what earlier systems left where it could change later results.
  virtual void reset() {}

  // Gives its memory back; what it was prepared for is forgotten.
  virtual void release() {}

  // Says what the nodes of the systems from now on are; only needed if it is true that the solver uses it.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): kept by those who use it
  virtual void describe(SystemNodes /*nodes*/) {}
  virtual bool uses_description() const { return false; }

  // Only a solver that chooses remembers anything. recall: after a reset.
  virtual void recall(const SolverMemory& /*memory*/) {}
  virtual SolverMemory memory() const { return {}; }

  // What factorising A will cost; none: it cannot be told, or the solver is iterative.
  virtual std::optional<FactorCost> foresee(const BlockMatrix& /*A*/) { return {}; }
  // By the last system, foreseen even if it was refused for that [bytes]; 0: not known.
  virtual double memory_needed() const { return 0; }

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
// Direct, until the iterative one is likely to be faster, or the direct one needs too much memory; and back
// if iterations become many.
std::unique_ptr<LinearSolver> make_automatic_solver(const LinearSolverOptions& options,
                                                    std::unique_ptr<LinearSolver> direct,
                                                    std::unique_ptr<LinearSolver> iterative);

}  // namespace marrow
