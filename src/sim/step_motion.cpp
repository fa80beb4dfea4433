// How prescribed nodes get to their targets within a step (docs/models/time_step.md, prescribed points).
#include <algorithm>
#include <limits>
#include <utility>

#include "sim/step.h"

namespace marrow {
namespace {

constexpr int kMaxPullRounds = 30;
constexpr int kMaxPullIterations = 100;  // a round
constexpr int kMaxCreepingPulls = 2;     // in a row that press where nothing gives way
constexpr double kPullTolerance = 1e-2;  // of the body a second: rounds need not be exact

// The parts of the way to the targets at which multipliers are raised, not the stiffness, and at which the
// pull ends.
constexpr double kNearlyArrived = 0.99;
constexpr double kArrived = 0.999;

// Rounds in a row that bring nodes nearer to their targets by less than this part, after which they count as
// held up.
constexpr int kMaxIdleRounds = 2;
constexpr double kIdleProgress = 0.02;

// One over the slope of the barrier of unit stiffness at d̂/2, times d̂.
constexpr double kBarrierShare = 0.23;

// The smallest gap from which prescribed nodes are pushed without knowing if they get there, in d̂.
constexpr double kRoom = 0.5;

// Prescribed points nearer to their targets than this, relative to the body, have arrived.
constexpr double kMotionTolerance = 1e-9;

// The nodes prescribed in steps that end at this time.
std::vector<Index> list_prescribed(const Model& model, double time) {
  std::vector<Index> nodes;
  for (const PrescribedNodes& group : model.prescribed) {
    if (!group.is_active(time)) continue;
    nodes.insert(nodes.end(), group.nodes.begin(), group.nodes.end());
  }
  return nodes;
}

// What a prescribed node weighs in the pull; nodes without mass (obstacles) count as an average one.
std::vector<double> compute_pull_masses(const Model& model, const std::vector<Index>& nodes) {
  const ScalarMatrix lumped = lump_rows(model.mass);
  double total = 0;
  for (const double mass : lumped.values) total += mass;
  const double average = total > 0 ? total / model.mass.rows() : 1;
  std::vector<double> masses;
  for (const Index node : nodes) masses.push_back(lumped.values[node] > 0 ? lumped.values[node] : average);
  return masses;
}

std::vector<char> flag_nodes(const std::vector<Index>& nodes, Index node_count) {
  std::vector<char> flags(static_cast<size_t>(node_count), 0);
  for (const Index node : nodes) flags[node] = 1;
  return flags;
}

}  // namespace

// Where nodes cannot go straight to their targets, draws them there with the rest of the body free to follow.
// They are pushed no further meanwhile: a push knows no forces and would only use up the gaps.
NewtonReport Stepper::pull_prescribed(const Points& targets, double h, bool is_braced, VecX& n,
                                      StepReport& report) {
  pull_.reset(targets);
  // What is where it should be stays there: obstacles that do not move, above all.
  std::vector<char> is_held(is_prescribed_.size(), 0);
  for (size_t k = 0; k < prescribed_.size(); ++k) {
    is_held[prescribed_[k]] = n.segment<3>(3 * prescribed_[k]) == targets[k] ? 1 : 0;
  }
  const NewtonLimits limits = {
      .stop_length = std::max(model_.stop_length(h), kPullTolerance * model_.size * std::min(h, 1.0)),
      .iterations = kMaxPullIterations,
      .creeping_steps = kMaxCreepingPulls};
  const double whole = compute_remaining(targets, n);
  double remaining = whole;
  int idle_rounds = 0;
  bool has_arrived = false;
  const double usual = contact_.barrier().stiffness();
  NewtonReport total;
  for (int round = 0; round < kMaxPullRounds; ++round) {
    ++report.motion_rounds;
    if (is_braced) brace_against_pull(usual, n);
    add_report(minimize(pulled_objective_, is_held, limits, n, work_), total);
    // A round that was cut short, or whose last decrease drowned in the pull's rounding, has still come
    // nearer.
    const bool is_cut_short =
        total.verdict == Verdict::TooManyIterations || total.verdict == Verdict::NoDescent;
    if (is_cut_short) total.verdict = Verdict::Converged;
    if (!is_success(total.verdict)) return total;
    const double before = std::exchange(remaining, compute_remaining(targets, n));
    has_arrived = remaining <= (1 - kArrived) * whole;
    if (has_arrived) break;
    idle_rounds = remaining > (1 - kIdleProgress) * before ? idle_rounds + 1 : 0;
    if (idle_rounds == kMaxIdleRounds) break;
    pull_.tighten(n, remaining > (1 - kNearlyArrived) * whole);
  }
  contact_.barrier().set_stiffness(usual);
  if (has_arrived) {
    push_prescribed(targets, n);
  } else {
    push_if_room(targets, n);
  }
  report_remaining(targets, n, report);
  return total;
}

// Whether a stronger pull may be tried. Not of obstacles: their points are drawn each by itself, and the
// shape would give way before what is pressed does.
bool Stepper::can_brace(const Points& targets, const VecX& n) const {
  if (!has_contact_ || model_.contact.kappa) return false;
  const ScalarMatrix lumped = lump_rows(model_.mass);
  for (size_t k = 0; k < prescribed_.size(); ++k) {
    const bool is_obstacle = lumped.values[prescribed_[k]] == 0;
    if (is_obstacle && n.segment<3>(3 * prescribed_[k]) != targets[k]) return false;
  }
  return true;
}

// κ that holds the pull off at half the activation distance: a pull much stronger than the barrier can press
// gaps to nothing before what is in the way has moved.
void Stepper::brace_against_pull(double usual, const VecX& n) {
  const double needed = kBarrierShare * pull_.compute_largest_force(n) * model_.contact.d_hat;
  contact_.barrier().set_stiffness(std::max(usual, needed));
}

// Moves the prescribed nodes to their targets (but for rounding) if all that way is safe: either alone, or
// together with the others, these to where inertia leads. Small elements let no node move alone, but their
// other nodes often move along.
void Stepper::carry_prescribed(const StepPlan& plan, const Points& targets, VecX& n) const {
  if (prescribed_.empty()) return;
  NodePath alone = {n, VecX::Zero(n.size()), {}};
  for (size_t k = 0; k < prescribed_.size(); ++k) {
    const Index node = prescribed_[k];
    alone.direction.segment<3>(3 * node) = targets[k] - n.segment<3>(3 * node);
  }
  if (alone.direction.isZero(0) || move_if_safe(objective_, alone, n)) return;
  NodePath together = find_expected_path(plan, n);
  together.direction += alone.direction;
  move_if_safe(objective_, together, n);
}

// Pushes them unless gaps are small already; whether they arrived. A push may leave a tenth of a gap, and
// that of the next step a tenth of the tenth, until nothing can move any more.
bool Stepper::push_if_room(const Points& targets, VecX& n) const {
  const auto is_there = [&] { return compute_remaining(targets, n) <= kMotionTolerance * model_.size; };
  const auto has_room = [&] { return contact_.compute_gap(n) >= kRoom * model_.contact.d_hat; };
  return (!has_contact_ || is_there() || has_room()) && push_prescribed(targets, n) == 1;
}

// Moves the prescribed nodes straight towards their targets as far as is safe; returns the fraction covered.
double Stepper::push_prescribed(const Points& targets, VecX& n) const {
  if (prescribed_.empty()) return 1;
  VecX target = n;
  for (size_t k = 0; k < prescribed_.size(); ++k) target.segment<3>(3 * prescribed_[k]) = targets[k];
  if (target == n) return 1;
  return move_towards(objective_, target, n).alpha;
}

// The largest distance of a prescribed node from its target.
double Stepper::compute_remaining(const Points& targets, const VecX& n) const {
  double largest = 0;
  for (size_t k = 0; k < prescribed_.size(); ++k) {
    largest = std::max(largest, (n.segment<3>(3 * prescribed_[k]) - targets[k]).norm());
  }
  return largest;
}

// Says which prescribed node is how far from its target, unless all have arrived.
void Stepper::report_remaining(const Points& targets, const VecX& n, StepReport& report) const {
  report.motion_remaining = compute_remaining(targets, n);
  if (report.motion_remaining <= kMotionTolerance * model_.size) report.motion_remaining = 0;
  for (size_t k = 0; k < prescribed_.size() && report.motion_remaining > 0; ++k) {
    const bool is_farthest =
        (n.segment<3>(3 * prescribed_[k]) - targets[k]).norm() == report.motion_remaining;
    if (is_farthest) report.motion_node = prescribed_[k];
  }
}

Points Stepper::compute_targets(double time) const {
  Points targets;
  targets.reserve(prescribed_.size());
  for (const PrescribedNodes& group : model_.prescribed) {
    if (!group.is_active(time)) continue;
    const Points positions = compute_positions(group, time);
    targets.insert(targets.end(), positions.begin(), positions.end());
  }
  return targets;
}

// Lets go of the nodes whose time has come.
void Stepper::update_prescribed(double time) {
  std::vector<Index> active = list_prescribed(model_, time);
  if (active == prescribed_) return;
  prescribed_ = std::move(active);
  is_prescribed_ = flag_nodes(prescribed_, model_.kinematics.node_count);
  pull_ = PrescribedPull(prescribed_, compute_pull_masses(model_, prescribed_), model_.kinematics.node_count);
}

}  // namespace marrow
