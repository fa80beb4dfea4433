#include "potentials/inertia.h"

#include "exec/parallel.h"

namespace marrow {

Inertia::Inertia(const ScalarMatrix& mass) : mass_(mass) {
  // One stencil per entry of the upper triangle: (i) on the diagonal, (i, j) off it.
  std::vector<Index> offsets = {0}, nodes;
  for (Index i = 0; i < mass.rows(); ++i) {
    for (Index k = mass.offsets[i]; k < mass.offsets[i + 1]; ++k) {
      if (mass.indices[k] < i) continue;
      nodes.push_back(i);
      if (mass.indices[k] > i) nodes.push_back(mass.indices[k]);
      offsets.push_back(static_cast<Index>(nodes.size()));
      entries_.push_back(k);
    }
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), mass.rows());
}

double Inertia::compute_value(const VecX& n) const {
  const VecX d = n - target_;
  return exec::parallel_sum("inertia.value", static_cast<size_t>(mass_.rows()), [&](size_t i) {
    Vec3 momentum = Vec3::Zero();
    for (Index k = mass_.offsets[i]; k < mass_.offsets[i + 1]; ++k) {
      momentum += mass_.values[k] * d.segment<3>(3 * mass_.indices[k]);
    }
    return 0.5 * momentum.dot(d.segment<3>(3 * static_cast<Index>(i)));
  });
}

void Inertia::add_gradient(const VecX& n, double weight, VecX& g) {
  VecX force;
  multiply(mass_, n - target_, force);
  g += weight * force;
}

const StencilGroup* Inertia::update_hessian(const VecX& /*n*/, double weight) {
  if (weight == hessian_weight_) return &group_;
  exec::parallel_for("inertia.hessian", entries_.size(), [&](size_t e) {
    const std::span<Mat3> blocks = group_.blocks_of(e);
    for (Mat3& block : blocks) block.setZero();
    // (0,0) of a single node, or (0,1) of a pair.
    blocks[blocks.size() == 1 ? 0 : 1] = weight * mass_.values[entries_[e]] * Mat3::Identity();
  });
  hessian_weight_ = weight;
  return &group_;
}

}  // namespace marrow
