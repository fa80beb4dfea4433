// The bending energy of shells is E = Σ ½ Δθᵀ Q Δθ over triangles, with Δθ the change of the angles at the
// three edges.
//
// Q is the energy of Kirchhoff's plate for the curvature S that the angles make
// (kinematics/elements/codimensional.h),
//
//   A D ½ ((tr S)² − 2 (1 − ν) det S),      D = E h³/(12 (1 − ν²)),      h the thickness
//
// with the angles of free edges eliminated (Q_kk − Q_kf Q_ff⁻¹ Q_fk): no moment acts on them, so a narrow
// strip bends with E h³/12 per width.
//
// The gradient of an angle about the edge e = x1 − x0, with n₁ = e × (near − x0), n₂ = (far − x0) × e:
//
//   ∂θ/∂near = −|e| n₁/|n₁|²      ∂θ/∂far = −|e| n₂/|n₂|²      the edge's ends take the rest, as a lever does
//
// The Hessian is Gauss–Newton, (∂θ/∂x)ᵀ Q (∂θ/∂x): exact at rest, and always positive semi-definite. The part
// left out is the moment times ∂²θ/∂x², small beside the membrane's share unless folds are sharp.
#pragma once

#include "kinematics/elements/codimensional.h"
#include "potentials/materials/material.h"
#include "potentials/potential.h"

namespace marrow {

// The sum over all triangles.
double compute_bending_energy(const ShellBends& bends, const std::vector<Material>& materials, const VecX& n);

class ShellBending final : public Potential {
 public:
  // bends must outlive this.
  ShellBending(const ShellBends& bends, const std::vector<Material>& materials, Index node_count);

  const char* name() const override { return "shell bending"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  const ShellBends& bends_;
  std::vector<Mat3> forms_;  // Q [J]
  StencilGroup group_;
};

}  // namespace marrow
