// If a few nodes move the tets of a body, its elasticity is the energy of all its tets at x = W n, pulled
// back.
//
//   E(n) = Σ_e V_e Ψ(F_e(W n))        ∂E/∂n = Wᵀ ∂E/∂x        ∂²E/∂n² = Wᵀ K W
//
// Every tet counts; there is no cubature. K is the sparse matrix of the tets. Nodes come in groups, one per
// handle; the product is formed handle by handle (pulled_stencils.h). Handles that share no tet have no
// block.
//
// Within a time step the matrix may be kept: it is used again while no tet's F has changed by more than the
// patience since it was made. It stays positive semi-definite, so Newton's direction still leads downhill;
// the error of the direction is of the order of the change. For a body of stiff material the error is larger:
// a body that turns by θ seems to resist with θ² of its stiffness, which must stay below its inertia. So the
// patience is divided by √(s q), if that is more than 1: q = (λ + 2μ)/(ρ L²) [1/s²], s the weight of the
// energy beside inertia.
#pragma once

#include <memory>

#include "kinematics/body.h"
#include "potentials/elastic/elasticity.h"
#include "potentials/reduction/pulled_stencils.h"

namespace marrow {

// Decides when the Hessian is kept.
struct HessianPatience {
  double change = 0;     // the largest change of an entry of F; 0: always new
  double stiffness = 0;  // q
};

class ReducedElasticity final : public Potential {
 public:
  // Both must outlive this.
  ReducedElasticity(const ReducedElements& reduced, const std::vector<Material>& materials, Index node_count,
                    const HessianPatience& patience = {});

  const char* name() const override { return "elasticity"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;
  StepLimit compute_step_limit(const NodePath& path) const override;

  size_t stencil_count() const { return pulled_.stencil_count(); }

  // Discards the Hessian, so that later results do not depend on it.
  void forget() {
    kept_weight_ = 0;
    kept_magnitude_ = -1;
  }

 private:
  const VecX& compute_fine(const VecX& n) const;
  bool is_kept(const VecX& x, double weight) const;

  const ReducedElements& reduced_;
  HessianPatience patience_;
  std::unique_ptr<Elasticity> fine_;
  PulledStencils pulled_;
  // The positions and the weight (0: none) for which the Hessian in pulled_ was made.
  VecX kept_x_;
  double kept_weight_ = 0;
  mutable double kept_magnitude_ = -1;  // negative: none
  // The points of the last query.
  mutable VecX last_n_, last_x_;
};

// Σ V Ψ(F) over the tets of a reduced body.
double compute_elastic_energy(const ReducedElements& reduced, const std::vector<Material>& materials,
                              const VecX& n);

}  // namespace marrow
