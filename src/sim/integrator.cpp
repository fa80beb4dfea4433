#include "sim/integrator.h"

namespace marrow {
namespace {

// A velocity that differs by more than this part of itself from what the last two steps let expect.
constexpr double kJump = 0.5;

// BDF2's velocity, (3n − 4nᵗ + nᵗ⁻¹)/2h, goes on with half of what was before. Where a stiff body has hit
// something this is a rebound, and the next steps would build on it: such bodies take the velocity of their
// way. Returns them.
std::vector<const Body*> stop_rebounds(const Model& model, const State& before, const VecX& n, double h,
                                       VecX& velocities) {
  std::vector<const Body*> stopped;
  const double unnoticed = model.stop_length(h) / h;  // Newton leaves it open
  for (const Body& body : model.kinematics.bodies) {
    if (!is_stiff(body.kind)) continue;
    const auto part = [&](const VecX& x) { return x.segment(3 * body.first_node, 3 * body.node_count); };
    const VecX expected = 2 * part(before.velocities) - part(before.previous_velocities);
    const double speed = std::max(part(velocities).norm(), part(before.velocities).norm());
    if ((part(velocities) - expected).norm() <= std::max(kJump * speed, unnoticed)) continue;
    velocities.segment(3 * body.first_node, 3 * body.node_count) = (part(n) - part(before.nodes)) / h;
    stopped.push_back(&body);
  }
  return stopped;
}

// For BDF2 they have always moved as they do now.
void forget_before(const std::vector<const Body*>& bodies, double h, State& state) {
  for (const Body* body : bodies) {
    const Index first = 3 * body->first_node, count = 3 * body->node_count;
    state.previous_velocities.segment(first, count) = state.velocities.segment(first, count);
    state.previous_nodes.segment(first, count) =
        state.nodes.segment(first, count) - h * state.velocities.segment(first, count);
  }
}

}  // namespace

StepPlan plan_step(const Model& model, const std::vector<char>& is_fixed, const State& state, double h) {
  StepPlan plan;
  plan.scale = h * h;
  switch (model.time.integrator) {
    case Integrator::ImplicitEuler:
      break;
    case Integrator::Bdf2:
      if (state.previous_nodes.size() == 0) break;  // the first step is implicit Euler's
      plan.flown.nodes = (4 * state.nodes - state.previous_nodes) / 3 +
                         (2 * h / 9) * (4 * state.velocities - state.previous_velocities);
      plan.scale = 4 * h * h / 9;
      plan.is_multistep = true;
      return plan;
    case Integrator::Newmark:
      plan.scale = h * h / 4;
      plan.carries_forces = true;
      break;
    case Integrator::QuasiStatic:
      plan.flown.nodes = state.nodes;
      plan.inertia = 0;
      return plan;
  }
  plan.flown = fly_free(model.kinematics, is_fixed, state.nodes, state.velocities, h);
  return plan;
}

// What forces did to the target is what they did to the velocity there. Where nodes fly straight this is
// the velocity of the way: (n − nᵗ)/h. The shape of affine bodies acts at the end of steps with all
// integrators, and what it does is not doubled: strain that oscillates faster than steps can follow dies out.
void finish_step(const Model& model, const std::vector<char>& is_fixed, const StepPlan& plan, double h,
                 VecX n, State& state) {
  const Integrator integrator = model.time.integrator;
  VecX velocities;
  std::vector<const Body*> stopped;
  if (integrator == Integrator::QuasiStatic) {
    velocities = VecX::Zero(n.size());
  } else if (plan.is_multistep) {
    velocities = (3 * n - 4 * state.nodes + state.previous_nodes) / (2 * h);
    stopped = stop_rebounds(model, state, n, h, velocities);
  } else {
    const ForceRates rates = {(integrator == Integrator::Newmark ? 2 : 1) / h, 1 / h};
    velocities = leave_flight(model.kinematics, is_fixed, plan.flown, rates, n);
  }
  for (const Body& body : model.kinematics.bodies) {
    if (body.kind == BodyKind::Rigid) make_velocities_rigid(body, n, velocities);
  }
  if (integrator == Integrator::Bdf2) {
    state.previous_nodes = std::move(state.nodes);
    state.previous_velocities = std::move(state.velocities);
  }
  state.nodes = std::move(n);
  state.velocities = std::move(velocities);
  forget_before(stopped, h, state);
}

}  // namespace marrow
