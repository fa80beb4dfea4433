// Damping is proportional to stiffness, and lagged: over a step of length h from nᵗ,
//
//   E(n) = 1/(2h) Σ_e β_e (n − nᵗ)ᵀ K_e(nᵗ) (n − nᵗ)
//
// whose force is −β K v with v = (n − nᵗ)/h. K_e is the elastic Hessian of an element at the start of the
// step, projected to be positive semi-definite, so damping never adds energy, and it does not see
// translations: linear momentum is kept. A mode of frequency ω decays as exp(−β ω² t/2). β [s] is the
// material's damping. Rotation is slightly damped: over a finite step a straight line is not a rotation, and
// stressed elements resist rotation by themselves.
#pragma once

#include "potentials/potential.h"

namespace marrow {

class Damping final : public Potential {
 public:
  // times: β of each stencil of the source's Hessian. The source must outlive this.
  Damping(Potential& source, std::vector<double> times, Index node_count);

  // Sets the start of the step and its length [s]. Must be called before the first use.
  void set_start(const VecX& n, double h);

  const char* name() const override { return "damping"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  void take_stencils(const StencilGroup& group);

  Potential& source_;
  std::vector<double> times_;
  Index node_count_;
  std::vector<size_t> stencils_;  // the source's stencils that are damped
  VecX start_;
  std::vector<Mat3> stiffness_;  // β/h K_e, in the order of the group's blocks
  StencilGroup group_;
  double hessian_weight_ = 0;  // the blocks of the group are the stiffness times this
};

}  // namespace marrow
