// BDF2 has v = (3n − 4nᵗ + nᵗ⁻¹)/2h, so ñ = nᵗ + h (u/3 + 2/9 (4vᵗ − vᵗ⁻¹)) with u = (nᵗ − nᵗ⁻¹)/h, and
// s = 4h²/9. For bodies that turn, the same rule applies to their angular momentum, about their free flight,
// so that a free body keeps it. The first step, and those after a change of the step length, are steps of
// implicit Euler.
#include "sim/integrators/rebounds.h"
#include "sim/terms/step_terms.h"

namespace marrow {
namespace {

// The body that a point belongs to; kNone: the world.
Index find_body(const std::vector<Body>& bodies, const WeightedPoint& point) {
  return point.nodes.empty() ? kNone : find_body_of_node(bodies, point.nodes[0]);
}

// The bodies that touch or are joined at n; kNone: the world.
std::vector<IndexPair> list_coupled(StepTerms& terms, const VecX& n) {
  const std::vector<Body>& bodies = terms.model.kinematics.bodies;
  std::vector<IndexPair> coupled;
  if (terms.has_contact) {
    const std::span<const Index> body_of = terms.contact.finder().mesh().bodies;
    const ContactsAt at = terms.contact.finder().find(n);
    for (const Contact& contact : at->contacts) {
      coupled.push_back({body_of[contact.vertices[0]], body_of[contact.vertices[contact.shape.front]]});
    }
  }
  for (const Joint& joint : terms.model.joints) {
    coupled.push_back({find_body(bodies, joint.anchor_a), find_body(bodies, joint.anchor_b)});
  }
  return coupled;
}

class Bdf2 final : public TimeIntegrator {
 public:
  StepPlan plan(const Model& model, const std::vector<char>& is_fixed, const State& state,
                double h) const override {
    if (state.previous_nodes.size() == 0) {
      StepPlan plan = plan_inertial(model, is_fixed, state, h);
      plan.path_velocities = plan.prediction.velocities;
      return plan;
    }
    TwoStepPrediction flight =
        predict_two_steps(model.kinematics, is_fixed, {state.nodes, state.velocities},
                          {state.previous_nodes, state.previous_velocities}, state.path_velocities, h);
    return {.length = h,
            .prediction = std::move(flight.prediction),
            .path_velocities = std::move(flight.path_velocities),
            .scale = 4 * h * h / 9,
            .end_scale = 4 * h * h / 9,
            .has_rotations = true};
  }

  void finish(StepTerms& terms, const StepPlan& plan, VecX n, State& state) const override {
    const double h = plan.length;
    VecX path =
        compute_end_velocities(terms, {plan.prediction.nodes, plan.path_velocities}, 1 / h, h, n, state);
    VecX velocities = path;
    if (state.previous_nodes.size() > 0) {
      velocities = compute_end_velocities(terms, plan.prediction, 3 / (2 * h), h, n, state);
    }
    // This is also needed after steps of implicit Euler: the next step would build on the velocity before the
    // impact.
    const std::vector<const Body*> stopped =
        stop_rebounds(terms.model, terms.is_prescribed, state, list_coupled(terms, n), path, velocities);
    const Body* first = terms.model.kinematics.bodies.data();
    for (const Body* body : stopped) terms.follows_path[static_cast<size_t>(body - first)] = 1;
    state.previous_nodes = std::move(state.nodes);
    state.previous_velocities = std::move(state.velocities);
    state.path_velocities = std::move(path);
    state.nodes = std::move(n);
    state.velocities = std::move(velocities);
    restart_history(stopped, h, state);
  }
};

}  // namespace

const TimeIntegrator& get_bdf2() {
  static const Bdf2 integrator;
  return integrator;
}

}  // namespace marrow
