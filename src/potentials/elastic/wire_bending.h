// The bending energy of wires is E = Σ ½ (B/L) (|κ| − κ₀)² over the points between two edges, B = E I,
// I = π d⁴/64.
//
// κ is the curvature vector of kinematics/elements/codimensional.h, κ₀ its length at rest. It grows without
// bound as the wire folds back on itself. For κ₀ > 0 only the angle by which the wire turns matters, not the
// plane.
//
//   g = k (1 − κ₀/|κ|) Jᵀκ,    H = k Jᵀ (r rᵀ + max(0, 1 − κ₀/|κ|) (I − r rᵀ)) J,    k = B/L, r = κ/|κ|, J =
//   ∂κ/∂x
//
// H leaves out ∂²κ/∂x² (Gauss–Newton): it is exact at rest, and always positive semi-definite. With
// q = |a||b| + a·b:
//
//   ∂κ/∂a = (−2 [b]× − κ ⊗ (|b| a/|a| + b))/q        ∂κ/∂b = (2 [a]× − κ ⊗ (|a| b/|b| + a))/q
#pragma once

#include "kinematics/elements/codimensional.h"
#include "potentials/materials/material.h"
#include "potentials/potential.h"

namespace marrow {

// The sum over all joints.
double compute_bending_energy(const WireBends& bends, const std::vector<Material>& materials, const VecX& n);

class WireBending final : public Potential {
 public:
  // bends must outlive this.
  WireBending(const WireBends& bends, const std::vector<Material>& materials, Index node_count);

  const char* name() const override { return "wire bending"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  const WireBends& bends_;
  std::vector<double> stiffnesses_;  // B/L [J]
  StencilGroup group_;
};

}  // namespace marrow
