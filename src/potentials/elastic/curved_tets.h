// Curved tets never turn over: no energy, but a limit of every step.
//
// The elastic energy sees the points of the quadrature only; an element can turn over at a corner while all
// of them are well. So the limit bounds the Jacobian over the whole tet and the whole way of a step
// (geometry/curved/jacobian_path.h).
#pragma once

#include "geometry/curved/jacobian_path.h"
#include "kinematics/body.h"
#include "potentials/potential.h"

namespace marrow {

class CurvedTetLimit final : public Potential {
 public:
  // tets must outlive this.
  explicit CurvedTetLimit(const CurvedTets& tets) : tets_(tets), path_(tets.order) {}

  const char* name() const override { return "curved tets"; }
  double compute_value(const VecX& /*n*/) const override { return 0; }
  double compute_magnitude(const VecX& /*n*/) const override { return 0; }
  void add_gradient(const VecX& /*n*/, double /*weight*/, VecX& /*g*/) override {}
  const StencilGroup* update_hessian(const VecX& /*n*/, double /*weight*/) override { return nullptr; }
  StepLimit compute_step_limit(const NodePath& path) const override;

 private:
  const CurvedTets& tets_;
  JacobianPath path_;
};

}  // namespace marrow
