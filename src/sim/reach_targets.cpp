#include "sim/reach_targets.h"

#include <algorithm>
#include <utility>

#include "sim/solve_rounds.h"
#include "sim/terms/predict.h"

namespace marrow {
namespace {

struct MotionHeuristics {
  // The most rounds of a pull, and Newton iterations per round. [safety net: most pulls end after a few of
  // each]
  int max_pull_rounds = 30;
  int max_pull_iterations = 100;
  // A round ends after this many steps in a row that press without effect. More: longer pulls when the motion
  // is held up. [ablation: max_creeping_pulls]
  int max_creeping_pulls = 2;
  // Steps below this fraction of the smallest body per second end a round [1/s]. Rounds need not be exact,
  // because more rounds follow, and the solve of the step follows the last. [ablation: pull_tolerance]
  double pull_tolerance = 1e-2;
  // From this fraction of the path to the targets on, multipliers are raised, not the stiffness. [ablation:
  // nearly_arrived]
  double nearly_arrived = 0.99;
  // From this fraction of the path on, the pull ends, and a push covers the rest. [ablation: arrived]
  double arrived = 0.999;
  // Nodes count as held up after this many rounds in a row that reduce the remaining distance by less than
  // the second number, a fraction of it. More: longer pulls. [ablation: max_idle_rounds]
  int max_idle_rounds = 2;
  double idle_progress = 0.02;
  // The κ that resists a pull at d̂/2, over its force times d̂. [derived: one over the slope at d̂/2 of the
  // barrier of unit stiffness, times d̂]
  double barrier_share = 0.23;
  // The smallest gap at which prescribed nodes are pushed although they may not arrive, in d̂. A push ignores
  // forces, and would consume the remaining gaps step by step. [ablation: push_if_room]
  double room = 0.5;
  // Prescribed points closer to their targets than this, relative to the smallest body, have arrived.
  // [derived: above the rounding of coordinates 10⁶ body sizes from the origin (10⁶ 2⁻⁵³ ≈ 10⁻¹⁰), and below
  // a thousandth of what Newton leaves open at the default tolerance and h = 1 ms]
  double tolerance = 1e-9;
};
constexpr MotionHeuristics kMotion;

double get_distance(const StepTerms& terms, const Points& targets, const VecX& n, size_t k) {
  return (n.segment<3>(3 * terms.prescribed[k]) - targets[k]).norm();
}

// The largest distance of a prescribed node from its target.
double compute_remaining(const StepTerms& terms, const Points& targets, const VecX& n) {
  double largest = 0;
  for (size_t k = 0; k < targets.size(); ++k) {
    largest = std::max(largest, get_distance(terms, targets, n, k));
  }
  return largest;
}

// Moves the prescribed nodes to their targets (except for rounding) if the whole path is safe: either alone,
// or together with the other nodes, which move to their prediction. Small elements let no node move alone,
// but their other nodes often move along.
void try_direct_move(const StepTerms& terms, const StepPlan& plan, const Points& targets, VecX& n) {
  if (targets.empty()) return;
  NodePath alone = {n, VecX::Zero(n.size()), {}};
  for (size_t k = 0; k < targets.size(); ++k) {
    const Index node = terms.prescribed[k];
    alone.direction.segment<3>(3 * node) = targets[k] - n.segment<3>(3 * node);
  }
  if (alone.direction.isZero(0) || move_if_safe(terms.objective, alone, n)) return;
  move_if_safe(terms.objective, find_expected_path(terms, plan, n, targets), n);
}

// Moves the prescribed nodes straight towards their targets as far as is safe; returns the fraction covered.
double move_until_contact(const StepTerms& terms, const Points& targets, VecX& n) {
  if (targets.empty()) return 1;
  VecX target = n;
  for (size_t k = 0; k < targets.size(); ++k) target.segment<3>(3 * terms.prescribed[k]) = targets[k];
  if (target == n) return 1;
  return move_towards(terms.objective, target, n).alpha;
}

// Pushes the prescribed nodes unless gaps are small already. Returns true if they arrived. A push may leave a
// tenth of a gap, and the push of the next step a tenth of that, until nothing can move any more.
bool push_if_room(StepTerms& terms, const Points& targets, VecX& n) {
  const auto is_there = [&] {
    return compute_remaining(terms, targets, n) <= kMotion.tolerance * terms.model.size;
  };
  const auto has_room = [&] {
    return terms.contact.compute_gap(n) >= kMotion.room * terms.model.contact.d_hat;
  };
  return (!terms.has_contact || is_there() || has_room()) && move_until_contact(terms, targets, n) == 1;
}

// True if a stronger pull may be tried. Obstacles are excluded: each of their points is drawn by itself, and
// their shape would yield before the pressed bodies do.
bool can_brace(const StepTerms& terms, const Points& targets, const VecX& n) {
  if (!terms.has_contact || terms.model.contact.kappa || terms.model.contact.is_by_area) return false;
  const ScalarMatrix lumped = lump_rows(terms.model.mass);
  for (size_t k = 0; k < targets.size(); ++k) {
    const Index node = terms.prescribed[k];
    if (lumped.values[node] == 0 && n.segment<3>(3 * node) != targets[k]) return false;
  }
  return true;
}

// Raises κ so that the barrier resists the pull at half the activation distance. A pull much stronger than
// the barrier can press gaps to nothing before the bodies in the way have moved.
void raise_stiffness(StepTerms& terms, double usual, const VecX& n) {
  const double needed =
      kMotion.barrier_share * terms.pull.compute_largest_force(n) * terms.model.contact.d_hat;
  terms.contact.barrier().set_stiffness(std::max(usual, needed));
}

NewtonProblem make_pull_problem(StepTerms& terms, const StepPlan& plan, const std::vector<char>& is_held) {
  const Model& model = terms.model;
  NewtonProblem problem = {
      .is_fixed = is_held,
      .limits = {.stop_length = std::max(model.stop_length(plan.length),
                                         kMotion.pull_tolerance * model.size * std::min(plan.length, 1.0)),
                 .iterations = kMotion.max_pull_iterations,
                 .creeping_steps = kMotion.max_creeping_pulls},
      .kinematics = &model.kinematics,
      .least_turn = find_least_turn(terms, plan)};
  add_contact_watch(terms, problem);
  return problem;
}

// A round that was cut short, or whose last decrease was lost in the rounding of the pull, still made
// progress.
bool has_failed(Verdict verdict) {
  return verdict == Verdict::LinearSolveFailed || verdict == Verdict::OutOfMemory;
}

// Draws the nodes to their targets, round after round. Returns true if they arrived. They are not pushed
// meanwhile: a push ignores forces and would only consume the remaining gaps.
bool pull(StepTerms& terms, const StepPlan& plan, const Points& targets, bool is_braced, VecX& n,
          MotionResult& result) {
  // Nodes at their targets stay there, above all those of obstacles that do not move.
  std::vector<char> is_held(terms.is_prescribed.size(), 0);
  for (size_t k = 0; k < targets.size(); ++k) {
    is_held[terms.prescribed[k]] = n.segment<3>(3 * terms.prescribed[k]) == targets[k] ? 1 : 0;
  }
  const NewtonProblem problem = make_pull_problem(terms, plan, is_held);
  const double whole = compute_remaining(terms, targets, n);
  const double usual = terms.contact.barrier().stiffness();
  double remaining = whole;
  int idle_rounds = 0;
  for (int round = 0; round < kMotion.max_pull_rounds; ++round) {
    ++result.rounds;
    if (is_braced) raise_stiffness(terms, usual, n);
    add_report(minimize(terms.objective, problem, n, terms.work), result.newton);
    result.is_failed = has_failed(result.newton.verdict);
    if (result.is_failed) return false;
    const double before = std::exchange(remaining, compute_remaining(terms, targets, n));
    if (remaining <= (1 - kMotion.arrived) * whole) return true;
    idle_rounds = remaining > (1 - kMotion.idle_progress) * before ? idle_rounds + 1 : 0;
    if (idle_rounds == kMotion.max_idle_rounds) return false;
    terms.pull.tighten(n, remaining > (1 - kMotion.nearly_arrived) * whole);
  }
  return false;
}

void pull_and_push(StepTerms& terms, const StepPlan& plan, const Points& targets, bool is_braced, VecX& n,
                   MotionResult& result) {
  const double usual = terms.contact.barrier().stiffness();
  terms.pull.reset(targets);
  terms.objective.set_weight(terms.pull, 1);
  const bool has_arrived = pull(terms, plan, targets, is_braced, n, result);
  terms.objective.set_weight(terms.pull, 0);
  if (result.is_failed) return;
  terms.contact.barrier().set_stiffness(usual);
  if (has_arrived) {
    move_until_contact(terms, targets, n);
  } else {
    push_if_room(terms, targets, n);
  }
  measure_remaining(terms, targets, n, result);
}

}  // namespace

Points compute_targets(const StepTerms& terms, double time) {
  Points targets;
  targets.reserve(terms.prescribed.size());
  for (const PrescribedNodes& group : terms.model.prescribed) {
    if (!group.is_active(time)) continue;
    const Points positions = compute_positions(group, time);
    targets.insert(targets.end(), positions.begin(), positions.end());
  }
  return targets;
}

void measure_remaining(const StepTerms& terms, const Points& targets, const VecX& n, MotionResult& result) {
  result.remaining = compute_remaining(terms, targets, n);
  if (result.remaining <= kMotion.tolerance * terms.model.size) result.remaining = 0;
  for (size_t k = 0; k < targets.size() && result.remaining > 0; ++k) {
    if (get_distance(terms, targets, n, k) == result.remaining) result.farthest = terms.prescribed[k];
  }
}

MotionResult reach_targets(StepTerms& terms, const StepPlan& plan, const Points& targets, const State& state,
                           VecX& n) {
  MotionResult result;
  try_direct_move(terms, plan, targets, n);
  if (push_if_room(terms, targets, n)) return result;
  pull_and_push(terms, plan, targets, false, n, result);
  if (result.is_failed || result.remaining == 0 || !can_brace(terms, targets, state.nodes)) return result;
  n = state.nodes;
  start_at(terms, plan, state, n);
  push_if_room(terms, targets, n);
  pull_and_push(terms, plan, targets, true, n, result);
  return result;
}

}  // namespace marrow
