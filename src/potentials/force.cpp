#include "potentials/force.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace marrow {
namespace {

// The forces of a torque on the nodes.
void add_torque(const NodalLoad& load, const Vec3& torque, const VecX& n, VecX& force) {
  Vec3 center = Vec3::Zero();
  double mass = 0;
  for (size_t k = 0; k < load.nodes.size(); ++k) {
    center += load.weights[k] * n.segment<3>(3 * load.nodes[k]);
    mass += load.weights[k];
  }
  center /= mass;
  Mat3 J = Mat3::Zero();
  for (size_t k = 0; k < load.nodes.size(); ++k) {
    const Vec3 r = n.segment<3>(3 * load.nodes[k]) - center;
    J += load.weights[k] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  const Vec3 turn = J.inverse() * torque;
  for (size_t k = 0; k < load.nodes.size(); ++k) {
    const Vec3 r = n.segment<3>(3 * load.nodes[k]) - center;
    force.segment<3>(3 * load.nodes[k]) += load.weights[k] * turn.cross(r);
  }
}

}  // namespace

Loads::Loads(std::vector<NodalLoad> loads, VecX reference)
    : loads_(std::move(loads)), reference_(std::move(reference)) {
  set_time(0, reference_);
}

void Loads::set_time(double t, const VecX& n) {
  force_ = VecX::Zero(reference_.size());
  for (const NodalLoad& load : loads_) {
    const Vec3 value = load.value.evaluate(t);
    if (load.is_torque) {
      add_torque(load, value, n, force_);
      continue;
    }
    for (size_t k = 0; k < load.nodes.size(); ++k) {
      force_.segment<3>(3 * load.nodes[k]) += load.weights[k] * value;
    }
  }
}

double Loads::compute_magnitude(const VecX& n) const {
  return force_.cwiseAbs().dot(n.cwiseAbs() + reference_.cwiseAbs());
}

void Loads::add_gradient(const VecX& /*n*/, double weight, VecX& g) { g -= weight * force_; }

}  // namespace marrow
