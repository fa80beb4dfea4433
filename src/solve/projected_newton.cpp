#include "solve/projected_newton.h"

#include "core/trace.h"
#include "solve/newton_heuristics.h"

namespace marrow {
namespace {

struct Direction {
  LinearStatus status;
  NodePath path;
  DirectionFacts facts;
};

// The gradient over the free nodes.
void update_gradient(Objective& objective, const std::vector<char>& is_fixed, const VecX& n,
                     NewtonWork& work) {
  objective.compute_gradient(n, work.gradient);
  clear_fixed(is_fixed, work.gradient);
}

// The Newton direction from n, with the exact Hessian if it is worth a try.
Direction find_direction(Objective& objective, const NewtonProblem& problem, const VecX& n,
                         CurvatureChoice& choice, NewtonWork& work) {
  Balance* balance = problem.limits.balance;
  const auto solve = [&](Curvature curvature, const Restraint* restraint = nullptr) {
    Direction result = {
        work.system.solve(objective, curvature, problem.is_fixed, n, work.gradient, restraint), {}, {}};
    if (result.status != LinearStatus::Solved) return result;
    result.path = work.system.make_path(n);
    result.facts = {result.path.direction.lpNorm<Eigen::Infinity>(),
                    -work.gradient.dot(result.path.direction), 0, curvature};
    if (balance != nullptr) {
      balance->update_floor(n, work.system.hessian());
      result.facts.promise = balance->compute_promise(n, work.gradient, result.path.direction);
    }
    return result;
  };
  const Curvature first = choice.next();
  Direction result = solve(first);
  if (result.status == LinearStatus::OutOfMemory) return result;
  const bool is_solved = result.status == LinearStatus::Solved;
  if (first == Curvature::Exact && !(is_solved && result.facts.decrement >= 0)) {
    choice.report_indefinite();
    result = solve(Curvature::Projected);
  }
  if (problem.restraint == nullptr || result.status == LinearStatus::OutOfMemory) return result;
  const bool is_far =
      result.status != LinearStatus::Solved || result.facts.length > problem.restraint->length;
  return is_far ? solve(Curvature::Projected, problem.restraint) : result;
}

// Takes a safe step downhill; bodies that turn move along arcs.
StepLength search_and_step(Objective& objective, const NewtonProblem& problem, const NodePath& path,
                           const Beginning& begin, VecX& n) {
  const trace::Scope scope("newton.line_search");
  const RotationLimits least = {kNewton.least_swing * problem.limits.stop_length, problem.least_turn};
  const RotatedSteps swings =
      problem.kinematics ? RotatedSteps(*problem.kinematics, problem.is_fixed, path, least) : RotatedSteps();
  return swings.is_empty() ? search_and_move(objective, begin, path, n)
                           : search_along_arcs(objective, begin, path, swings, n);
}

IterationRecord& record(const DirectionFacts& direction, const StepLength& length, NewtonWork& work) {
  if (work.history.size() == kNewton.kept_iterations) work.history.pop_front();
  work.history.push_back({.change = direction.length,
                          .alpha = length.alpha,
                          .limit = length.limit,
                          .halvings = length.halvings,
                          .gradient = work.gradient.norm(),
                          .value = length.end.value});
  return work.history.back();
}

Verdict explain(LinearStatus status) {
  return status == LinearStatus::OutOfMemory ? Verdict::OutOfMemory : Verdict::LinearSolveFailed;
}

}  // namespace

NewtonReport minimize(Objective& objective, const NewtonProblem& problem, VecX& n, NewtonWork& work) {
  const trace::Scope scope("newton.total");
  NewtonProgress progress(problem.limits);
  work.history.clear();
  const Index linear_iterations = work.system.linear_iterations();
  const auto finish = [&](Verdict verdict) {
    NewtonReport report = progress.finish(verdict, work.gradient.norm());
    report.linear_iterations = work.system.linear_iterations() - linear_iterations;
    return report;
  };
  Balance* balance = problem.limits.balance;
  update_gradient(objective, problem.is_fixed, n, work);  // g
  if (balance != nullptr && balance->assess(n, work.gradient).is_settled()) return finish(Verdict::Converged);
  std::optional<ObjectiveValue> value;  // of the objective at n, if it is known
  while (progress.may_go_on()) {
    const Direction direction =
        find_direction(objective, problem, n, progress.curvature(), work);  // H Δn = −g
    if (direction.status != LinearStatus::Solved) return finish(explain(direction.status));
    if (direction.facts.length == 0) return finish(Verdict::Converged);
    const NodePath path = direction.path.cut(progress.choose_stretch(direction.facts));
    if (!value) value = objective.compute_value(n);
    const Beginning begin = {*value, work.gradient.dot(path.direction)};
    const StepLength length = search_and_step(objective, problem, path, begin, n);  // n ← n + α Δn
    value = length.end;
    IterationRecord& now = record(direction.facts, length, work);
    update_gradient(objective, problem.is_fixed, n, work);
    const Imbalance forces = balance != nullptr ? balance->assess(n, work.gradient) : Imbalance();
    if (const auto verdict = progress.judge(direction.facts, length, forces)) return finish(*verdict);
    const bool is_changed = problem.after_iteration && problem.after_iteration(n, length, now);
    if (!is_changed) continue;
    update_gradient(objective, problem.is_fixed, n, work);
    value.reset();
  }
  return finish(problem.limits.may_be_cut_short ? Verdict::CutShort : Verdict::TooManyIterations);
}

}  // namespace marrow
