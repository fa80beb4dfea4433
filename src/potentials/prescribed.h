// An augmented Lagrangian draws prescribed nodes to their targets if they cannot move there directly:
//
//   E = Σ_k  κ m_k/2 |n_k − t_k|² − √m_k λ_k·(n_k − t_k)
//
// κ and λ are raised between solves (thesis, section 2 and appendix A). m_k makes κ a pure number.
#pragma once

#include "potentials/potential.h"

namespace marrow {

class PrescribedPull final : public Potential {
 public:
  // masses: one per node of the list [kg], positive.
  PrescribedPull(std::vector<Index> nodes, std::vector<double> masses, Index node_count);

  // New targets, one per node of the list; multipliers and stiffness are reset.
  void reset(Points targets);

  // After a solve: λ grows by the remaining distance, or κ doubles if little progress was made.
  void tighten(const VecX& n, bool raise_stiffness);

  // The largest force that draws a node to its target [kg m].
  double compute_largest_force(const VecX& n) const;

  const char* name() const override { return "prescribed"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override { return std::abs(compute_value(n)); }
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;

 private:
  std::vector<Index> nodes_;
  std::vector<double> masses_;
  Points targets_;
  Points multipliers_;
  double stiffness_ = 0;
  StencilGroup group_;
};

}  // namespace marrow
