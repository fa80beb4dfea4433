// Pulled stencils turn a potential of the points x = W n of a body into one of its nodes: ∂E/∂n = Wᵀ ∂E/∂x,
// ∂²E/∂n² = Wᵀ K W.
//
// Nodes come in groups, one per handle (pull_back.h). There is one stencil for each two groups that share an
// element, so there are as many blocks as the matrix has, however many elements there are.
#pragma once

#include "linalg/assembly.h"
#include "potentials/reduction/pull_back.h"

namespace marrow {

// x = W n; the columns of W are the nodes from first_node on.
void compute_weighted_points(const ScalarMatrix& W, Index first_node, const VecX& n, VecX& x);

class PulledStencils {
 public:
  // The nodes of a body among all.
  struct Nodes {
    Index first = 0;
    std::vector<Index> groups;  // the first node of each within the body, and the end; at most 12 in one
    Index count = 0;            // of all bodies
  };

  // elements: the points of each (offsets into points).
  PulledStencils(const ScalarMatrix& W, const Nodes& nodes, std::span<const Index> offsets,
                 std::span<const Index> points);

  size_t stencil_count() const { return group_.stencil_count(); }
  const StencilGroup& group() const { return group_; }

  // g += Wᵀ f.
  void add_gradient(const VecX& f, VecX& g) const;

  // Takes the Hessian of the elements.
  void update(const StencilGroup& elements);

 private:
  void build_stencils();
  void write_group(Index j);

  Nodes nodes_;
  PullBack pull_back_;
  BlockAssembler assembler_;
  BlockMatrix K_;
  StencilGroup group_;
  Index point_count_;
  std::vector<size_t> first_stencils_;  // of each group
};

}  // namespace marrow
