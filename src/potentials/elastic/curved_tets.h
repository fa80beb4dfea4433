// Curved tets never turn over: a limit of every step, and a barrier that makes it seldom needed.
//
// The elastic energy sees the points of the quadrature only; a tet can turn over at a corner while all of
// them are well. So the limit bounds the Jacobian over the whole tet and the whole way of a step
// (geometry/curved/jacobian_path.h).
//
// A limit alone is a wall that the energy does not know: if its minimum lies behind, Newton creeps towards
// it. So the guard of materials (materials/volume_guard.h) acts at the corners and the middles of the edges
// too, where the Jacobian is smallest most often:
//
//   E = Σ V/10 k Ĵ² b(J/Ĵ)        over ten places per tet, J = det F there, k = λ + 2μ
//
// It is 0 in healthy tets. Its Hessian is k b″ ∇J ∇Jᵀ, without the part of b′, so it is positive
// semi-definite.
#pragma once

#include "geometry/curved/jacobian_path.h"
#include "kinematics/body.h"
#include "potentials/materials/material.h"
#include "potentials/potential.h"

namespace marrow {

class CurvedTetGuard final : public Potential {
 public:
  // Both must outlive this.
  CurvedTetGuard(const CurvedTets& tets, const std::vector<Material>& materials, Index node_count)
      : tets_(tets), materials_(materials), node_count_(node_count), path_(tets.order) {}

  const char* name() const override { return "curved tets"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;
  StepLimit compute_step_limit(const NodePath& path) const override;

 private:
  // Where the guard acts.
  struct ActivePlace {
    size_t place;
    Mat3 F;
  };
  const std::vector<ActivePlace>& find_active(const VecX& n) const;
  double stiffness_of(size_t place) const;

  const CurvedTets& tets_;
  const std::vector<Material>& materials_;
  Index node_count_;
  JacobianPath path_;
  StencilGroup group_;
  // Where the guard acted at the nodes last asked for: value, gradient and Hessian ask at the same ones.
  mutable VecX known_;
  mutable std::vector<ActivePlace> active_;
};

}  // namespace marrow
