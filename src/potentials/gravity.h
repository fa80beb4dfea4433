// Gravity is the weight in a uniform field: E = −Σ_ij M_ij a·n_j, measured from the initial positions of the
// nodes.
#pragma once

#include "linalg/scalar_matrix.h"
#include "potentials/potential.h"

namespace marrow {

class Gravity final : public Potential {
 public:
  // acceleration [m/s²]; reference: positions of zero energy.
  Gravity(const ScalarMatrix& mass, const Vec3& acceleration, VecX reference);

  const char* name() const override { return "gravity"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& /*n*/, double /*weight*/) override { return nullptr; }

 private:
  VecX force_;
  VecX reference_;
};

}  // namespace marrow
