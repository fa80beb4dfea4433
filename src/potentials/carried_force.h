// Newmark carries forces over from the start of a step: E = a·(n − n₀), with a the gradient there.
#pragma once

#include "potentials/potential.h"

namespace marrow {

class CarriedForce final : public Potential {
 public:
  void set(VecX gradient, VecX start) {
    gradient_ = std::move(gradient);
    start_ = std::move(start);
  }

  const char* name() const override { return "carried_force"; }
  double compute_value(const VecX& n) const override { return gradient_.dot(n - start_); }
  double compute_magnitude(const VecX& n) const override {
    return gradient_.cwiseAbs().dot((n - start_).cwiseAbs());
  }
  void add_gradient(const VecX& /*n*/, double weight, VecX& g) override { g += weight * gradient_; }
  const StencilGroup* update_hessian(const VecX& /*n*/, double /*weight*/) override { return nullptr; }

 private:
  VecX gradient_;
  VecX start_;
};

}  // namespace marrow
