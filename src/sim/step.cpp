#include "sim/step.h"

#include <algorithm>
#include <utility>

#include "core/trace.h"
#include "sim/impacts.h"
#include "sim/projective_start.h"
#include "sim/projective_step.h"
#include "sim/reach_targets.h"
#include "sim/solve_rounds.h"
#include "sim/terms/predict.h"
#include "sim/terms/step_forces.h"

namespace marrow {
namespace {

struct StepHeuristics {
  // The most iterations of a part whose prescribed nodes are held up; after these the nodes stay where they
  // were. [ablation: max_held_up_iterations]
  int max_held_up_iterations = 200;
  // The most halvings of a step that fails: parts of 1/64. [safety net: a step must end]
  int max_halvings = 6;
  // From this many halvings on, joints that only press bodies together stay open. Before that, shorter parts
  // mostly close them. [ablation: leave_joints_open]
  int halvings_to_leave_joints_open = 3;
  // The most parts of a step in which fast bodies meet. [safety net: a step must end]
  int max_parts = 64;
  // A Newton step longer than this many body diagonals means that the solve diverges. [report only]
  double far_away = 1e3;
};
constexpr StepHeuristics kStep;

bool runs_away(const std::vector<IterationRecord>& history, double size) {
  return std::any_of(history.begin(), history.end(), [&](const IterationRecord& r) {
    return r.alpha > 0 && r.alpha * r.change > kStep.far_away * size;
  });
}

void add_motion(const MotionResult& motion, StepReport& report) {
  report.motion_rounds += motion.rounds;
  report.motion_remaining = motion.remaining;
  if (motion.remaining > 0) report.motion_node = motion.farthest;
}

void add_outcome(const SolveOutcome& outcome, StepReport& report) {
  add_report(outcome.newton, report.newton);
  report.friction_rounds = outcome.friction_rounds;
  report.friction_residual = outcome.friction_residual;
}

// Moves n to where the solve starts.
void move_to_start(StepTerms& terms, const StepPlan& plan, VecX& n, StepReport& report) {
  if (terms.projection) return start_at_projection(terms, plan, n, report.projective);
  if (move_to_expected(terms, n)) return;
  predict(terms, plan, n);
}

// Moves n from the state's nodes to the end of the part. Returns true if that succeeded.
bool solve_part(StepTerms& terms, const StepPlan& plan, const Interval& interval, const State& state,
                bool may_leave_joints_open, VecX& n, StepReport& report) {
  // The projective stepper may end a solve early.
  const std::optional<int> few = terms.projection ? terms.model.projective.newton_iterations : std::nullopt;
  int most = few.value_or(terms.model.newton.max_iterations);
  const Points targets = compute_targets(terms, interval.end);
  start_part(terms, plan, interval, state);
  start_at(terms, plan, state, n);
  MotionResult motion = reach_targets(terms, plan, targets, state, n);
  add_report(motion.newton, report.newton);
  add_motion(motion, report);
  if (motion.is_failed) return false;
  const bool is_held_up = motion.remaining > 0;
  const int cheap_steps = report.projective.quasi_newton_iterations;
  move_to_start(terms, plan, n, report);
  // Where no step with the constant matrix was possible, at least one of Newton's must move the bodies.
  const bool needs_newton = report.projective.quasi_newton_iterations == cheap_steps;
  if (needs_newton) most = std::max(most, 1);
  add_outcome(solve_with_friction(terms, plan,
                                  {is_held_up ? std::min(most, kStep.max_held_up_iterations) : most,
                                   may_leave_joints_open, few.has_value()},
                                  n),
              report);
  if (is_success(report.newton.verdict) || !is_held_up) return is_success(report.newton.verdict);

  // The prescribed nodes press without effect: this time they do not move at all.
  n = state.nodes;
  start_at(terms, plan, state, n);
  measure_remaining(terms, targets, n, motion);
  report.motion_remaining = motion.remaining;
  report.motion_node = motion.farthest;
  move_to_start(terms, plan, n, report);
  add_outcome(solve_with_friction(terms, plan, {most, may_leave_joints_open, few.has_value()}, n), report);
  return is_success(report.newton.verdict);
}

// Takes the state to the end of the interval; a part that fails is taken in two halves.
bool advance(StepTerms& terms, const TimeIntegrator& integrator, const Interval& interval, int halvings,
             State& state, StepReport& report) {
  const double h = interval.length;
  update_prescribed(terms, interval.end);
  const bool may_leave_joints_open =
      halvings >= kStep.halvings_to_leave_joints_open || Joints::was_held_up(state.joints);
  const StepPlan plan = integrator.plan(terms.model, terms.is_prescribed, state, h);
  VecX n = state.nodes;
  if (solve_part(terms, plan, interval, state, may_leave_joints_open, n, report)) {
    const State before = state;
    integrator.finish(terms, plan, std::move(n), state);
    add_part_forces(terms, plan, before, state.nodes, h / terms.model.time.step, report.forces);
    if (!terms.joints.is_empty()) {
      state.joints = terms.joints.finish_step(state.nodes);
      add_report(terms.joints.report(), report.joints);
    }
    if (terms.has_contact) state.contact_stiffness = terms.contact.barrier().stiffness() / plan.end_scale;
    state.linear = terms.work.system.memory();
    report.end_scale = plan.end_scale;
    ++report.substeps;
    return true;
  }
  if (halvings == kStep.max_halvings || report.newton.verdict == Verdict::OutOfMemory) {
    report.failed_length = h;
    if (report.newton.verdict == Verdict::OutOfMemory) {
      report.memory_needed = terms.work.system.memory_needed();
    }
    return false;
  }
  // The lengths of the previous step, of the halves and of the next step differ.
  for (const double end : {interval.end - h / 2, interval.end}) {
    forget_history(state);
    if (!advance(terms, integrator, {h / 2, end}, halvings + 1, state, report)) return false;
  }
  forget_history(state);
  return true;
}

// Takes the state to the end of the step, in parts that end where fast bodies meet. Parts use implicit Euler,
// because a rule with a memory, or one that mirrors velocities, is wrong at an impact.
bool advance_over_impacts(StepTerms& terms, const Interval& step, State& state, StepReport& report) {
  const TimeIntegrator& integrator = find_integrator(terms.model.time.integrator);
  double left = step.length;
  for (int parts = 1;; ++parts) {
    const double share = parts < kStep.max_parts ? find_first_part(terms, {left, step.end}, state) : 1;
    if (parts == 1 && share == 1) return advance(terms, integrator, step, 0, state, report);
    const double length = share * left;
    left = share == 1 ? 0 : left - length;
    forget_history(state);
    if (!advance(terms, get_implicit_euler(), {length, step.end - left}, 0, state, report)) return false;
    if (left == 0) break;
  }
  forget_history(state);
  return true;
}

void add_contacts(StepTerms& terms, const State& state, StepReport& report) {
  if (!terms.has_contact) return;
  report.contacts = terms.contact.count_contacts(state.nodes);
  report.smallest_gap = terms.contact.compute_gap(state.nodes);
  report.stiffness = terms.contact.barrier().stiffness();
  report.culling = terms.contact.finder().culling();
}

}  // namespace

StepReport take_step(StepTerms& terms, State& state) {
  if (terms.model.is_unguarded()) return take_unguarded_step(terms, state);
  const trace::Scope scope("step.total");
  const Model& model = terms.model;
  StepReport report;
  report.step = state.step + 1;
  report.time = report.step * model.time.step;
  State next = state;
  if (terms.has_contact) terms.contact.update_activations(next.nodes, next.step == 0, next.activations);
  if (!advance_over_impacts(terms, {model.time.step, report.time}, next, report)) {
    report.history.assign(terms.work.history.begin(), terms.work.history.end());
    report.runs_away = runs_away(report.history, model.size);
    return report;
  }
  state = std::move(next);
  state.step = report.step;
  state.time = report.time;
  add_conserved(model, state, report);
  finish_forces(model.kinematics, state.nodes, report.forces);
  report.joint_states = state.joints.joints;
  report.pulls = terms.grabs.compute_pulls(state.nodes);
  report.energies.springs = terms.joints.compute_spring_energy(state.nodes);
  add_contacts(terms, state, report);
  return report;
}

}  // namespace marrow
