#include "solve/projected_newton.h"

#include <cmath>

#include "core/trace.h"

namespace marrow {
namespace {

// Shifts tried in turn when the matrix is not positive definite to rounding, relative to its largest diagonal
// entry.
constexpr double kShifts[] = {0, 1e-12, 1e-9, 1e-6};

// At rounding, a step of this many tolerances still counts as converged; beyond it something is wrong.
constexpr double kRoundingSlack = 1e3;

// What counts as far below a length.
constexpr double kFarBelow = 0.1;

constexpr size_t kKeptIterations = 100;  // in NewtonWork::history

void clear_fixed(const std::vector<char>& is_fixed, VecX& v) {
  for (size_t i = 0; i < is_fixed.size(); ++i) {
    if (is_fixed[i]) v.segment<3>(3 * static_cast<Index>(i)).setZero();
  }
}

void shift_diagonal(double shift, BlockMatrix& H) {
  double largest = 0;
  for (Index i = 0; i < H.node_count(); ++i) {
    largest = std::max(largest, H.blocks[H.pattern.column_offsets[i]].diagonal().maxCoeff());
  }
  for (Index i = 0; i < H.node_count(); ++i) {
    H.blocks[H.pattern.column_offsets[i]].diagonal().array() += shift * largest;
  }
}

// H Δn = −g.
LinearStatus solve_direction(NewtonWork& work) {
  LinearStatus status = LinearStatus::NotPositiveDefinite;
  for (const double shift : kShifts) {
    if (shift > 0) shift_diagonal(shift, work.hessian);
    status = work.solver->factorize(work.hessian);
    if (status == LinearStatus::Solved) status = work.solver->solve(-work.gradient, work.direction);
    if (status == LinearStatus::Solved && work.direction.allFinite()) return status;
    if (status == LinearStatus::OutOfMemory && !work.fallback) return status;
    // What is too large to factorise is solved iteratively from now on.
    if (status == LinearStatus::OutOfMemory) {
      work.solver = std::move(work.fallback);
      return solve_direction(work);
    }
  }
  return status == LinearStatus::Solved ? LinearStatus::NotPositiveDefinite : status;
}

void record(const NewtonReport& report, const StepLength& length, std::deque<IterationRecord>& history) {
  if (history.size() == kKeptIterations) history.pop_front();
  history.push_back({.change = report.last_step,
                     .alpha = length.alpha,
                     .limit = length.limit,
                     .halvings = length.halvings,
                     .gradient = report.gradient_norm,
                     .value = length.value});
}

void count_limits(const StepLength& length, NewtonReport& report) {
  report.halvings += length.halvings;
  report.inversion_limits += length.limit.cause == LimitCause::Inversion;
  report.collision_limits += length.limit.cause == LimitCause::Collision;
}

// Whether the next direction is sure to be small: two whole steps in a row, shrinking so fast that even at
// the same rate the next one would be far below the stopping length. It need not be computed then.
bool is_next_small(double step, double previous_step, const StepLength& length, double stop_length) {
  return length.alpha == 1 && previous_step > 0 && step * (step / previous_step) <= kFarBelow * stop_length;
}

}  // namespace

void add_report(const NewtonReport& round, NewtonReport& total) {
  total.verdict = round.verdict;
  total.iterations += round.iterations;
  total.halvings += round.halvings;
  total.inversion_limits += round.inversion_limits;
  total.collision_limits += round.collision_limits;
  total.last_step = round.last_step;
  total.gradient_norm = round.gradient_norm;
}

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Converged:
      return "converged";
    case Verdict::AtRounding:
      return "at rounding";
    case Verdict::TooManyIterations:
      return "too many iterations";
    case Verdict::NoDescent:
      return "no descent";
    case Verdict::LinearSolveFailed:
      return "linear solve failed";
    case Verdict::OutOfMemory:
      return "out of memory";
  }
  return "unknown";
}

NewtonReport minimize(Objective& objective, const std::vector<char>& is_fixed, double stop_length,
                      int max_iterations, VecX& n, NewtonWork& work) {
  const trace::Scope scope("newton.total");
  NewtonReport report;
  work.history.clear();
  const auto finish = [&](Verdict verdict) {
    report.verdict = verdict;
    return report;
  };
  double previous_step = 0;  // of the iteration before, if it was taken whole
  while (report.iterations < max_iterations) {
    ++report.iterations;
    // Gradient and Hessian over the free nodes.
    objective.compute_gradient(n, work.gradient);
    clear_fixed(is_fixed, work.gradient);
    report.gradient_norm = work.gradient.norm();
    objective.compute_hessian(n, work.hessian);
    eliminate_nodes(is_fixed, work.hessian);

    // The Newton direction.
    const LinearStatus solved = solve_direction(work);
    if (solved == LinearStatus::OutOfMemory) return finish(Verdict::OutOfMemory);
    if (solved != LinearStatus::Solved) return finish(Verdict::LinearSolveFailed);
    clear_fixed(is_fixed, work.direction);
    report.last_step = work.direction.lpNorm<Eigen::Infinity>();
    if (report.last_step == 0) return finish(Verdict::Converged);

    // A safe step downhill.
    const double slope = work.gradient.dot(work.direction);
    const StepLength length = search_and_move(objective, slope, work.direction, n);
    count_limits(length, report);
    record(report, length, work.history);
    const bool is_small = report.last_step <= stop_length ||
                          is_next_small(report.last_step, previous_step, length, stop_length);
    previous_step = length.alpha == 1 ? report.last_step : 0;
    if (length.alpha == 0) return finish(is_small ? Verdict::AtRounding : Verdict::NoDescent);
    if (is_small && (!work.is_settled || work.is_settled(n))) return finish(Verdict::Converged);
    if (work.after_iteration) work.after_iteration(n, length);
    if (length.is_rounding) {
      const bool is_nearly_done = report.last_step <= kRoundingSlack * stop_length;
      return finish(is_nearly_done ? Verdict::AtRounding : Verdict::NoDescent);
    }
  }
  return finish(Verdict::TooManyIterations);
}

}  // namespace marrow
