#include "sim/step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/trace.h"
#include "sim/hold_velocities.h"

namespace marrow {
namespace {

// Iterations granted to a step whose prescribed nodes are held up, before these stay where they were.
constexpr int kMaxHeldUpIterations = 200;

constexpr int kMaxHalvings = 6;          // of a step that fails
constexpr int kHalvingsToYield = 3;      // after so many, joints are left open
constexpr int kMaxFrictionRounds = 100;  // where friction is solved until it converges

// Friction rounds in a row that do not halve the least residual so far: the forces of one round call for the
// motion of the one before, back and forth, as in impacts, and more rounds would not change that.
constexpr int kMaxIdleFrictionRounds = 10;

// A Newton step of this many bodies' sizes leads nowhere.
constexpr double kFarAway = 1e3;

// Of a stiff body in a step [rad].
constexpr double kFarTurn = 1;

// A turn by θ that stretches an affine body costs, over its own kinetic energy, (θ h c/r)² with c the strain
// speed. It is bent where that is more than a few ten-thousandths; r is half the smallest body's size or
// more.
constexpr double kSmallTurn = 0.005;

// The largest √(2κV/m) of affine bodies: how fast strain spreads in them [m/s]. 1 if there are none.
double compute_strain_speed(const Model& model) {
  double largest = 1;
  const Elements& elements = model.kinematics.elements;
  size_t next = 0;
  for (const Body& body : model.kinematics.bodies) {
    if (body.kind != BodyKind::Affine) continue;
    const size_t e = model.kinematics.affine_elements[next++];
    const double stiffness = model.materials[elements.materials[e]].lame_mu / 4 * elements.volumes[e];
    const double mass = 4 * body.mass.values.front();  // four equal nodes
    largest = std::max(largest, std::sqrt(2 * stiffness / mass));
  }
  return largest;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where a solve with joints has ended.
struct JointRound {
  double residual = kInfinity;  // the farthest that one is from holding [m]
  double gap = kInfinity;       // the smallest [m]

  // Stronger joints than in the last one hold hardly better, but what touches is nearer.
  bool is_pressing(const JointRound& last) const {
    return residual > 0.9 * last.residual && gap < 0.5 * last.gap && std::isfinite(last.residual);
  }
};

void forget_previous(State& state) {
  state.previous_nodes.resize(0);
  state.previous_velocities.resize(0);
}

bool runs_away(const std::vector<IterationRecord>& history, double size) {
  return std::any_of(history.begin(), history.end(), [&](const IterationRecord& r) {
    return r.alpha > 0 && r.alpha * r.change > kFarAway * size;
  });
}

// What keeps the shape of affine bodies is not carried over: it would have to turn with them, and holding
// them in shape at the end of the step is enough.
void clear_shape_forces(const Kinematics& kinematics, VecX& gradient) {
  for (const Body& body : kinematics.bodies) {
    if (is_stiff(body.kind)) gradient.segment(3 * body.first_node, 3 * body.node_count).setZero();
  }
}

}  // namespace

Stepper::Stepper(const Model& model, const VecX& initial_nodes)
    : model_(model),
      has_contact_(keeps_any_apart(model)),
      strain_speed_(compute_strain_speed(model)),
      initial_nodes_(initial_nodes),
      is_prescribed_(static_cast<size_t>(model.kinematics.node_count), 0),
      inertia_(model.mass),
      elastic_(model.kinematics, model.materials),
      gravity_(model.mass, model.gravity, initial_nodes),
      loads_(model.loads, initial_nodes),
      pull_({}, {}, model.kinematics.node_count),
      joints_(model.joints, model.joint_options, model.size, model.kinematics.node_count),
      node_stiffness_(compute_node_stiffness(model, initial_nodes, elastic_)),
      contact_(model, compute_resistances(model, node_stiffness_)),
      objective_(model.kinematics.node_count),
      pulled_objective_(model.kinematics.node_count) {
  for (const PressureLoad& load : model.pressures)
    pressures_.push_back(std::make_unique<Pressure>(model.kinematics, load));
  update_prescribed(0);
  for (Objective* objective : {&objective_, &pulled_objective_}) {
    objective->add_term(inertia_, 1);
    for (const auto& term : elastic_.list()) objective->add_term(*term, 1);
    for (const auto& term : elastic_.damping()) objective->add_term(*term, 0);
    objective->add_term(gravity_, 1);
    objective->add_term(loads_, 1);
    for (const auto& term : pressures_) objective->add_term(*term, 1);
    objective->add_term(carried_, 0);
    if (!joints_.is_empty()) objective->add_term(joints_, 1);
    if (!has_contact_) continue;
    objective->add_term(contact_.barrier(), 1);
    if (contact_.has_friction()) objective->add_term(contact_.friction(), 1);
  }
  pulled_objective_.add_term(pull_, 1);
  work_.charts = Charts(model.kinematics);
  work_.kinematics = &model.kinematics;
  work_.solver = make_linear_solver(model.linear, work_.charts.unknown_count());
  work_.fallback = make_pcg_solver(model.linear);
  if (has_contact_) {
    work_.is_settled = [this](const VecX& n) { return contact_.is_settled(n); };
    work_.after_iteration = [this](const VecX& n, const StepLength& length) {
      IterationRecord& iteration = work_.history.back();
      iteration.contacts = contact_.count_contacts(n);
      iteration.smallest_gap = contact_.compute_gap(n);
      iteration.stiffness = contact_.barrier().stiffness();
      contact_.watch_iteration(n, length);
    };
  }
}

void Stepper::set_observer(Observer observer) {
  observer_ = std::move(observer);
  for (Objective* objective : {&objective_, &pulled_objective_}) {
    objective->set_observer([this](const VecX& n) {
      if (observer_) observer_(n, false);
    });
  }
}

StepReport Stepper::step(State& state) {
  const trace::Scope scope("step.total");
  StepReport report;
  report.step = state.step + 1;
  report.time = report.step * model_.time.step;
  State next = state;
  if (!advance(next, {model_.time.step, report.time}, 0, report)) {
    report.history.assign(work_.history.begin(), work_.history.end());
    report.runs_away = runs_away(report.history, model_.size);
    return report;
  }
  state = std::move(next);
  state.step = report.step;
  state.time = report.time;
  add_conserved(model_, state, initial_nodes_, report);
  report.joint_states = state.joints.joints;
  report.energies.springs = joints_.compute_spring_energy(state.nodes);
  if (has_contact_) {
    report.contacts = contact_.count_contacts(state.nodes);
    report.smallest_gap = contact_.compute_gap(state.nodes);
    report.stiffness = contact_.barrier().stiffness();
    report.culling = contact_.barrier().culling();
  }
  return report;
}

// Takes the state to the end of the interval; a step that fails is taken in two halves.
bool Stepper::advance(State& state, const Interval& interval, int halvings, StepReport& report) {
  const double h = interval.length;
  update_prescribed(interval.end);
  may_yield_ = halvings >= kHalvingsToYield || Joints::was_held_up(state.joints);
  const StepPlan plan = plan_step(model_, is_prescribed_, state, h);
  VecX n = state.nodes;
  const NewtonReport newton = solve_step(plan, interval, state, n, report);
  add_report(newton, report.newton);
  if (is_success(newton.verdict)) {
    std::vector<HeldRate> held;
    if (plan.carries_forces) held = joints_.list_held_rates(n, h);
    if (!joints_.is_empty()) {
      state.joints = joints_.finish_step(n);
      add_report(joints_.report(), report.joints);
    }
    const std::vector<IndexPair> coupled = plan.is_multistep ? list_coupled(n) : std::vector<IndexPair>();
    finish_step(model_, is_prescribed_, plan, h, coupled, std::move(n), state);
    hold_velocities(model_, is_prescribed_, std::move(held), state.nodes, state.velocities);
    if (has_contact_) state.contact_stiffness = contact_.barrier().stiffness() / plan.scale;
    report.scale = plan.scale;
    ++report.substeps;
    return true;
  }
  if (halvings == kMaxHalvings || newton.verdict == Verdict::OutOfMemory) {
    report.failed_length = h;
    return false;
  }
  // The previous step has another length than its halves, and these than the next.
  for (const double end : {interval.end - h / 2, interval.end}) {
    forget_previous(state);
    if (!advance(state, {h / 2, end}, halvings + 1, report)) return false;
  }
  forget_previous(state);
  return true;
}

// The bodies that touch or are joined at n; kNone: the world.
std::vector<IndexPair> Stepper::list_coupled(const VecX& n) const {
  const std::vector<Body>& bodies = model_.kinematics.bodies;
  std::vector<IndexPair> coupled;
  if (has_contact_) {
    const std::span<const Index> body_of = contact_.barrier().mesh().bodies;
    for (const Contact& contact : contact_.barrier().contacts_at(n)) {
      coupled.push_back({body_of[contact.vertices[0]], body_of[contact.vertices[contact.shape.front]]});
    }
  }
  const auto find_body = [&](const WeightedPoint& point) {
    if (point.nodes.empty()) return kNone;
    const auto after = std::upper_bound(bodies.begin(), bodies.end(), point.nodes[0],
                                        [](Index i, const Body& body) { return i < body.first_node; });
    return static_cast<Index>(after - bodies.begin()) - 1;
  };
  for (const Joint& joint : model_.joints) {
    coupled.push_back({find_body(joint.anchor_a), find_body(joint.anchor_b)});
  }
  return coupled;
}

void Stepper::set_weights(const StepPlan& plan, const Interval& interval, const State& state) {
  inertia_.set_target(plan.flown.nodes);
  work_.charts.set_inertia(plan.inertia);
  if (plan.carries_forces) {
    VecX gradient = VecX::Zero(state.nodes.size());
    elastic_.add_gradient(state.nodes, 1, gradient);
    clear_shape_forces(model_.kinematics, gradient);
    gravity_.add_gradient(state.nodes, 1, gradient);
    loads_.set_time(interval.end - interval.length, state.nodes);
    loads_.add_gradient(state.nodes, 1, gradient);
    for (const auto& pressure : pressures_) {
      pressure->set_time(interval.end - interval.length);
      pressure->add_gradient(state.nodes, 1, gradient);
    }
    joints_.add_spring_gradient(state.nodes, 1, gradient);
    carried_.set(std::move(gradient), state.nodes);
  }
  loads_.set_time(interval.end, state.nodes);
  for (const auto& pressure : pressures_) pressure->set_time(interval.end);
  // Damping acts through the whole step, though with carried forces the others at its end act by half;
  // without inertia there is no velocity to damp.
  const double damping = plan.inertia > 0 ? plan.scale * (plan.carries_forces ? 2 : 1) : 0;
  for (Objective* objective : {&objective_, &pulled_objective_}) {
    objective->set_weight(inertia_, plan.inertia);
    for (const auto& term : elastic_.list()) objective->set_weight(*term, plan.scale);
    for (const auto& term : elastic_.damping()) objective->set_weight(*term, damping);
    objective->set_weight(gravity_, plan.scale);
    objective->set_weight(loads_, plan.scale);
    for (const auto& term : pressures_) objective->set_weight(*term, plan.scale);
    objective->set_weight(joints_, plan.scale);
    objective->set_weight(carried_, plan.carries_forces ? plan.scale : 0);
  }
}

NewtonReport Stepper::solve_step(const StepPlan& plan, const Interval& interval, const State& state, VecX& n,
                                 StepReport& report) {
  const double h = interval.length;
  work_.least_turn = kSmallTurn * model_.size / (h * strain_speed_);
  last_stiffness_ = plan.scale * state.contact_stiffness;
  start_joints(plan, interval, state);
  set_weights(plan, interval, state);
  start_at(plan, n, h);
  const Points targets = compute_targets(interval.end);
  report.motion_remaining = 0;
  NewtonReport total;
  carry_prescribed(plan, targets, n);
  if (!push_if_room(targets, n)) total = pull_prescribed(targets, h, false, n, report);
  if (is_success(total.verdict) && report.motion_remaining > 0 && can_brace(targets, state.nodes)) {
    n = state.nodes;
    start_at(plan, n, h);
    push_if_room(targets, n);
    add_report(pull_prescribed(targets, h, true, n, report), total);
  }
  if (!is_success(total.verdict)) return total;
  predict(plan, h, n);
  const int most = model_.newton.max_iterations;
  if (report.motion_remaining == 0) {
    add_report(solve_with_friction(h, most, n, report), total);
    return total;
  }
  add_report(solve_with_friction(h, std::min(most, kMaxHeldUpIterations), n, report), total);
  if (is_success(total.verdict)) return total;
  // Pressed where nothing gives way any more: this time the prescribed nodes do not move at all.
  n = state.nodes;
  start_at(plan, n, h);
  report_remaining(targets, n, report);
  predict(plan, h, n);
  add_report(solve_with_friction(h, most, n, report), total);
  return total;
}

// Everything that is remembered from iteration to iteration begins anew here.
void Stepper::start_at(const StepPlan& plan, const VecX& n, double h) {
  elastic_.start_step(n, h);
  if (observer_) observer_(n, true);
  reset_solver(work_);
  if (!has_contact_) return;
  contact_.start_step(find_expected_path(plan, n), h, plan.scale);
  choose_stiffness(n);
  contact_.update_friction(n, last_stiffness_);
}

// Starts where nothing but inertia leads, if nothing is in the way there and it is better than to start at
// rest: contacts that creep under friction go on doing so. A way that Newton would stop at is not worth
// asking.
void Stepper::predict(const StepPlan& plan, double h, VecX& n) {
  const NodePath path = find_expected_path(plan, n);
  if (path.direction.size() == 0 || path.direction.lpNorm<Eigen::Infinity>() <= find_stop_length(h)) return;
  const Swings swings(model_.kinematics, flag_straight(plan, n, h), path,
                      {find_stop_length(h), work_.least_turn});
  move_if_better(objective_, swings.is_empty() ? path : swings.bend(path, 1), n);
}

// The nodes that the prediction takes straight to where inertia leads: besides prescribed ones, those of
// stiff bodies, which are not stretched there. One that turns far would be squeezed on the way.
std::vector<char> Stepper::flag_straight(const StepPlan& plan, const VecX& n, double h) const {
  std::vector<char> flags = is_prescribed_;
  if (plan.is_multistep || plan.inertia == 0) return flags;
  for (const Body& body : model_.kinematics.bodies) {
    if (body.kind != BodyKind::Affine || !is_flying(body, is_prescribed_)) continue;
    if (compute_turn(body, n, plan.flown.velocities, h) > kFarTurn) continue;
    std::fill_n(flags.begin() + body.first_node, body.node_count, 1);
  }
  return flags;
}

// A Newton step this short ends a solve.
double Stepper::find_stop_length(double h) const {
  const double length = model_.stop_length(h);
  // While contacts stick, friction's stiffness keeps steps below h ε_v however far the solution is.
  if (contact_.friction().contact_count() == 0) return length;
  return std::min(length, model_.contact.stick_tolerance * h * model_.contact.epsilon_v);
}

// The way from n to where nothing but inertia leads.
NodePath Stepper::find_expected_path(const StepPlan& plan, const VecX& n) const {
  VecX target = plan.inertia > 0 ? plan.flown.nodes : n;
  for (const Index node : prescribed_) target.segment<3>(3 * node) = n.segment<3>(3 * node);
  return {n, target - n, find_turns(model_.kinematics, n, target)};
}

void Stepper::start_joints(const StepPlan& plan, const Interval& interval, const State& state) {
  if (joints_.is_empty()) return;
  joints_.start_step(state.joints, state.nodes,
                     {interval.length, interval.end, plan.scale, plan.carries_forces,
                      compute_inverse_resistance(model_, node_stiffness_, plan, is_prescribed_)});
}

// κ that balances the barrier with the other terms at n.
void Stepper::choose_stiffness(const VecX& n) {
  if (model_.contact.kappa) return;  // the scene says it
  contact_.barrier().set_stiffness(0);
  objective_.compute_gradient(n, work_.gradient);
  contact_.choose_stiffness(n, work_.gradient, is_prescribed_);
}

// Solves, and solves again with the friction forces of the result, as often as asked or until they agree.
NewtonReport Stepper::solve_with_friction(double h, int max_iterations, VecX& n, StepReport& report) {
  NewtonReport total = solve_once(h, max_iterations, n);
  if (!has_contact_ || !contact_.has_friction()) return total;
  // Where nothing was solved before, the first solve only finds the forces.
  const int least = last_stiffness_ > 0 ? 1 : 2;
  const int wanted =
      model_.contact.friction_iterations < 0 ? -1 : std::max(model_.contact.friction_iterations, least);
  const double tolerance = model_.contact.friction_tolerance * model_.size;
  report.friction_rounds = 1;
  double smallest = std::numeric_limits<double>::infinity();
  int idle_rounds = 0;
  while (is_success(total.verdict)) {
    contact_.update_friction(n, contact_.barrier().stiffness());
    report.friction_residual = compute_friction_residual(h, n);
    idle_rounds = report.friction_residual <= 0.5 * smallest ? 0 : idle_rounds + 1;
    if (idle_rounds == 0) smallest = report.friction_residual;
    const bool is_enough = wanted >= 0 ? report.friction_rounds >= wanted
                                       : report.friction_residual <= tolerance ||
                                             report.friction_rounds >= kMaxFrictionRounds ||
                                             idle_rounds >= kMaxIdleFrictionRounds;
    if (is_enough) break;
    add_report(solve_once(h, max_iterations, n), total);
    ++report.friction_rounds;
  }
  return total;
}

// Solves, and solves again until the joints hold. Where something is in the way, pulling harder only presses
// bodies together. What a motor cannot do is left so at once. In an impact of jointed bodies shorter steps
// help; where they did not, or had not before, it goes back to where the first solve ended as well.
NewtonReport Stepper::solve_once(double h, int max_iterations, VecX& n) {
  const NewtonLimits limits = {.stop_length = find_stop_length(h), .iterations = max_iterations};
  contact_.start_solve();
  joints_.start_solves();
  NewtonReport total;
  VecX first;  // where the first of them has ended
  JointRound last;
  while (true) {
    add_report(minimize(objective_, is_prescribed_, limits, n, work_), total);
    if (joints_.is_empty()) return total;
    const bool is_solved = is_success(total.verdict);
    if (!is_solved && first.size() == 0) return total;
    const bool wants_more = is_solved && joints_.tighten(n);
    const JointRound now = {joints_.report().residual, has_contact_ ? contact_.compute_gap(n) : kInfinity};
    if (!is_solved || now.is_pressing(last)) {
      const bool yields = may_yield_ || joints_.report().is_motor;
      total.verdict = yields ? Verdict::Converged : Verdict::NoDescent;
      if (!yields) return total;
      move_if_safe(objective_, {n, first - n, find_turns(model_.kinematics, n, first)}, n);
      joints_.yield();
      return total;
    }
    if (!wants_more) return total;
    if (first.size() == 0) first = n;
    last = now;
  }
}

// By how much the velocities would still change, were the step solved again with the friction forces at n.
double Stepper::compute_friction_residual(double h, const VecX& n) {
  if (contact_.friction().contact_count() == 0) return 0;
  objective_.compute_gradient(n, work_.gradient);
  for (const Index node : prescribed_) work_.gradient.segment<3>(3 * node).setZero();
  if (!solve_again(n, work_.gradient, work_)) return 0;
  return work_.direction.lpNorm<Eigen::Infinity>() / h;
}

}  // namespace marrow
