// Algebraic multigrid by smoothed aggregation over 3×3 blocks: a preconditioner for conjugate gradients.
//
// Strongly coupled nodes form aggregates, each a node of the next coarser level. The prolongation P follows
// the three translations (constant vectors), smoothed once by damped Jacobi; the coarser matrix is Pᵀ A P.
// One cycle goes down and up once, with the same number of Jacobi sweeps before and after, so it is
// symmetric. Levels depend on the matrix alone, not on threads.
#pragma once

#include "linalg/block_matrix.h"

namespace marrow {

// All blocks, row by row.
struct BlockRows {
  Index columns = 0;
  std::vector<Index> offsets = {0};
  std::vector<Index> indices;
  std::vector<Mat3> blocks;

  Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
};

BlockRows expand_rows(const BlockMatrix& A);

class Multigrid {
 public:
  // false: a diagonal block is singular, or the coarsest matrix is not positive definite.
  bool build(const BlockMatrix& A);

  // z = one cycle for A z = r, from zero.
  void apply(const VecX& r, VecX& z);

  size_t level_count() const { return levels_.size(); }

 private:
  struct Level {
    BlockRows A, P;             // P: to this level from the next one; empty at the coarsest
    BlockRows restriction;      // Pᵀ
    std::vector<Mat3> inverse;  // of the diagonal
    double damping = 1;         // of Jacobi
    VecX x, b, residual;
  };
  bool add_level(BlockRows A);
  void cycle(size_t level);

  std::vector<Level> levels_;
  MatX coarsest_;  // its Cholesky factor
};

}  // namespace marrow
