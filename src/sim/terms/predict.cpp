#include "sim/terms/predict.h"

#include <algorithm>
#include <cmath>

#include "kinematics/charts.h"
#include "solve/line_search.h"

namespace marrow {
namespace {

// An affine body that turns by more than this per step would be squeezed on a straight path to its prediction
// [rad]. [derived: in the middle of the path to cos(θ/2) of its size, 12 % at 1 rad. ablation: far_turn]
constexpr double kFarTurn = 1;

// A rotation by θ that stretches an affine body costs, over its own kinetic energy, (θ h c/r)² with c the
// strain speed. The path is bent if that is more than a few ten-thousandths; r is half the smallest body's
// size or more. [derived: as said; ablation: bent_paths]
constexpr double kSmallTurn = 0.005;

// A motion without the locked components of the body.
Vec3 clear_locked(const Body& body, Vec3 motion) {
  for (int k = 0; k < 3; ++k) {
    if (body.is_locked[static_cast<size_t>(k)]) motion[k] = 0;
  }
  return motion;
}

}  // namespace

// √(2κV/m), the largest of all affine bodies.
double compute_strain_speed(const Model& model) {
  double largest = 1;
  const Elements& elements = model.kinematics.elements;
  for (const auto& [body, element] : list_affine_elements(model.kinematics)) {
    const double stiffness =
        model.materials[elements.materials[element]].lame_mu / 4 * elements.volumes[element];
    const double mass = 4 * model.kinematics.bodies[body].mass.values.front();  // four equal nodes
    largest = std::max(largest, std::sqrt(2 * stiffness / mass));
  }
  return largest;
}

NodePath find_expected_path(const StepTerms& terms, const StepPlan& plan, const VecX& n,
                            const Points& targets) {
  VecX target = plan.inertia > 0 ? plan.prediction.nodes : n;
  if (plan.inertia > 0) {
    // If the forces at the start act too, gravity acts twice.
    const Vec3 fall = (plan.carries_forces ? 2 : 1) * plan.scale * terms.model.gravity;
    for (const Body& body : terms.model.kinematics.bodies) {
      const Vec3 free = clear_locked(body, fall);
      target.segment(3 * body.first_node, 3 * body.node_count) += free.replicate(body.node_count, 1);
    }
  }
  for (size_t k = 0; k < terms.prescribed.size(); ++k) {
    const Index first = 3 * terms.prescribed[k];
    target.segment<3>(first) = targets.empty() ? Vec3(n.segment<3>(first)) : targets[k];
  }
  return {n, target - n, find_turns(terms.model.kinematics, n, target)};
}

double find_least_turn(const StepTerms& terms, const StepPlan& plan) {
  return kSmallTurn * terms.model.size / (plan.length * terms.strain_speed);
}

void predict(StepTerms& terms, const StepPlan& plan, VecX& n) {
  const NodePath path = find_expected_path(terms, plan, n);
  const double stop_length = terms.model.stop_length(plan.length);
  // A path shorter than Newton's stop length is not tried.
  if (path.direction.size() == 0 || path.direction.lpNorm<Eigen::Infinity>() <= stop_length) return;
  // Affine bodies are not stretched at their prediction; they move straight there unless they turn far.
  std::vector<char> is_straight = terms.is_prescribed;
  if (plan.has_rotations) {
    flag_unstrained(terms.model.kinematics, terms.is_prescribed, {n, plan.prediction.velocities}, plan.length,
                    kFarTurn, is_straight);
  }
  const RotatedSteps swings(terms.model.kinematics, is_straight, path,
                            {stop_length, find_least_turn(terms, plan)});
  move_if_better(terms.objective, swings.is_empty() ? path : swings.bend(path, 1), n);
}

bool move_to_expected(StepTerms& terms, VecX& n) {
  if (terms.expected.size() != n.size()) return false;
  VecX target = terms.expected;
  for (const Index node : terms.prescribed) target.segment<3>(3 * node) = n.segment<3>(3 * node);
  const NodePath path = {n, target - n, find_turns(terms.model.kinematics, n, target)};
  return move_if_better(terms.objective, path, n);
}

}  // namespace marrow
