#include "solve/line_search.h"

#include <cmath>

namespace marrow {
namespace {

struct LineSearchHeuristics {
  // A step must decrease the objective by this fraction of what the slope promises. More: shorter steps.
  // [paper: Nocedal and Wright 2006, Numerical Optimization, section 3.1]
  double armijo = 1e-4;
  // The most halvings of a step. The rest, 2⁻⁵⁰ of it, is within the rounding of the positions. [safety net:
  // a search must end]
  int max_halvings = 50;
  // A step that promised this many times the rounding of the values, and was halved until it promises less
  // than that rounding, decreases nothing and is not taken. [ablation: clearly_above_noise]
  double clearly_above_noise = 100;
  // The number of bent paths that are tried before the straight one. 0: bodies turn along straight lines,
  // stretched. [ablation: max_arcs]
  int max_arcs = 6;
  // The fraction of the safe part of a bent path that is tried on the next one. [ablation: arc_slack]
  double arc_slack = 0.9;
  // A step that is accepted only because of rounding must not end on an uphill slope steeper than this
  // fraction of the slope at its start: two such steps would go back and forth forever. [paper: Hager and
  // Zhang 2005, approximate Wolfe conditions]
  double steepest = 0.8;
};
constexpr LineSearchHeuristics kLineSearch;

bool ends_steeply(Objective& objective, double slope, const NodePath& path, const VecX& trial) {
  VecX gradient;
  objective.compute_gradient(trial, gradient);
  return gradient.dot(path.direction) > kLineSearch.steepest * std::abs(slope);
}

// True if this part of the path goes down enough (Armijo), up to rounding.
bool is_low_enough(Objective& objective, const Beginning& begin, double alpha, const NodePath& path,
                   const VecX& trial, const ObjectiveValue& after) {
  const double rounding = begin.value.rounding + after.rounding;
  const double change = after.value - begin.value.value;
  if (!std::isfinite(after.value) || !(change <= kLineSearch.armijo * alpha * begin.slope + rounding))
    return false;
  return change <= 0 || !ends_steeply(objective, begin.slope, path, trial);
}

// Moves n to the end of the path if the whole path is safe and the objective is finite there, or lower than
// at n.
bool move_to_end(const Objective& objective, const NodePath& path, bool must_be_lower, VecX& n) {
  if (objective.compute_step_limit(path).alpha < 1) return false;
  const VecX end = path.at(1);
  const double after = objective.compute_value(end).value;
  if (!std::isfinite(after) || (must_be_lower && !(after < objective.compute_value(n).value))) return false;
  n = end;
  objective.report_move(n);
  return true;
}

}  // namespace

StepLength search_and_move(Objective& objective, const Beginning& begin, const NodePath& path, VecX& n) {
  StepLength result;
  result.end = begin.value;
  result.limit = objective.compute_step_limit(path);
  double alpha = result.limit.alpha;
  for (; result.halvings <= kLineSearch.max_halvings; ++result.halvings, alpha *= 0.5) {
    const VecX trial = path.at(alpha);
    const ObjectiveValue after = objective.compute_value(trial);
    if (!is_low_enough(objective, begin, alpha, path, trial, after)) continue;
    const double rounding = begin.value.rounding + after.rounding;
    result.is_rounding = std::abs(alpha * begin.slope) <= rounding;
    // A step that passes only because it was halved down to the level of rounding decreases nothing.
    const bool was_promising =
        std::abs(result.limit.alpha * begin.slope) > kLineSearch.clearly_above_noise * rounding;
    if (result.is_rounding && was_promising) return result;
    result.alpha = alpha;
    result.end = after;
    n = trial;
    objective.report_move(n);
    return result;
  }
  return result;
}

StepLength search_along_arcs(Objective& objective, const Beginning& begin, const NodePath& path,
                             const RotatedSteps& swings, VecX& n) {
  StepLength result;
  double part = 1;
  for (int tries = 0; tries < kLineSearch.max_arcs; ++tries) {
    const NodePath bent = swings.bend(path, part);
    const StepLimit limit = objective.compute_step_limit(bent);
    if (limit.alpha < 1) {
      result.limit = {part * limit.alpha, limit.cause};
      part *= kLineSearch.arc_slack * limit.alpha;
      continue;
    }
    const VecX trial = bent.at(1);
    const ObjectiveValue after = objective.compute_value(trial);
    result.is_rounding = std::abs(part * begin.slope) <= begin.value.rounding + after.rounding;
    if (result.is_rounding) break;
    if (is_low_enough(objective, {begin.value, part * begin.slope}, 1, bent, trial, after)) {
      result.end = after;
      result.alpha = part;
      n = trial;
      objective.report_move(n);
      return result;
    }
    ++result.halvings;
    part *= 0.5;
  }
  return search_and_move(objective, begin, path, n);
}

bool move_if_safe(const Objective& objective, const NodePath& path, VecX& n) {
  return move_to_end(objective, path, false, n);
}

bool move_if_better(const Objective& objective, const NodePath& path, VecX& n) {
  return move_to_end(objective, path, true, n);
}

StepLength move_towards(const Objective& objective, const VecX& target, VecX& n) {
  const NodePath path = {n, target - n, {}};
  StepLength result;
  result.limit = objective.compute_step_limit(path);
  double alpha = result.limit.alpha;
  for (; result.halvings <= kLineSearch.max_halvings; ++result.halvings, alpha *= 0.5) {
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
