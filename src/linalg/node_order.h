// A fill-reducing order of the nodes of a block matrix: nested dissection, or minimum degree for small ones.
#pragma once

#include "linalg/block_matrix.h"

namespace marrow {

// order[k]: the node to be eliminated as the k-th. It depends on the pattern alone.
std::vector<Index> compute_node_order(const BlockPattern& pattern);

}  // namespace marrow
