// Symmetric sparse matrix of 3×3 blocks: the lower triangle, column by column, rows ascending.
//
// Block (i, j) couples the nodes i and j. Only i >= j is stored; diagonal blocks are stored whole.
#pragma once

#include <cstdint>

#include "core/types.h"

namespace marrow {

// Which blocks there are. Shared by every matrix that has the same couplings.
struct BlockPattern {
  std::vector<Index> column_offsets;  // node count + 1
  std::vector<Index> rows;            // row node of every block
  std::uint64_t version = 0;  // changes whenever the blocks change: solvers reuse their analysis until then

  Index node_count() const { return static_cast<Index>(column_offsets.size()) - 1; }
  size_t block_count() const { return rows.size(); }
};

struct BlockMatrix {
  BlockPattern pattern;
  std::vector<Mat3> blocks;

  Index node_count() const { return pattern.node_count(); }
};

// y = A x.
void multiply(const BlockMatrix& A, const VecX& x, VecX& y);

// The blocks of A as one dense matrix, for small systems and tests.
MatX to_dense(const BlockMatrix& A);

// Takes nodes out of the system: their rows and columns become those of the identity. The pattern stays.
void eliminate_nodes(const std::vector<char>& is_eliminated, BlockMatrix& A);

}  // namespace marrow
