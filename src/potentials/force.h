// Given forces on nodes have the energy E = −Σ_l Σ_i w_li f_l(t) · (n_i − reference_i).
//
// A load has a formula for its vector and a weight per node: the node's mass if it is an acceleration, a
// share of the whole if it is a force. A torque τ on masses m_i at r_i from their centre is the forces
// m_i (J⁻¹τ) × r_i, with which they start to turn as one; the forces are constant through a step.
#pragma once

#include "math/expression.h"
#include "potentials/potential.h"

namespace marrow {

struct NodalLoad {
  std::vector<Index> nodes;
  std::vector<double> weights;  // one per node: [kg] if the value is an acceleration or torque, else a number
  VectorExpression value;       // [m/s²], [N] or [N m]
  bool is_torque = false;
};

class Loads final : public Potential {
 public:
  // reference: positions of zero energy.
  Loads(std::vector<NodalLoad> loads, VecX reference);

  // Sets the forces to those of time t, with the nodes at n; initially they are those of time 0.
  void set_time(double t, const VecX& n);

  const char* name() const override { return "loads"; }
  double compute_value(const VecX& n) const override { return -force_.dot(n - reference_); }
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& /*n*/, double /*weight*/) override { return nullptr; }

 private:
  std::vector<NodalLoad> loads_;
  VecX reference_;
  VecX force_;
};

}  // namespace marrow
