// The elastic energy of all elements is E = Σ_e V_e Ψ(F_e), F = Σ_k n_k ⊗ ∇w_k.
//
// The Hessian is projected element by element in the frame of the principal stretches, where it splits into
// one 3×3 block (scaling) and six scalars (twist, flip): no 9×9 eigen-solve. With F = U diag(s) Vᵀ and g_a =
// Vᵀ∇w_a the block of the nodes a, b is U B Uᵀ with
//
//   B_ii = A_ii g_a,i g_b,i + Σ_{j≠i} p_ij g_a,j g_b,j        p_ij = (flip + twist)/2
//   B_ij = A_ij g_a,i g_b,j + q_ij g_a,j g_b,i                q_ij = (flip − twist)/2
//
// Elements that follow each other with the same nodes, as the points of quadrature of a curved tet, share a
// stencil, in which they are summed.
//
// Triangles of shells and edges of wires are elements of lower dimension, with laws of their own
// (thin_materials.h) but the same frame: their missing stretches are zero and meet no gradient.
#pragma once

#include "kinematics/elements/elements.h"
#include "potentials/materials/material.h"
#include "potentials/potential.h"

namespace marrow {

// Σ V Ψ(F) over all elements.
double compute_elastic_energy(const Elements& elements, const std::vector<Material>& materials,
                              const VecX& n);

class Elasticity final : public Potential {
 public:
  // Both must outlive this.
  Elasticity(const Elements& elements, const std::vector<Material>& materials, Index node_count);

  const char* name() const override;
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;
  const StencilGroup* update_exact_hessian(const VecX& n, double weight) override;

  // The material of each stencil.
  std::vector<Index> list_stencil_materials() const;

  // No step may take more than nine tenths of an element's present volume (area, length).
  StepLimit compute_step_limit(const NodePath& path) const override;

 private:
  template <class Function>
  void write_hessian(const VecX& n, double weight, const Function& make_frame_hessian);

  const Elements& elements_;
  const std::vector<Material>& materials_;
  bool sums_to_zero_;           // constants do not strain
  std::vector<size_t> firsts_;  // the first element of each stencil, and the end
  StencilGroup group_;
};

}  // namespace marrow
