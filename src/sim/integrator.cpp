#include "sim/integrator.h"

namespace marrow {

StepPlan plan_step(Integrator integrator, const State& state, double h) {
  switch (integrator) {
    case Integrator::ImplicitEuler:
      break;
    case Integrator::Bdf2:
      if (state.previous_nodes.size() == 0) break;  // the first step is implicit Euler's
      return {(4 * state.nodes - state.previous_nodes) / 3 +
                  (2 * h / 9) * (4 * state.velocities - state.previous_velocities),
              4 * h * h / 9, 1, false, true};
    case Integrator::Newmark:
      return {state.nodes + h * state.velocities, h * h / 4, 1, true, false};
    case Integrator::QuasiStatic:
      return {state.nodes, h * h, 0, false, false};
  }
  return {state.nodes + h * state.velocities, h * h, 1, false, false};
}

void finish_step(Integrator integrator, const StepPlan& plan, double h, VecX n, State& state) {
  VecX velocities = (n - state.nodes) / h;
  if (plan.is_multistep) velocities = (3 * n - 4 * state.nodes + state.previous_nodes) / (2 * h);
  if (integrator == Integrator::Newmark) velocities = 2 * velocities - state.velocities;
  if (integrator == Integrator::QuasiStatic) velocities.setZero();
  if (integrator == Integrator::Bdf2) {
    state.previous_nodes = std::move(state.nodes);
    state.previous_velocities = std::move(state.velocities);
  }
  state.nodes = std::move(n);
  state.velocities = std::move(velocities);
}

}  // namespace marrow
