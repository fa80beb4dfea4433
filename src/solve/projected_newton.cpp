#include "solve/projected_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/trace.h"

namespace marrow {
namespace {

// Shifts tried in turn when the matrix is not positive definite to rounding, relative to its largest diagonal
// entry. What was needed once is taken at once for the rest of the time step.
constexpr std::array<double, 4> kShifts = {0, 1e-12, 1e-9, 1e-6};

// Newton crawls where a whole step is longer than this part of the whole step before.
constexpr double kCrawling = 0.5;
constexpr int kMaxPatience = 16;

// From so many crawling steps on, until steps shrink again, they are stretched, to at most this.
constexpr int kLongCrawl = 2;
constexpr double kMaxStretch = 4;

// A whole step nears the end where it promises no more than this part of what the whole step before did.
constexpr double kNearing = 0.25;

// At rounding, a step of this many tolerances still counts as converged; beyond it something is wrong.
constexpr double kRoundingSlack = 1e3;

// Steps of which less than this part is safe say little; so many in a row that decrease nothing, or whose
// direction is small, are believed all the same.
constexpr double kHeldUp = 0.5;
constexpr int kMaxIdleSteps = 10;
constexpr double kCreeping = 1e-3;

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

// Factorises H, unless it is the matrix of before to the last bit, as between steps of Newton that keep the
// Hessian of reduced bodies.
LinearStatus factorize(const BlockMatrix& H, NewtonWork& work) {
  const auto same_bits = [&] {
    return work.factorized_version == H.pattern.version && work.factorized.size() == H.blocks.size() &&
           std::memcmp(work.factorized.data(), H.blocks.data(), H.blocks.size() * sizeof(Mat3)) == 0;
  };
  if (!work.factorized.empty() && same_bits()) return LinearStatus::Solved;
  work.factorized.clear();
  const LinearStatus status = work.solver->factorize(H);
  if (status != LinearStatus::Solved) return status;
  work.factorized = H.blocks;
  work.factorized_version = H.pattern.version;
  return status;
}

// H u = −g over the unknowns.
LinearStatus solve_direction(BlockMatrix& H, const VecX& g, Curvature curvature, NewtonWork& work) {
  LinearStatus status = LinearStatus::NotPositiveDefinite;
  const size_t end = curvature == Curvature::Exact ? work.shift + 1 : kShifts.size();
  for (size_t k = work.shift; k < end; ++k) {
    if (kShifts[k] > 0) shift_diagonal(kShifts[k], H);
    status = factorize(H, work);
    if (status == LinearStatus::Solved) status = work.solver->solve(-g, work.direction);
    if (status == LinearStatus::Solved && work.direction.allFinite()) {
      work.shift = k;
      return status;
    }
    if (status == LinearStatus::OutOfMemory && !work.fallback) return status;
    // What is too large to factorise is solved iteratively from now on.
    if (status == LinearStatus::OutOfMemory) {
      work.solver = std::move(work.fallback);
      return solve_direction(H, g, curvature, work);
    }
  }
  return status == LinearStatus::Solved ? LinearStatus::NotPositiveDefinite : status;
}

// The Newton step from n with this Hessian; only for a projected one more shifts are tried.
LinearStatus solve_step(Objective& objective, Curvature curvature, const std::vector<char>& is_fixed,
                        const VecX& n, NewtonWork& work) {
  objective.compute_hessian(n, curvature, work.hessian);
  eliminate_nodes(is_fixed, work.hessian);
  if (work.charts.is_identity()) {
    const LinearStatus status = solve_direction(work.hessian, work.gradient, curvature, work);
    if (status == LinearStatus::Solved) clear_fixed(is_fixed, work.direction);
    return status;
  }
  work.charts.pull_hessian(n, work.gradient, work.hessian, work.reduced);
  const LinearStatus status =
      solve_direction(work.reduced, work.charts.pull_gradient(n, work.gradient), curvature, work);
  if (status == LinearStatus::Solved) clear_fixed(work.charts.pull_flags(is_fixed), work.direction);
  return status;
}

// Which Hessian to try (docs/decisions/0012-exact-hessian.md). The projected one always leads downhill, but
// may be far stiffer than the true one; whole steps that hardly shrink tell. The exact one is then tried,
// kept as long as its steps are taken whole, and left alone the longer the more often it was indefinite.
class CurvatureChoice {
 public:
  Curvature next() const { return is_wanted_ && wait_ == 0 ? Curvature::Exact : Curvature::Projected; }

  void report_indefinite() {
    wait_ = patience_;
    patience_ = std::min(2 * patience_, kMaxPatience);
  }

  void report_step(Curvature used, bool is_crawling, const StepLength& length) {
    is_wanted_ = length.alpha == 1 && (used == Curvature::Exact || is_crawling);
    wait_ = std::max(wait_ - 1, 0);
    if (used == Curvature::Exact) patience_ = 1;
  }

 private:
  bool is_wanted_ = false;
  int wait_ = 0, patience_ = 1;  // [iterations]
};

// How far to go along a crawling projected direction (docs/decisions/0018-stretched-steps.md): further and
// further while whole steps are taken. The line search takes back what was too much.
class Stretch {
 public:
  double get(bool is_crawling) const { return is_crawling ? factor_ : 1; }

  // previous_step: 0 unless it was taken whole.
  void report_step(bool is_crawling, double previous_step, const StepLength& length) {
    if (length.alpha < 1) {
      factor_ = std::max(1.0, 0.5 * factor_);
    } else if (is_crawling) {
      if (++crawling_steps_ >= kLongCrawl) factor_ = std::min(2 * factor_, kMaxStretch);
    } else if (previous_step > 0) {
      factor_ = 1;
      crawling_steps_ = 0;
    }
  }

