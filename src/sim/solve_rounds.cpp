#include "sim/solve_rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kinematics/charts.h"
#include "sim/predict.h"

namespace marrow {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr int kMaxFrictionRounds = 100;  // where friction is solved until it converges

// Friction rounds in a row that do not halve the least residual so far: the forces of one round call for the
// motion of the one before, back and forth, as in impacts, and more rounds would not change that.
constexpr int kMaxIdleFrictionRounds = 10;

// Where a solve with joints has ended.
struct JointRound {
  double residual = kInfinity;  // the farthest that one is from holding [m]
  double gap = kInfinity;       // the smallest [m]

  // Stronger joints than in the last one hold hardly better, but what touches is nearer.
  bool is_pressing(const JointRound& last) const {
    return residual > 0.9 * last.residual && gap < 0.5 * last.gap && std::isfinite(last.residual);
  }
};

NewtonProblem make_problem(StepTerms& terms, const StepPlan& plan, int iterations) {
  NewtonProblem problem = {
      .is_fixed = terms.is_prescribed,
      .limits = {.stop_length = find_stop_length(terms, plan), .iterations = iterations},
      .kinematics = &terms.model.kinematics,
      .least_turn = find_least_turn(terms, plan)};
  add_contact_watch(terms, problem);
  return problem;
}

// By how much the velocities would still change, were the part solved again with the friction forces at n.
double compute_friction_residual(StepTerms& terms, double h, const VecX& n) {
  if (terms.contact.friction().contact_count() == 0) return 0;
  NewtonWork& work = terms.work;
  terms.objective.compute_gradient(n, work.gradient);
  clear_fixed(terms.is_prescribed, work.gradient);
  if (!work.system.solve_again(n, work.gradient)) return 0;
  return work.system.direction().lpNorm<Eigen::Infinity>() / h;
}

}  // namespace

void add_contact_watch(StepTerms& terms, NewtonProblem& problem) {
  if (!terms.has_contact) return;
  problem.limits.is_settled = [&terms](const VecX& n) { return terms.contact.is_settled(n); };
  problem.after_iteration = [&terms](const VecX& n, const StepLength& length, IterationRecord& record) {
    ContactTerms& contact = terms.contact;
    record.contacts = contact.count_contacts(n);
    record.smallest_gap = contact.compute_gap(n);
    record.stiffness = contact.barrier().stiffness();
    return contact.watch_iteration(n, length);
  };
}

SolveOutcome solve_with_friction(StepTerms& terms, const StepPlan& plan, const SolveLimits& limits, VecX& n) {
  SolveOutcome outcome;
  outcome.newton = solve_with_joints(terms, plan, limits, n);
  if (!terms.has_contact || !terms.contact.has_friction()) return outcome;
  // Where nothing was solved before, the first solve only finds the forces.
  const ContactModel& model = terms.model.contact;
  const int least = terms.previous_stiffness > 0 ? 1 : 2;
  const int wanted = model.friction_iterations < 0 ? -1 : std::max(model.friction_iterations, least);
  const double tolerance = model.friction_tolerance * terms.model.size;
  outcome.friction_rounds = 1;
  double smallest = kInfinity;
  int idle_rounds = 0;
  while (is_success(outcome.newton.verdict)) {
    terms.contact.update_friction(n, terms.contact.barrier().stiffness());
    outcome.friction_residual = compute_friction_residual(terms, plan.length, n);
    idle_rounds = outcome.friction_residual <= 0.5 * smallest ? 0 : idle_rounds + 1;
    if (idle_rounds == 0) smallest = outcome.friction_residual;
    const bool is_enough = wanted >= 0 ? outcome.friction_rounds >= wanted
                                       : outcome.friction_residual <= tolerance ||
                                             outcome.friction_rounds >= kMaxFrictionRounds ||
                                             idle_rounds >= kMaxIdleFrictionRounds;
    if (is_enough) break;
    add_report(solve_with_joints(terms, plan, limits, n), outcome.newton);
    ++outcome.friction_rounds;
  }
  return outcome;
}

// What a motor cannot do is left so at once. In an impact of jointed bodies shorter steps help; where they did
// not, or had not before, it goes back to where the first solve ended as well.
NewtonReport solve_with_joints(StepTerms& terms, const StepPlan& plan, const SolveLimits& limits, VecX& n) {
  const NewtonProblem problem = make_problem(terms, plan, limits.iterations);
  Joints& joints = terms.joints;
  terms.contact.start_solve();
  joints.start_solves();
  NewtonReport total;
  VecX first;  // where the first of them has ended
  JointRound last;
  while (true) {
    add_report(minimize(terms.objective, problem, n, terms.work), total);
    if (joints.is_empty()) return total;
    const bool is_solved = is_success(total.verdict);
    if (!is_solved && first.size() == 0) return total;
    const bool wants_more = is_solved && joints.tighten(n);
    const JointRound now = {joints.report().residual, terms.has_contact ? terms.contact.compute_gap(n) : kInfinity};
    if (!is_solved || now.is_pressing(last)) {
      const bool stays_open = limits.may_leave_joints_open || joints.report().is_motor;
      total.verdict = stays_open ? Verdict::Converged : Verdict::JointsPress;
      if (!stays_open) return total;
      move_if_safe(terms.objective, {n, first - n, find_turns(terms.model.kinematics, n, first)}, n);
      joints.yield();
      return total;
    }
    if (!wants_more) return total;
    if (first.size() == 0) first = n;
    last = now;
  }
}

}  // namespace marrow
