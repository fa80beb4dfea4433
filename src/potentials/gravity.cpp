#include "potentials/gravity.h"

#include <cmath>

#include "exec/parallel.h"

namespace marrow {

Gravity::Gravity(const ScalarMatrix& mass, const Vec3& acceleration, VecX reference)
    : reference_(std::move(reference)) {
  multiply(mass, acceleration.replicate(mass.rows(), 1), force_);
}

double Gravity::compute_value(const VecX& n) const {
  return exec::parallel_sum("gravity.value", static_cast<size_t>(n.size()), [&](size_t k) {
    const Index i = static_cast<Index>(k);
    return -force_[i] * (n[i] - reference_[i]);
  });
}

double Gravity::compute_magnitude(const VecX& n) const {
  return exec::parallel_sum("gravity.magnitude", static_cast<size_t>(n.size()), [&](size_t k) {
    const Index i = static_cast<Index>(k);
    return std::abs(force_[i]) * (std::abs(n[i]) + std::abs(reference_[i]));
  });
}

void Gravity::add_gradient(const VecX& /*n*/, double weight, VecX& g) { g -= weight * force_; }

}  // namespace marrow
