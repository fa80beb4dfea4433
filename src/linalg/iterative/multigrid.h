// Algebraic multigrid by smoothed aggregation over 3×3 blocks: a preconditioner for conjugate gradients.
//
// Each level joins nodes to groups (linalg/iterative/aggregation.h), which can move as rigid bodies:
//
//   P = (1 − ω D⁻¹ A) Q,     A_coarse = Pᵀ A P,     ω = 4/3 of the inverse of D⁻¹A's largest eigenvalue
//
// A cycle smooths, corrects on the coarser level and smooths again, with the same Chebyshev polynomial of
// M⁻¹A, so it is symmetric. M is block diagonal: the diagonal blocks of A, and *one* block for all groups
// with a stiff node, which is factorised. So contacts, however stiff, are solved exactly within a level
// (compare "AMG with filtering", docs/references.md), and so are the unknowns that are no points. The
// coarsest level is factorised.
//
// Levels depend on the matrix and on the description of the nodes, and not on threads.
#pragma once

#include <memory>

#include "linalg/iterative/aggregation.h"
#include "linalg/linear_solver.h"

namespace marrow {

class Multigrid {
 public:
  LinearStatus build(const BlockMatrix& A, const SystemNodes& nodes);

  // Takes a matrix over the same nodes that differs little, or in what its stiff nodes do: on the finest
  // level only. The coarser ones stay as they were built.
  LinearStatus update(const BlockMatrix& A, const SystemNodes& nodes);

  // Takes the largest eigenvalues to be larger: if a cycle was not positive definite, they were
  // underestimated.
  void widen();

  // Of the matrix it was built for; 0: none.
  Index node_count() const { return levels_.empty() ? 0 : levels_.front().A.rows(); }

  // z = one cycle for A z = r, from zero.
  void apply(const VecX& r, VecX& z);

  // y = A x.
  void multiply(const VecX& x, VecX& y) const { marrow::multiply(levels_.front().A, x, y); }

  size_t level_count() const { return levels_.size(); }
  // The blocks of all levels' matrices, over those of the finest.
  double compute_complexity() const;

 private:
  // M⁻¹ of a level.
  struct BlockDiagonal {
    std::vector<Mat6> inverses;     // by group
    std::vector<Index> stiff_rows;  // the block rows of the stiff groups, ascending
    BlockMatrix stiff;              // their part of A
    std::unique_ptr<LinearSolver> stiff_solver;
    VecX b, x;
  };
  struct Level {
    NodeGroups groups;
    BlockRows A, P, restriction;  // P: to this level from the next one; empty at the coarsest
    BlockDiagonal M;
    double largest = 1;  // eigenvalue of M⁻¹ A
    VecX x, b, residual, step, scaled;
  };
  LinearStatus add_level(BlockRows A, NodeGroups groups);
  static LinearStatus invert_diagonal(Level& level);
  bool add_prolongation(Level& level, NodeGroups& coarse);
  LinearStatus factorize_coarsest();
  void cycle(size_t at);
  static void solve_blocks(Level& level, const VecX& r, VecX& z);
  static void smooth(Level& level, bool is_from_zero);

  std::vector<Level> levels_;
  BlockMatrix coarsest_;
  std::unique_ptr<LinearSolver> coarsest_solver_;
};

}  // namespace marrow
