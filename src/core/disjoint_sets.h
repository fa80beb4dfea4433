// Numbers 0 … n − 1 in sets that can be joined. A set goes by its smallest number.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace marrow {

class DisjointSets {
 public:
  explicit DisjointSets(size_t count) : parents_(count) { std::iota(parents_.begin(), parents_.end(), 0); }

  size_t find(size_t i) {
    while (parents_[i] != i) i = parents_[i] = parents_[parents_[i]];
    return i;
  }

  void join(size_t a, size_t b) {
    a = find(a);
    b = find(b);
    parents_[std::max(a, b)] = std::min(a, b);
  }

  size_t count_sets() const {
    size_t count = 0;
    for (size_t i = 0; i < parents_.size(); ++i) count += parents_[i] == i ? 1 : 0;
    return count;
  }

 private:
  std::vector<size_t> parents_;
};

}  // namespace marrow
