// The plan of a multifrontal Cholesky factorisation over 3×3 blocks: which nodes are eliminated together (a
// front), in which order, and which later nodes they touch.
//
// Fronts form a tree: a front hands its update to its parent alone. Children come before their parents, so
// walking the list in order is a valid elimination. The tree depends on the pattern and the order only.
#pragma once

#include "linalg/block_matrix.h"

namespace marrow {

struct Front {
  Index first = 0;  // its columns, in elimination order: first … first + width − 1
  Index width = 0;
  std::vector<Index> rows;  // the later columns it touches, ascending
  Index parent = kNone;
  size_t panel = 0;       // where its part of the factor starts: (width + rows) × width blocks
  bool is_tiled = false;  // so large that it is eliminated in tiles

  Index height() const { return width + static_cast<Index>(rows.size()); }
  // Multiplications, up to a factor.
  double compute_work() const {
    const double w = width, h = height();
    return w * h * h;
  }
};

// Fronts that one thread eliminates, in their order: a whole subtree of little work, or one front above
// those.
struct FrontTask {
  Index first, last;  // fronts; subtrees are contiguous
};

struct FrontTree {
  std::vector<Index> order;     // order[k]: the node eliminated as the k-th
  std::vector<Index> position;  // its inverse
  std::vector<Front> fronts;
  std::vector<std::vector<Index>> children;  // by front
  size_t panel_size = 0;                     // of all panels, in numbers
  double work = 0;

  // The tasks are a forest: a task waits for those of which it is the parent, a later one. It does not depend
  // on the number of threads.
  std::vector<FrontTask> tasks;
  std::vector<Index> task_parents;

  // Going forward, a front takes its columns times its rows from the rows. Rows beyond the front's task are
  // kept for the task they belong to: of front f from kept_starts[f] on, in the order of f. Column c takes
  // those numbered kept_sources[kept_offsets[c]] …, ascending.
  std::vector<Index> kept_starts, kept_offsets, kept_sources;
  Index kept_count = 0;
};

// node_order: a fill-reducing order of the nodes, which the tree refines.
FrontTree build_front_tree(const BlockPattern& pattern, const std::vector<Index>& node_order);

}  // namespace marrow
