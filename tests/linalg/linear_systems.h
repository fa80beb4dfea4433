// Systems to solve in tests.
#pragma once

#include "linalg/block_matrix.h"

namespace marrow::test {

struct GridSize {
  Index x, y, z;
};

// A grid of nodes, each held by its neighbours: the matrix of a mattress with an almost free frame.
inline BlockMatrix make_grid(const GridSize& size) {
  BlockMatrix A;
  const auto at = [&](Index x, Index y, Index z) { return (z * size.y + y) * size.x + x; };
  A.pattern.column_offsets = {0};
  A.pattern.version = static_cast<std::uint64_t>((size.z << 20) + (size.y << 10) + size.x);
  for (Index z = 0; z < size.z; ++z) {
    for (Index y = 0; y < size.y; ++y) {
      for (Index x = 0; x < size.x; ++x) {
        const Index neighbours =
            (x > 0) + (y > 0) + (z > 0) + (x + 1 < size.x) + (y + 1 < size.y) + (z + 1 < size.z);
        A.pattern.rows.push_back(at(x, y, z));
        A.blocks.push_back((neighbours + 1e-4) * Mat3::Identity());
        const Index next[3][3] = {{x + 1, y, z}, {x, y + 1, z}, {x, y, z + 1}};
        for (const auto& p : next) {
          if (p[0] >= size.x || p[1] >= size.y || p[2] >= size.z) continue;
          A.pattern.rows.push_back(at(p[0], p[1], p[2]));
          A.blocks.push_back(-Mat3::Identity());
        }
        A.pattern.column_offsets.push_back(static_cast<Index>(A.pattern.rows.size()));
      }
    }
  }
  return A;
}

}  // namespace marrow::test
