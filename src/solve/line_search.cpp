#include "solve/line_search.h"

#include <cmath>

#include "core/trace.h"

namespace marrow {
namespace {

constexpr double kArmijo = 1e-4;
constexpr int kMaxHalvings = 50;
constexpr double kClearlyAboveNoise = 100;

// A step that is only taken for the sake of rounding must not end on a slope as steep as it began on, uphill
// (Hager and Zhang 2005): two such steps would go back and forth for ever.
constexpr double kSteepest = 0.8;

bool ends_steeply(Objective& objective, double slope, const NodePath& path, const VecX& trial) {
  VecX gradient;
  objective.compute_gradient(trial, gradient);
  return gradient.dot(path.direction) > kSteepest * std::abs(slope);
}

}  // namespace

StepLength search_and_move(Objective& objective, double slope, const NodePath& path, VecX& n) {
  const trace::Scope scope("newton.line_search");
  StepLength result;
  result.limit = objective.compute_step_limit(path);
  const ObjectiveValue before = objective.compute_value(n);
  double alpha = result.limit.alpha;
  for (; result.halvings <= kMaxHalvings; ++result.halvings, alpha *= 0.5) {
    const VecX trial = path.at(alpha);
    const ObjectiveValue after = objective.compute_value(trial);
    const double rounding = before.rounding + after.rounding;
    const double wanted = kArmijo * alpha * slope;
    if (!std::isfinite(after.value) || !(after.value - before.value <= wanted + rounding)) continue;
    if (after.value > before.value && ends_steeply(objective, slope, path, trial)) continue;
    result.value = after.value;
    result.is_rounding = std::abs(alpha * slope) <= rounding;
    // A step that only passes because it was halved down into the noise decreases nothing.
    const bool was_promising = std::abs(result.limit.alpha * slope) > kClearlyAboveNoise * rounding;
    if (result.is_rounding && was_promising) return result;
    result.alpha = alpha;
    n = trial;
    objective.report_move(n);
    return result;
  }
  return result;
}

bool move_if_better(const Objective& objective, const NodePath& path, VecX& n) {
  if (objective.compute_step_limit(path).alpha < 1) return false;
  const VecX end = path.at(1);
  const double after = objective.compute_value(end).value;
  if (!std::isfinite(after) || !(after < objective.compute_value(n).value)) return false;
  n = end;
  objective.report_move(n);
  return true;
}

StepLength move_towards(const Objective& objective, const VecX& target, VecX& n) {
  const NodePath path = {n, target - n, {}};
  StepLength result;
  result.limit = objective.compute_step_limit(path);
  double alpha = result.limit.alpha;
  for (; result.halvings <= kMaxHalvings; ++result.halvings, alpha *= 0.5) {
    const VecX trial = alpha == 1 ? target : path.at(alpha);
    if (!std::isfinite(objective.compute_value(trial).value)) continue;
    result.alpha = alpha;
    n = trial;
    objective.report_move(n);
    return result;
  }
  return result;
}

}  // namespace marrow
