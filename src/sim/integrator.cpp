#include "sim/integrator.h"

#include "sim/rebounds.h"

namespace marrow {
namespace {

// Prescribed nodes have the velocity of their way: forces have no part in it.
void set_prescribed(const std::vector<char>& is_fixed, const VecX& way, double h, VecX& velocities) {
  for (size_t i = 0; i < is_fixed.size(); ++i) {
    const Index at = 3 * static_cast<Index>(i);
    if (is_fixed[i] != 0) velocities.segment<3>(at) = way.segment<3>(at) / h;
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
                 const std::vector<IndexPair>& coupled, VecX n, State& state) {
  const Integrator integrator = model.time.integrator;
  VecX velocities;
  std::vector<const Body*> stopped;
  if (integrator == Integrator::QuasiStatic) {
    velocities = VecX::Zero(n.size());
  } else if (plan.is_multistep) {
    velocities = (3 * n - 4 * state.nodes + state.previous_nodes) / (2 * h);
    stopped = stop_rebounds(model, is_fixed, state, coupled, n - state.nodes, h, velocities);
  } else {
    const ForceRates rates = {(integrator == Integrator::Newmark ? 2 : 1) / h, 1 / h};
    velocities = leave_flight(model.kinematics, is_fixed, plan.flown, rates, n);
    set_prescribed(is_fixed, n - state.nodes, h, velocities);
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
