#include "sim/terms/body_balance.h"

#include <algorithm>

namespace marrow {
namespace {

// A body without gravity and loads is assumed to move at least this fraction of the smallest body per second:
// that of the default solver.tolerance [1/s]. More: solves of such bodies end earlier. [D20]
constexpr double kLeastSpeed = 1e-3;

// A direction longer than this many sizes of the smallest body is restrained. [measured:
// docs/models/stiff.md, quasi_static; tests/scenes/joints_test.cpp]
constexpr double kFarInSizes = 10;

Vec3 sum_nodes(const BalancedBody& body, const VecX& v) {
  Vec3 sum = Vec3::Zero();
  for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) sum += v.segment<3>(3 * i);
  return sum;
}

double sum_free_mass(const Body& body, const std::vector<double>& masses, const std::vector<char>& is_fixed) {
  double sum = 0;
  for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
    if (is_fixed[i] == 0) sum += masses[i];
  }
  return sum;
}

}  // namespace

Balance build_balance(StepTerms& terms, const StepPlan& plan, const State& state) {
  const Model& model = terms.model;
  const std::vector<double> masses = lump_rows(model.mass).values;
  VecX loads = VecX::Zero(state.nodes.size());
  terms.loads.add_gradient(state.nodes, 1, loads);
  for (const auto& pressure : terms.pressures) pressure->add_gradient(state.nodes, 1, loads);
  for (const auto& term : terms.added) term->add_gradient(state.nodes, 1, loads);
  if (terms.added_forces) terms.added_force.add_gradient(state.nodes, 1, loads);
  clear_fixed(terms.is_prescribed, loads);
  std::vector<BalancedBody> bodies;
  for (const Body& body : model.kinematics.bodies) {
    BalancedBody balanced = {
        .first_node = body.first_node,
        .node_count = body.node_count,
        .mass = sum_free_mass(body, masses, terms.is_prescribed),
        .impulse = 0,
        .is_rigid = !body.can_strain(),
        .has_node_masses = body.mass.indices.size() == static_cast<size_t>(body.node_count),
        .is_locked = body.is_locked};
    if (!(balanced.mass > 0)) continue;
    balanced.impulse =
        plan.scale * std::max(balanced.mass * model.gravity.norm(), sum_nodes(balanced, loads).norm());
    if (plan.inertia == 0 && balanced.impulse == 0) continue;  // nothing to compare with
    bodies.push_back(balanced);
  }
  const double least = kLeastSpeed * model.size * std::min(plan.length, 1.0);
  Balance balance(std::move(bodies), model.newton.balance, plan.prediction.nodes, masses, least);
  if (plan.inertia == 0) balance.set_static();
  return balance;
}

// With the weight a s/L, a the largest acceleration of gravity and loads, a free body moves by L.
Restraint build_restraint(const StepTerms& terms, const StepPlan& plan) {
  const double acceleration = terms.balance.find_largest_motion();  // a s [m]
  if (plan.inertia > 0 || !(acceleration > 0)) return {};
  const double size = terms.model.size;
  return {kFarInSizes * size, acceleration / size, lump_rows(terms.model.mass).values};
}

}  // namespace marrow
