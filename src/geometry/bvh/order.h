// The order of boxes along a space-filling curve.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/types.h"
#include "geometry/bvh/aabb.h"

namespace marrow {

// Sorts ids by the place of their boxes' centres on the Hilbert curve, with 2¹¹ cells along the longest side
// of all centres; where more than a few share a cell, with 2²⁰. Keeps its memory.
class BvhOrder {
 public:
  // The sorted ids, valid until the next call.
  std::span<const Index> compute(std::span<const Index> ids, std::span<const Aabb> boxes);

 private:
  void sort_digit(int shift);
  template <class CodeOf>
  void refine_runs(const CodeOf& code_of);

  std::vector<std::uint64_t> keys_, spare_;  // place on the curve, then place in ids
  std::vector<Index> places_;                // by chunk and digit
  std::vector<Index> order_;
};

}  // namespace marrow
