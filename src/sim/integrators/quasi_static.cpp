// Without inertia, every step is an equilibrium, and the solve starts at the last one.
#include "sim/terms/step_terms.h"

namespace marrow {
namespace {

class QuasiStatic final : public TimeIntegrator {
 public:
  StepPlan plan(const Model& /*model*/, const std::vector<char>& /*is_fixed*/, const State& state,
                double h) const override {
    return {.length = h,
            .prediction = {.nodes = state.nodes, .velocities = {}},
            .scale = h * h,
            .end_scale = h * h,
            .inertia = 0};
  }

  void finish(StepTerms& /*terms*/, const StepPlan& /*plan*/, VecX n, State& state) const override {
    state.velocities = VecX::Zero(n.size());
    state.nodes = std::move(n);
  }
};

}  // namespace

const TimeIntegrator& get_quasi_static() {
  static const QuasiStatic integrator;
  return integrator;
}

}  // namespace marrow