 private:
  double factor_ = 1;
  int crawling_steps_ = 0;  // whole ones, since one that was not
};

struct Direction {
  LinearStatus status;
  Curvature curvature;  // what it was computed with
  NodePath path;
};

// The Newton direction from n.
Direction find_direction(Objective& objective, const std::vector<char>& is_fixed, const VecX& n,
                         CurvatureChoice& choice, NewtonWork& work) {
  const auto solve = [&](Curvature curvature) {
    Direction result = {solve_step(objective, curvature, is_fixed, n, work), curvature, {}};
    if (result.status == LinearStatus::Solved) result.path = work.charts.make_path(n, work.direction);
    return result;
  };
  Direction result = solve(choice.next());
  if (result.curvature == Curvature::Projected || result.status == LinearStatus::OutOfMemory) return result;
  if (result.status == LinearStatus::Solved && work.gradient.dot(result.path.direction) <= 0) return result;
  choice.report_indefinite();
  return solve(Curvature::Projected);
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

StepLength search(Objective& objective, double slope, const NodePath& path, const Swings& swings, VecX& n) {
  const trace::Scope scope("newton.line_search");
  return swings.is_empty() ? search_and_move(objective, slope, path, n)
                           : search_and_swing(objective, slope, path, swings, n);
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

void reset_solver(NewtonWork& work) {
  work.solver->reset();
  work.factorized.clear();
  work.shift = 0;
}

bool solve_again(const VecX& n, const VecX& g, NewtonWork& work) {
  const VecX right = work.charts.is_identity() ? g : work.charts.pull_gradient(n, g);
  return work.solver->solve(-right, work.direction) == LinearStatus::Solved;
}

NewtonReport minimize(Objective& objective, const std::vector<char>& is_fixed, const NewtonLimits& limits,
                      VecX& n, NewtonWork& work) {
  const trace::Scope scope("newton.total");
  const double stop_length = limits.stop_length;
  NewtonReport report;
  work.history.clear();
  const auto finish = [&](Verdict verdict) {
    report.verdict = verdict;
    return report;
  };
  // Of the iteration before, if it was taken whole.
  double previous_step = 0, previous_decrement = 0;
  int idle_steps = 0;      // in a row that were held up and brought nothing
  int creeping_steps = 0;  // in a row of which next to nothing was safe
  CurvatureChoice choice;
  Stretch stretch;
  while (report.iterations < limits.iterations) {
    ++report.iterations;
    // The gradient over the free nodes.
    objective.compute_gradient(n, work.gradient);
    clear_fixed(is_fixed, work.gradient);
    report.gradient_norm = work.gradient.norm();

    // The Newton direction.
    const Direction direction = find_direction(objective, is_fixed, n, choice, work);
    if (direction.status == LinearStatus::OutOfMemory) return finish(Verdict::OutOfMemory);
    if (direction.status != LinearStatus::Solved) return finish(Verdict::LinearSolveFailed);
    report.last_step = direction.path.direction.lpNorm<Eigen::Infinity>();
    if (report.last_step == 0) return finish(Verdict::Converged);
    const bool is_crawling = previous_step > 0 && report.last_step > kCrawling * previous_step;
    const bool is_stretchable =
        is_crawling && direction.curvature == Curvature::Projected && report.last_step > stop_length;
    const NodePath path = direction.path.cut(stretch.get(is_stretchable));

    // A safe step downhill.
    const double slope = work.gradient.dot(path.direction);
    const Swings swings =
        work.kinematics ? Swings(*work.kinematics, is_fixed, path, {kFarBelow * stop_length, work.least_turn})
                        : Swings();
    const StepLength length = search(objective, slope, path, swings, n);
    count_limits(length, report);
    record(report, length, work.history);
    const bool is_small = report.last_step <= stop_length ||
                          is_next_small(report.last_step, previous_step, length, stop_length);
    choice.report_step(direction.curvature, is_crawling, length);
    stretch.report_step(is_crawling, previous_step, length);
    const double decrement = -work.gradient.dot(direction.path.direction);
    const bool is_nearing = length.alpha == 1 && decrement <= kNearing * previous_decrement;
    previous_step = length.alpha == 1 ? report.last_step : 0;
    previous_decrement = length.alpha == 1 ? decrement : 0;
    if (length.alpha == 0) return finish(is_small ? Verdict::AtRounding : Verdict::NoDescent);
    // What is in the way may have kept the step that short; it may be gone after the next ones.
    const bool is_held_up = length.limit.alpha < kHeldUp;
    idle_steps = is_held_up && (is_small || length.is_rounding) ? idle_steps + 1 : 0;
    const bool is_believed = !is_held_up || idle_steps == kMaxIdleSteps;
    if (is_small && is_believed && (!work.is_settled || work.is_settled(n)))
      return finish(Verdict::Converged);
    if (work.after_iteration) work.after_iteration(n, length);
    creeping_steps = length.limit.alpha < kCreeping ? creeping_steps + 1 : 0;
    if (creeping_steps >= limits.creeping_steps) return finish(Verdict::NoDescent);
    // Values at rounding tell nothing any more; what the next step promises still does.
    if (length.is_rounding && is_believed && !is_nearing) {
      const bool is_nearly_done = !is_held_up && report.last_step <= kRoundingSlack * stop_length;
      return finish(is_nearly_done ? Verdict::AtRounding : Verdict::NoDescent);
    }
  }
  return finish(Verdict::TooManyIterations);
}

}  // namespace marrow
