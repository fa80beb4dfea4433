#include "potentials/force.h"

namespace marrow {

Loads::Loads(std::vector<NodalLoad> loads, VecX reference)
    : loads_(std::move(loads)), reference_(std::move(reference)) {
  set_time(0);
}

void Loads::set_time(double t) {
  force_ = VecX::Zero(reference_.size());
  for (const NodalLoad& load : loads_) {
    const Vec3 value = load.value.evaluate(t);
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
