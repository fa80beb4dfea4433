// For implicit Euler, ñ is the free flight over h, s = h², and v = ṽ + (n − ñ)/h.
#include "sim/terms/step_terms.h"

namespace marrow {
namespace {

class ImplicitEuler final : public TimeIntegrator {
 public:
  StepPlan plan(const Model& model, const std::vector<char>& is_fixed, const State& state,
                double h) const override {
    return plan_inertial(model, is_fixed, state, h);
  }

  void finish(StepTerms& terms, const StepPlan& plan, VecX n, State& state) const override {
    state.velocities = compute_end_velocities(terms, plan.prediction, 1 / plan.length, plan.length, n, state);
    state.nodes = std::move(n);
  }
};

}  // namespace

const TimeIntegrator& get_implicit_euler() {
  static const ImplicitEuler integrator;
  return integrator;
}

}  // namespace marrow
