// Elasticity of a body whose tets move by few nodes: the energy of all its tets at x = W n, pulled back.
//
//   E(n) = Σ_e V_e Ψ(F_e(W n))        ∂E/∂n = Wᵀ ∂E/∂x        ∂²E/∂n² = Wᵀ K W
//
// Every tet counts; there is no cubature. K is the sparse matrix of the tets. Nodes come in groups of four,
// one per handle; the product is formed handle by handle as Y_j = K W_j over the points that handle j
// reaches, then H_ij = W_iᵀ Y_j, so that no matrix of points × nodes is ever stored. Handles that share no
// tet have no block.
#pragma once

#include <memory>

#include "kinematics/body.h"
#include "potentials/elasticity.h"

namespace marrow {

class ReducedElasticity final : public Potential {
 public:
  // Both must outlive this.
  ReducedElasticity(const ReducedElements& reduced, const std::vector<Material>& materials, Index node_count);

  const char* name() const override { return "elasticity"; }
  double compute_value(const VecX& n) const override;
  double compute_magnitude(const VecX& n) const override;
  void add_gradient(const VecX& n, double weight, VecX& g) override;
  const StencilGroup* update_hessian(const VecX& n, double weight) override;
  StepLimit compute_step_limit(const NodePath& path) const override;

  size_t stencil_count() const { return group_.stencil_count(); }

 private:
  // A point's row of W for one handle.
  struct HandleWeights {
    Index handle;
    std::array<double, 4> weights;
  };
  // A neighbour of a point in K.
  struct Neighbor {
    Index point;
    Index block;
    bool is_transposed;
  };

  VecX compute_fine(const VecX& n) const;
  void build_rows();
  void build_handle_points();
  void build_stencils(Index node_count);
  void build_neighbors();
  void pull_back_handle(Index j);

  const ReducedElements& reduced_;
  std::unique_ptr<Elasticity> fine_;
  BlockAssembler assembler_;
  BlockMatrix K_;
  std::uint64_t neighbors_version_ = 0;
  StencilGroup group_;

  Index handle_count_ = 0;
  std::vector<Index> row_offsets_;  // points + 1
  std::vector<HandleWeights> rows_;
  std::vector<Index> handle_offsets_;              // handles + 1, into handle_rows_
  std::vector<std::array<Index, 2>> handle_rows_;  // the point and its entry in rows_
  std::vector<Index> neighbor_offsets_;
  std::vector<Neighbor> neighbors_;
  std::vector<Index> stencil_offsets_;   // handles + 1: the stencils (i, j), i <= j, of each j
  std::vector<Index> stencil_partners_;  // i of each stencil, ascending for each j
};

// Σ V Ψ(F) over the tets of a reduced body.
double compute_elastic_energy(const ReducedElements& reduced, const std::vector<Material>& materials,
                              const VecX& n);

}  // namespace marrow
