// Sums of outer products: H = Σ r rᵀ over a few nodes, where many r come together, as those of all contacts
// between two stiff bodies do.
//
// AVX-512 or AVX2 is chosen when the processor has it; the results are the same bits without.
#pragma once

#include <span>
#include <vector>

#include "core/types.h"

namespace marrow {

class OuterProducts {
 public:
  // From zero, over so many nodes.
  void start(size_t node_count);

  // One more r, to be filled in before the next is added: a vector for each node.
  std::span<Vec3> add_column();

  // The blocks (0,0), (0,1), …, (1,1), …: row a, column b, a <= b.
  void write(std::span<Mat3> blocks);

 private:
  void flush();

  size_t node_count_ = 0, size_ = 0, column_count_ = 0;
  bool is_empty_ = true;               // nothing is in sum_ yet
  std::vector<double> columns_, sum_;  // with size_ numbers a column: those of the nodes, and zeros
};

}  // namespace marrow
