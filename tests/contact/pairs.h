// Lists of index pairs, for comparison.
#pragma once

#include <algorithm>
#include <vector>

#include "contact/candidates.h"

namespace marrow::test {

using Pairs = std::vector<IndexPair>;

inline Pairs sorted(Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace marrow::test
