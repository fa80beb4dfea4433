// Sparse matrices of 3×3 blocks, all blocks stored row by row: the products of multigrid.
//
// Columns ascend within a row. Every result is the same on any number of threads.
#pragma once

#include "linalg/block_matrix.h"

namespace marrow {

struct BlockRows {
  Index columns = 0;
  std::vector<Index> offsets = {0};  // rows + 1
  std::vector<Index> indices;
  std::vector<Mat3> blocks;

  Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
};

// All blocks of a symmetric matrix.
BlockRows expand_rows(const BlockMatrix& A);

// The lower triangle of a symmetric matrix over the rows and columns that are listed, ascending.
BlockMatrix select_rows(const BlockRows& A, const std::vector<Index>& selected);

// y = A x.
void multiply(const BlockRows& A, const VecX& x, VecX& y);

// r = b − A x.
void subtract_product(const BlockRows& A, const VecX& x, const VecX& b, VecX& r);

// a · b.
double dot(const VecX& a, const VecX& b);

// A B.
BlockRows multiply(const BlockRows& A, const BlockRows& B);

// The same if the product is symmetric: half of it is computed.
BlockRows multiply_symmetric(const BlockRows& A, const BlockRows& B);

BlockRows transpose(const BlockRows& A);

}  // namespace marrow
