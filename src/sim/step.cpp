#include "sim/step.h"

#include <cmath>

#include "core/trace.h"

namespace marrow {
namespace {

constexpr int kMaxPullRounds = 30;
constexpr int kMaxPullIterations = 100;  // a round

// Prescribed points nearer to their targets than this, relative to the body, have arrived.
constexpr double kMotionTolerance = 1e-9;

std::vector<Index> list_prescribed(const Model& model) {
  std::vector<Index> nodes;
  for (const PrescribedNodes& group : model.prescribed) {
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

}  // namespace

Stepper::Stepper(const Model& model, const VecX& initial_nodes)
    : model_(model),
      initial_nodes_(initial_nodes),
      prescribed_(list_prescribed(model)),
      is_prescribed_(static_cast<size_t>(model.kinematics.node_count), 0),
      is_free_(static_cast<size_t>(model.kinematics.node_count), 0),
      inertia_(model.mass),
      elasticity_(model.kinematics.elements, model.materials, model.kinematics.node_count),
      gravity_(model.mass, model.gravity, initial_nodes),
      pull_(prescribed_, compute_pull_masses(model, prescribed_), model.kinematics.node_count),
      objective_(model.kinematics.node_count),
      pulled_objective_(model.kinematics.node_count) {
  const double h2 = model.time.step * model.time.step;
  for (Objective* objective : {&objective_, &pulled_objective_}) {
    objective->add_term(inertia_, 1);
    objective->add_term(elasticity_, h2);
    objective->add_term(gravity_, h2);
  }
  pulled_objective_.add_term(pull_, 1);
  for (const Index node : prescribed_) is_prescribed_[node] = 1;
  work_.solver = make_linear_solver(model.linear, model.kinematics.node_count);
}

StepReport Stepper::step(State& state) {
  const trace::Scope scope("step.total");
  const double h = model_.time.step;
  StepReport report;
  report.step = state.step + 1;
  report.time = report.step * h;

  // Solve from the present positions.
  VecX n = state.nodes;
  inertia_.set_target(state.nodes + h * state.velocities);
  report.newton = solve_step(state, n, report);
  if (!is_success(report.newton.verdict)) return report;

  // Take the result over.
  state.velocities = (n - state.nodes) / h;
  state.nodes = std::move(n);
  state.step = report.step;
  state.time = report.time;
  add_conserved(model_, state, initial_nodes_, report);
  return report;
}

NewtonReport Stepper::solve_step(const State& state, VecX& n, StepReport& report) {
  const Points targets = compute_targets((state.step + 1) * model_.time.step);
  NewtonReport total;
  if (push_prescribed(targets, n) < 1) total = pull_prescribed(targets, n, report);
  if (!is_success(total.verdict)) return total;
  add_report(
      minimize(objective_, is_prescribed_, model_.stop_length(), model_.newton.max_iterations, n, work_),
      total);
  return total;
}

// Where nodes cannot go straight to their targets, draws them there with the rest of the body free to follow.
NewtonReport Stepper::pull_prescribed(const Points& targets, VecX& n, StepReport& report) {
  pull_.reset(targets);
  NewtonReport total;
  while (report.motion_rounds < kMaxPullRounds) {
    ++report.motion_rounds;
    add_report(minimize(pulled_objective_, is_free_, model_.stop_length(), kMaxPullIterations, n, work_),
               total);
    // A round that was cut short has still come nearer.
    if (total.verdict == Verdict::TooManyIterations) total.verdict = Verdict::Converged;
    if (!is_success(total.verdict)) return total;
    const double fraction = push_prescribed(targets, n);
    report.motion_remaining = compute_remaining(targets, n);
    if (report.motion_remaining <= kMotionTolerance * model_.size) return total;
    pull_.tighten(n, fraction < 0.5);
  }
  return total;
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

Points Stepper::compute_targets(double time) const {
  Points targets;
  targets.reserve(prescribed_.size());
  for (const PrescribedNodes& group : model_.prescribed) {
    for (const Vec3& X : group.initial) targets.push_back(compute_position(group.motion, X, time));
  }
  return targets;
}

}  // namespace marrow
