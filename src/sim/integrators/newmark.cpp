// In Newmark's average acceleration, half of the forces at the start and half of those at the end act:
// s = h²/4, v = ṽ + 2 (n − ñ)/h. Forces that act only at the end (contact, joints) act in full there:
// s_e = h²/2.
//
// The rule for velocities does not hold for the force that keeps a joint closed, so velocities are projected
// afterwards onto those that keep the joints closed (sim/integrators/project_joint_velocities.h).
#include "sim/integrators/project_joint_velocities.h"
#include "sim/terms/step_terms.h"

namespace marrow {
namespace {

class Newmark final : public TimeIntegrator {
 public:
  StepPlan plan(const Model& model, const std::vector<char>& is_fixed, const State& state,
                double h) const override {
    StepPlan plan = plan_inertial(model, is_fixed, state, h);
    plan.scale = h * h / 4;
    plan.end_scale = h * h / 2;
    plan.carries_forces = true;
    return plan;
  }

  void finish(StepTerms& terms, const StepPlan& plan, VecX n, State& state) const override {
    state.velocities = compute_end_velocities(terms, plan.prediction, 2 / plan.length, plan.length, n, state);
    project_joint_velocities(terms.model, terms.is_prescribed, terms.joints.list_held_rates(n, plan.length),
                             n, state.velocities);
    state.nodes = std::move(n);
  }
};

}  // namespace

const TimeIntegrator& get_newmark() {
  static const Newmark integrator;
  return integrator;
}

}  // namespace marrow
