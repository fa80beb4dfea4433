// This file has the options of Newton's method that a scene can set, and the report of a solve. Neither needs
// a solver.
#pragma once

#include <limits>

#include "contact/step_limit.h"
#include "core/options.h"

namespace marrow {

struct NewtonOptions {
  double tolerance = 1e-3;
  double balance = 1e-3;
  int max_iterations = 1000;
  bool operator==(const NewtonOptions&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, NewtonOptions& o) {
  visit("tolerance", o.tolerance,
        {.unit = "1/s",
         .above = 0,
         .below = 1,
         .doc = "Velocity tolerance. Newton stops when no node would change its velocity by more than this "
                "times the size of the smallest body that is not an obstacle, and forces balance. Larger "
                "values are faster and less accurate."});
  visit("balance", o.balance,
        {.above = 0,
         .below = 1,
         .doc = "Forces balance when the residual force and torque on each body would change its "
                "acceleration by less than this fraction of the acceleration by gravity and loads, or of its "
                "own acceleration if there are none. Larger values are faster and less accurate."});
  visit("max_iterations", o.max_iterations,
        {.at_least = 1, .doc = "Number of Newton iterations after which a step fails."});
}

// How a solve ended. Each verdict means one thing; docs/models/time_step.md says what a step does about it.
enum class Verdict {
  Converged,
  CutShort,           // safe, but as exact as its few iterations made it (solver.projective)
  AtRounding,         // no further decrease is possible in double precision: as good as converged
  TooManyIterations,  // still going downhill when its iterations were used up
  NoDescent,          // the line search found no step that goes down
  Blocked,            // step after step, obstruction leaves next to nothing of the direction
  LostInRounding,     // the decrease is below rounding, but the steps are still long
  JointsPress,        // joints do not close: pulling harder only presses bodies together
  LinearSolveFailed,  // the matrix is not positive definite, or the iterative solver did not converge
  OutOfMemory,
};

const char* to_string(Verdict verdict);
inline bool is_success(Verdict verdict) {
  return verdict == Verdict::Converged || verdict == Verdict::AtRounding || verdict == Verdict::CutShort;
}

struct NewtonReport {
  Verdict verdict = Verdict::Converged;
  int iterations = 0;
  int halvings = 0;             // of the line search, all iterations together
  Index linear_iterations = 0;  // of an iterative linear solver, likewise
  int inversion_limits = 0;     // iterations whose step was limited by an element
  int collision_limits = 0;     // … by a collision
  double last_step = 0;         // max |Δn| of the last iteration [m]
  double gradient_norm = 0;     // at the last iteration, over the free nodes
};

// Counts add up; the outcome and the last step are those of the later solve.
void add_report(const NewtonReport& round, NewtonReport& total);

// One iteration, for explaining why a solve failed.
struct IterationRecord {
  double change = 0;    // max |Δn| of the direction [m]
  double alpha = 0;     // the fraction that was taken; 0: none
  StepLimit limit;      // the safe fraction, and what forbade more
  int halvings = 0;     // after that, to decrease the objective
  double gradient = 0;  // norm, over the free nodes
  double value = 0;     // of the objective afterwards
  // Filled in by code that knows of contact (NewtonProblem::after_iteration).
  size_t contacts = 0;
  double smallest_gap = std::numeric_limits<double>::infinity();  // [m]
  double stiffness = 0;                                           // κ [kg m²]
};

}  // namespace marrow
