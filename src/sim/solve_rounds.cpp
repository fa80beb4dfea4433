#include "sim/solve_rounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kinematics/charts.h"
#include "sim/terms/predict.h"
#include "sim/terms/step_forces.h"

namespace marrow {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct RoundHeuristics {
  // The most solves of a step if friction is solved until it converges. [safety net: a step must end]
  int max_friction_rounds = 100;
  // Friction ends after this many rounds in a row that do not reduce the least residual so far to the second
  // number, a fraction of it. The forces of one round then require the motion of the round before, back and
  // forth, as in impacts, and more rounds would not change that. [safety net: only where
  // contact.friction_iterations is −1]
  int max_idle_friction_rounds = 10;
  double friction_progress = 0.5;
  // Joints press if a solve with stronger joints leaves more than the first fraction of their residual, and
  // less than the second fraction of the smallest gap. [ablation: joints_press]
  double pressing_residual = 0.9;
  double pressing_gap = 0.5;
};
constexpr RoundHeuristics kRounds;

// The result of a solve with joints.
struct JointRound {
  double residual = kInfinity;  // largest distance of a joint from holding [m]
  double gap = kInfinity;       // the smallest [m]

  // True if joints, stronger than in the last round, hardly hold better, but bodies in contact are closer.
  bool is_pressing(const JointRound& last) const {
    return residual > kRounds.pressing_residual * last.residual && gap < kRounds.pressing_gap * last.gap &&
           std::isfinite(last.residual);
  }
};

NewtonProblem make_problem(StepTerms& terms, const StepPlan& plan, const SolveLimits& limits) {
  NewtonProblem problem = {.is_fixed = terms.is_prescribed,
                           .limits = {.stop_length = terms.model.stop_length(plan.length),
                                      .iterations = limits.iterations,
                                      .may_be_cut_short = limits.may_be_cut_short,
                                      .balance = &terms.balance},
                           .kinematics = &terms.model.kinematics,
                           .least_turn = find_least_turn(terms, plan),
                           .restraint = terms.restraint.length > 0 ? &terms.restraint : nullptr};
  add_contact_watch(terms, problem);
  return problem;
}

// The imbalance that the friction forces at n leave, if those before were balanced.
struct FrictionChange {
  Imbalance forces;
  double velocity = 0;  // largest remaining change of a body's velocity [m/s]
};

FrictionChange find_friction_change(StepTerms& terms, const StepPlan& plan, const VecX& n) {
  VecX& gradient = terms.work.gradient;
  terms.objective.compute_gradient(n, gradient);
  clear_fixed(terms.is_prescribed, gradient);
  return {terms.balance.assess(n, gradient),
          terms.balance.compute_velocity_error(gradient, plan.length / plan.end_scale)};
}

}  // namespace

void add_contact_watch(StepTerms& terms, NewtonProblem& problem) {
  if (!terms.has_contact) return;
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
  record_contact_forces(terms, plan, n);
  if (!terms.has_contact || !terms.contact.has_friction()) return outcome;
  const int wanted = terms.model.contact.friction_iterations;
  const int most = wanted < 0 ? kRounds.max_friction_rounds : wanted;
  outcome.friction_rounds = 1;
  double smallest = kInfinity;
  for (int idle_rounds = 0; is_success(outcome.newton.verdict);) {
    terms.contact.update_friction(n, terms.contact.barrier().stiffness());
    const FrictionChange change = find_friction_change(terms, plan, n);
    outcome.friction_residual = change.velocity;
    idle_rounds = change.forces.body <= kRounds.friction_progress * smallest ? 0 : idle_rounds + 1;
    if (idle_rounds == 0) smallest = change.forces.body;
    const bool is_enough = change.forces.is_balanced() || outcome.friction_rounds >= most ||
                           idle_rounds >= kRounds.max_idle_friction_rounds;
    if (is_enough) break;
    add_report(solve_with_joints(terms, plan, limits, n), outcome.newton);
    record_contact_forces(terms, plan, n);
    ++outcome.friction_rounds;
  }
  return outcome;
}

// If a motor cannot reach its target, its joint is left open immediately. In an impact of jointed bodies
// shorter steps help. If they did not help, or had not before, the joints are left open as well. In both
// cases n goes back to the end of the first solve.
NewtonReport solve_with_joints(StepTerms& terms, const StepPlan& plan, const SolveLimits& limits, VecX& n) {
  const NewtonProblem problem = make_problem(terms, plan, limits);
  Joints& joints = terms.joints;
  terms.contact.start_solve();
  joints.start_solves();
  NewtonReport total;
  VecX first;  // the end of the first of them
  JointRound last;
  while (true) {
    add_report(minimize(terms.objective, problem, n, terms.work), total);
    if (joints.is_empty()) return total;
    const bool is_solved = is_success(total.verdict);
    if (!is_solved && first.size() == 0) return total;
    const bool wants_more = is_solved && joints.tighten(n);
    const JointRound now = {joints.report().residual,
                            terms.has_contact ? terms.contact.compute_gap(n) : kInfinity};
    if (!is_solved || now.is_pressing(last)) {
      if (total.verdict == Verdict::OutOfMemory) return total;
      const bool may_stay_open = limits.may_leave_joints_open || joints.report().is_motor;
      const NodePath back = {n, first - n, find_turns(terms.model.kinematics, n, first)};
      // If the path back is not safe, the end of a solve is as good, though bodies are pressed harder.
      const bool stays_open = may_stay_open && (move_if_safe(terms.objective, back, n) || is_solved);
      total.verdict = stays_open ? Verdict::Converged : Verdict::JointsPress;
      if (stays_open) joints.accept_open();
      return total;
    }
    if (!wants_more) return total;
    if (first.size() == 0) first = n;
    last = now;
  }
}

}  // namespace marrow
