// Walks over the edges of a triangle list with the triangles on either side.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "mesh/buckets.h"
#include "mesh/mesh.h"

namespace marrow {

// An edge and how many triangles run along it from low to high, and from high to low.
struct SurfaceEdge {
  Index low = 0;
  Index high = 0;
  int forward = 0;
  int backward = 0;
};

// Calls visit(SurfaceEdge) for every edge, sorted by low, then high.
template <class Visit>
void for_each_surface_edge(const std::vector<Triangle>& triangles, const Visit& visit) {
  struct Side {
    Index high = 0;
    Index is_backward = 0;
  };
  Index highest = -1;
  for (const Triangle& t : triangles) highest = std::max({highest, t[0], t[1], t[2]});
  const auto for_each_side = [&](const auto& visit_side) {
    for (const Triangle& t : triangles) {
      for (size_t i = 0; i < 3; ++i) {
        const Index from = t[i];
        const Index to = t[(i + 1) % 3];
        visit_side(std::min(from, to), Side{std::max(from, to), from > to ? 1 : 0});
      }
    }
  };
  Buckets<Side> buckets = fill_buckets<Side>(static_cast<size_t>(highest) + 1, for_each_side);
  for (size_t low = 0; low < buckets.key_count(); ++low) {
    const std::span<Side> sides = buckets.of(low);
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) { return a.high < b.high; });
    for (size_t i = 0; i < sides.size();) {
      SurfaceEdge edge{static_cast<Index>(low), sides[i].high};
      for (; i < sides.size() && sides[i].high == edge.high; ++i) {
        edge.backward += sides[i].is_backward;
        edge.forward += 1 - sides[i].is_backward;
      }
      visit(edge);
    }
  }
}

}  // namespace marrow
