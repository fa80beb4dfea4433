// Projected Newton: minimises the objective over the free nodes.
//
//   repeat  H Δn = −g  (H: sum of positive semi-definite element Hessians),  n ← n + α Δn
//           (… of exact ones where that converges slowly and H is still positive definite)
//   until   max |Δn| <= tolerance · size · h      (a velocity: the step's result changes by less than this a
//   second)
//
// The last Δn is still taken, so the true error is far below the tolerance (Newton converges quadratically).
// Where two whole steps show that the next Δn would be a tenth of that or less, it is not computed.
// What happens when it fails: docs/models/time_step.md.
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <memory>

#include "kinematics/charts.h"
#include "linalg/linear_solver.h"
#include "solve/line_search.h"
#include "solve/objective.h"

namespace marrow {

struct NewtonOptions {
  double tolerance = 1e-3;
  int max_iterations = 1000;
  bool operator==(const NewtonOptions&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, NewtonOptions& o) {
  visit("tolerance", o.tolerance,
        {.unit = "1/s",
         .above = 0,
         .below = 1,
         .doc = "Newton stops when no node would still change its velocity by more than this times the size "
                "of the smallest soft body; raising it is faster and rougher."});
  visit("max_iterations", o.max_iterations,
        {.at_least = 1, .doc = "Newton iterations after which a step has failed."});
}

enum class Verdict {
  Converged,
  AtRounding,  // no further decrease is possible in double precision: as good as converged
  TooManyIterations,
  NoDescent,  // the line search found no step
  LinearSolveFailed,
  OutOfMemory,
};

const char* to_string(Verdict verdict);
inline bool is_success(Verdict verdict) {
  return verdict == Verdict::Converged || verdict == Verdict::AtRounding;
}

struct NewtonReport {
  Verdict verdict = Verdict::Converged;
  int iterations = 0;
  int halvings = 0;          // of the line search, all iterations together
  int inversion_limits = 0;  // iterations whose step was limited by an element
  int collision_limits = 0;  // … by a collision
  double last_step = 0;      // max |Δn| of the last iteration [m]
  double gradient_norm = 0;  // at the last iteration, over the free nodes
};

// Counts add up; the outcome and the last step are those of the later solve.
void add_report(const NewtonReport& round, NewtonReport& total);

// One iteration, for those who ask why a solve failed.
struct IterationRecord {
  double change = 0;    // max |Δn| of the direction [m]
  double alpha = 0;     // how much of it was taken; 0: none
  StepLimit limit;      // how much was safe, and what forbade more
  int halvings = 0;     // after that, to decrease the objective
  double gradient = 0;  // norm, over the free nodes
  double value = 0;     // of the objective afterwards
  // Filled in by who knows of contact (NewtonWork::after_iteration).
  size_t contacts = 0;
  double smallest_gap = std::numeric_limits<double>::infinity();  // [m]
  double stiffness = 0;                                           // κ [kg m²]
};

// When a solve ends.
struct NewtonLimits {
  double stop_length = 0;  // steps shorter than this have converged: tolerance · size · h [m]
  int iterations = 0;
  // Steps in a row of which less than a thousandth is safe, after which a solve gives up.
  int creeping_steps = std::numeric_limits<int>::max();
};

struct NewtonWork {
  std::function<void(const VecX& n, const StepLength& length)> after_iteration;  // may be empty
  // Asked where the steps have become small enough: whether that may be believed. May be empty.
  std::function<bool(const VecX& n)> is_settled;
  std::deque<IterationRecord> history;  // the last iterations of the last solve
  VecX gradient, direction;             // over the nodes; over the unknowns
  BlockMatrix hessian, reduced;
  Charts charts;                           // from unknowns to nodes
  const Kinematics* kinematics = nullptr;  // of bodies that may swing (kinematics/swing.h); may be null
  double least_turn = 0;                   // of affine ones
  std::unique_ptr<LinearSolver> solver;
  // The blocks that the solver factorised last, and the version of their pattern; empty if that failed.
  std::vector<Mat3> factorized;
  std::uint64_t factorized_version = 0;
  size_t shift = 0;                        // which of the diagonal's shifts made it positive definite
  std::unique_ptr<LinearSolver> fallback;  // takes over where the solver runs out of memory; may be null
};

// Forgets what the linear solver has seen.
void reset_solver(NewtonWork& work);

// The direction that the last factorised Hessian gives for −g, over the unknowns; false if it cannot.
bool solve_again(const VecX& n, const VecX& g, NewtonWork& work);

// is_fixed: nodes that must not move (one flag each).
NewtonReport minimize(Objective& objective, const std::vector<char>& is_fixed, const NewtonLimits& limits,
                      VecX& n, NewtonWork& work);

}  // namespace marrow
