#include "sim/model/make_grab.h"

#include <cmath>
#include <map>
#include <numeric>

#include "mesh/point_box.h"

namespace marrow {
namespace {

constexpr double kStandardGravity = 9.81;  // [m/s²] [derived: that of the Earth]
// The spring is as stiff as stretches it by this fraction of the body's diagonal under its weight. Less:
// the body is nearer to the pointer, and jerks more. [D35]
constexpr double kSag = 0.02;

}  // namespace

Grab make_grab(const Model& model, const HeldPoint& held, const Vec3& target, double strength) {
  const Body& body = model.kinematics.bodies[static_cast<size_t>(held.body)];
  std::map<Index, double> by_node;
  for (size_t i = 0; i < held.points.size(); ++i) {
    for (Index k = body.W.offsets[held.points[i]]; k < body.W.offsets[held.points[i] + 1]; ++k) {
      by_node[body.first_node + body.W.indices[k]] += held.weights[i] * body.W.values[k];
    }
  }
  Grab grab;
  for (const auto& [node, weight] : by_node) {
    grab.point.nodes.push_back(node);
    grab.point.weights.push_back(weight);
  }
  const double mass = std::accumulate(body.mass.values.begin(), body.mass.values.end(), 0.0);
  const double weight = mass * std::max(model.gravity.norm(), kStandardGravity);
  const double diagonal = compute_box(body.rest.points).diagonal().norm();
  grab.target = target;
  // A single point has no size; the model's stands for it.
  grab.stiffness = weight / (kSag * (diagonal > 0 ? diagonal : model.size));
  grab.damping = 2 * std::sqrt(grab.stiffness * mass);
  grab.most_force = strength * weight;
  return grab;
}

}  // namespace marrow
