#include "sim/terms/step_terms.h"

#include <utility>

#include "kinematics/joined.h"
#include "sim/terms/body_balance.h"
#include "sim/terms/predict.h"

namespace marrow {
namespace {

void add_terms(StepTerms& terms) {
  Objective& objective = terms.objective;
  objective.add_term(terms.inertia, 1);
  for (const auto& term : terms.elastic.list()) objective.add_term(*term, 1);
  for (const auto& term : terms.elastic.damping()) objective.add_term(*term, 0);
  objective.add_term(terms.gravity, 1);
  objective.add_term(terms.loads, 1);
  for (const auto& term : terms.pressures) objective.add_term(*term, 1);
  objective.add_term(terms.added_force, 0);
  objective.add_term(terms.carried, 0);
  objective.add_term(terms.grabs, 0);
  if (!terms.joints.is_empty()) objective.add_term(terms.joints, 1);
  if (terms.has_contact) {
    objective.add_term(terms.contact.barrier(), 1);
    if (terms.contact.has_friction()) objective.add_term(terms.contact.friction(), 1);
  }
  objective.add_term(terms.pull, 0);
}

// The nodes prescribed in steps that end at this time.
std::vector<Index> list_prescribed(const Model& model, double time) {
  std::vector<Index> nodes;
  for (const PrescribedNodes& group : model.prescribed) {
    if (!group.is_active(time)) continue;
    nodes.insert(nodes.end(), group.nodes.begin(), group.nodes.end());
  }
  return nodes;
}

// The mass of each prescribed node in the pull; nodes without mass (obstacles) count as an average one.
std::vector<double> compute_pull_masses(const Model& model, const std::vector<Index>& nodes) {
  const ScalarMatrix lumped = lump_rows(model.mass);
  double total = 0;
  for (const double mass : lumped.values) total += mass;
  const double average = total > 0 ? total / model.mass.rows() : 1;
  std::vector<double> masses;
  for (const Index node : nodes) masses.push_back(lumped.values[node] > 0 ? lumped.values[node] : average);
  return masses;
}

void set_time(StepTerms& terms, double time, const VecX& n) {
  terms.loads.set_time(time, n);
  for (const auto& pressure : terms.pressures) pressure->set_time(time);
}

// Sets the forces at the start of the part, if the integrator carries them. The force that keeps the shape of
// affine bodies is not carried over: it would have to turn with them, and it is enough to hold their shape at
// the end of the step.
void set_carried_forces(StepTerms& terms, double start, const VecX& n) {
  VecX gradient = VecX::Zero(n.size());
  terms.elastic.add_gradient(n, 1, gradient);
  clear_moved_as_one(terms.model.kinematics, gradient);
  set_time(terms, start, n);
  add_load_gradient(terms, n, gradient);
  terms.joints.add_spring_gradient(n, 1, gradient);
  terms.carried.set(std::move(gradient), n);
  // By themselves, to be reported.
  terms.carried_loads = VecX::Zero(n.size());
  terms.carried_springs = VecX::Zero(n.size());
  add_load_gradient(terms, n, terms.carried_loads);
  terms.joints.add_spring_gradient(n, 1, terms.carried_springs);
}

void set_weights(StepTerms& terms, const StepPlan& plan) {
  Objective& objective = terms.objective;
  objective.set_weight(terms.inertia, plan.inertia);
  for (const auto& term : terms.elastic.list()) objective.set_weight(*term, plan.scale);
  // Without inertia there is no velocity to damp.
  const double damping = plan.inertia > 0 ? plan.end_scale : 0;
  for (const auto& term : terms.elastic.damping()) objective.set_weight(*term, damping);
  objective.set_weight(terms.gravity, plan.scale);
  objective.set_weight(terms.loads, plan.scale);
  for (const auto& term : terms.pressures) objective.set_weight(*term, plan.scale);
  for (const auto& term : terms.added) objective.set_weight(*term, plan.scale);
  objective.set_weight(terms.added_force, terms.added_forces ? plan.scale : 0);
  objective.set_weight(terms.grabs, terms.grabs.is_empty() ? 0 : plan.end_scale);
  objective.set_weight(terms.joints, plan.scale);
  objective.set_weight(terms.carried, plan.carries_forces ? plan.scale : 0);
}

// Chooses the κ that balances the barrier with the other terms at n.
void choose_stiffness(StepTerms& terms, const VecX& n) {
  if (terms.model.contact.kappa) return;  // the scene sets it
  terms.contact.barrier().set_stiffness(0);
  terms.objective.compute_gradient(n, terms.work.gradient);
  terms.contact.choose_stiffness(n, terms.work.gradient, terms.is_prescribed);
}

std::vector<BodySize> measure_bodies(const Model& model) {
  std::vector<BodySize> sizes;
  for (const Body& body : model.kinematics.bodies) sizes.push_back(measure_body(body, model.initial_nodes));
  return sizes;
}

NewtonSystem make_system(const Model& model) {
  Charts charts(model.kinematics);
  const Index unknowns = charts.unknown_count();
  NewtonSystem system(std::move(charts), make_linear_solver(model.linear, unknowns));
  std::vector<Index> bodies = list_bodies_of_nodes(model.kinematics);
  for (const Body& body : model.kinematics.bodies) {
    if (body.kind == BodyKind::Soft) continue;
    std::fill_n(bodies.begin() + body.first_node, body.node_count, kNone);
  }
  system.set_bodies(std::move(bodies));
  return system;
}

}  // namespace

StepTerms::StepTerms(const Model& m)
    : model(m),
      has_contact(keeps_any_apart(m)),
      strain_speed(compute_strain_speed(m)),
      sizes(measure_bodies(m)),
      is_prescribed(static_cast<size_t>(m.kinematics.node_count), 0),
      inertia(m.mass),
      elastic(m.kinematics, m.materials),
      node_stiffness(compute_node_stiffness(m, m.initial_nodes, elastic)),
      gravity(m.mass, m.gravity, m.initial_nodes),
      loads(m.loads, m.initial_nodes),
      grabs(m.kinematics.node_count),
      joints(m.joints, m.joint_options, m.size, m.kinematics.node_count),
      contact(m, compute_resistances(m, node_stiffness)),
      pull({}, {}, m.kinematics.node_count),
      objective(m.kinematics.node_count),
      node_bodies(list_bodies_of_nodes(m.kinematics)),
      point_bodies(list_bodies_of_points(m.kinematics)) {
  for (const PressureLoad& load : m.pressures) {
    pressures.push_back(std::make_unique<Pressure>(m.kinematics, load));
  }
  if (m.stepper == Stepper::Projective) projection = std::make_unique<Projection>(m);
  if (m.is_unguarded()) penetrations = std::make_unique<PenetrationFinder>(m);
  add_terms(*this);
  work.system = make_system(m);
  update_prescribed(*this, 0);
}

void set_observer(StepTerms& terms, MoveObserver observer) {
  terms.observer = std::move(observer);
  terms.objective.set_observer([&terms](const VecX& n) {
    if (terms.observer) terms.observer(n, false);
  });
}

void update_prescribed(StepTerms& terms, double time) {
  std::vector<Index> active = list_prescribed(terms.model, time);
  if (active == terms.prescribed) return;
  const Index node_count = terms.model.kinematics.node_count;
  terms.prescribed = std::move(active);
  terms.is_prescribed.assign(static_cast<size_t>(node_count), 0);
  for (const Index node : terms.prescribed) terms.is_prescribed[node] = 1;
  terms.pull =
      PrescribedPull(terms.prescribed, compute_pull_masses(terms.model, terms.prescribed), node_count);
}

void add_load_gradient(StepTerms& terms, const VecX& n, VecX& gradient) {
  terms.gravity.add_gradient(n, 1, gradient);
  terms.loads.add_gradient(n, 1, gradient);
  for (const auto& pressure : terms.pressures) pressure->add_gradient(n, 1, gradient);
  for (const auto& term : terms.added) term->add_gradient(n, 1, gradient);
  if (terms.added_forces) terms.added_force.add_gradient(n, 1, gradient);
}

void add_potential(StepTerms& terms, std::unique_ptr<Potential> potential) {
  terms.objective.add_term(*potential, 1);
  terms.added.push_back(std::move(potential));
}

void start_part(StepTerms& terms, const StepPlan& plan, const Interval& interval, const State& state) {
  terms.previous_stiffness = plan.end_scale * state.contact_stiffness;
  terms.follows_path.assign(terms.model.kinematics.bodies.size(), 0);
  if (!terms.joints.is_empty()) {
    terms.joints.start_step(
        state.joints, state.nodes,
        {interval.length, interval.end, plan.scale, plan.end_scale,
         compute_inverse_resistance(terms.model, terms.node_stiffness, plan, terms.is_prescribed)});
  }
  if (terms.added_forces) {
    VecX gradient = VecX::Zero(state.nodes.size());
    terms.added_forces(state, interval.end - interval.length, gradient);
    terms.added_force.set(std::move(gradient), state.nodes);
  }
  terms.grabs.start_step(state.nodes, interval.length, plan.inertia > 0);
  terms.inertia.set_target(plan.prediction.nodes);
  terms.work.system.charts().set_inertia(plan.inertia);
  if (plan.carries_forces) set_carried_forces(terms, interval.end - interval.length, state.nodes);
  set_time(terms, interval.end, state.nodes);
  set_weights(terms, plan);
  terms.balance = build_balance(terms, plan, state);
  terms.restraint = build_restraint(terms, plan);
}

void start_at(StepTerms& terms, const StepPlan& plan, const State& state, const VecX& n) {
  terms.elastic.start_step(n, plan.length);
  if (terms.observer) terms.observer(n, true);
  terms.work.system.reset(state.linear);
  if (!terms.has_contact) return;
  terms.contact.start_step(find_expected_path(terms, plan, n), plan.length, plan.end_scale,
                           state.activations);
  choose_stiffness(terms, n);
  terms.contact.update_friction(n, terms.previous_stiffness);
}

}  // namespace marrow
