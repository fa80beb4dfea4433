#include "sim/terms/integrator.h"

#include "sim/terms/step_terms.h"

namespace marrow {

const TimeIntegrator& find_integrator(Integrator kind) {
  switch (kind) {
    case Integrator::ImplicitEuler:
      return get_implicit_euler();
    case Integrator::Bdf2:
      return get_bdf2();
    case Integrator::Newmark:
      return get_newmark();
    case Integrator::QuasiStatic:
      return get_quasi_static();
  }
  return get_implicit_euler();
}

void forget_history(State& state) {
  state.previous_nodes.resize(0);
  state.previous_velocities.resize(0);
  state.path_velocities.resize(0);
}

StepPlan plan_inertial(const Model& model, const std::vector<char>& is_fixed, const State& state, double h) {
  return {.length = h,
          .prediction = predict_inertial(model.kinematics, is_fixed, state.nodes, state.velocities, h),
          .scale = h * h,
          .end_scale = h * h,
          .has_rotations = true};
}

// The displacement from the prediction that forces caused gives the change of the velocity there. For nodes
// that fly straight, this is the velocity of the path: (n − nᵗ)/h. The shape of affine bodies acts at the end
// of steps with all integrators, and its effect is not doubled: strain that oscillates faster than steps can
// follow dies out. Prescribed nodes have the velocity of their path; forces have no part in it.
VecX compute_end_velocities(const StepTerms& terms, const Prediction& prediction, double rate, double h,
                            const VecX& n, const State& state) {
  const Kinematics& kinematics = terms.model.kinematics;
  VecX velocities = update_velocities(kinematics, terms.is_prescribed, prediction, {rate, 1 / h}, n);
  const VecX path = n - state.nodes;
  for (const Index node : terms.prescribed) velocities.segment<3>(3 * node) = path.segment<3>(3 * node) / h;
  make_velocities_rigid(kinematics, n, velocities);
  return velocities;
}

}  // namespace marrow
