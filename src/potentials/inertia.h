// The inertia term is E = ½ (n − ñ)ᵀ (M ⊗ I₃) (n − ñ). ñ is the integrator's prediction without forces
// (sim/terms/integrator.h).
#pragma once

#include "linalg/scalar_matrix.h"
#include "potentials/potential.h"

namespace marrow {

class Inertia final : public Potential {
 public:
  // mass: symmetric, nodes × nodes; must outlive this.
  explicit Inertia(const ScalarMatrix& mass);

  // Sets the prediction ñ.
  void set_target(VecX target) { target_ = std::move(target); }

  const char* name() const override { return "inertia"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override { return std::abs(compute_value(n)); }
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  const ScalarMatrix& mass_;
  VecX target_;
  StencilGroup group_;
  std::vector<Index> entries_;  // of the mass matrix, one per stencil
  double hessian_weight_ = 0;   // with which the blocks were made
};

}  // namespace marrow
