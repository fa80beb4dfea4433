// The nodes of a bounding volume hierarchy, eight children side by side, and what the query kernels see of
// it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "core/types.h"
#include "geometry/bvh/aabb.h"

namespace marrow {

using IndexPair = std::array<Index, 2>;

inline constexpr int kBvhWidth = 8;

// Eight boxes. A place without a box holds NaN, which overlaps nothing.
struct alignas(32) BvhBoxes {
  float lo[3][kBvhWidth];
  float hi[3][kBvhWidth];
};

// Two labels of eight items or subtrees; kNone where there is none or where the items below differ.
struct alignas(32) BvhLabels {
  Index label[2][kBvhWidth];
};

// The items of a leaf.
struct alignas(32) BvhLeafItems {
  Index id[kBvhWidth];
  Index corner[3][kBvhWidth];
};

// A tree as the kernels see it.
struct BvhView {
  static constexpr size_t kMaxLevels = 12;  // 8¹² items are more than an Index can count

  int corner_count = 1;
  size_t level_count = 0;                            // level 0: leaves; the last has one node
  std::array<size_t, kMaxLevels + 1> level_start{};  // of each level in nodes and labels, and the end
  const BvhBoxes* nodes = nullptr;
  const BvhLabels* labels = nullptr;  // null: no item has any
  const BvhLeafItems* leaf_items = nullptr;
  const Aabb* item_boxes = nullptr;  // by id

  size_t leaf_count() const { return level_count == 0 ? 0 : level_start[1]; }
  const BvhBoxes& boxes(size_t level, size_t node) const { return nodes[level_start[level] + node]; }
  const BvhLabels& labels_of(size_t level, size_t node) const { return labels[level_start[level] + node]; }
};

// Pairs as they are found. Beyond count the contents mean nothing.
struct PairBuffer {
  std::vector<IndexPair> pairs;
  size_t count = 0;

  // Room for more pairs at the end.
  IndexPair* reserve(size_t more) {
    if (pairs.size() < count + more) grow(more);
    return pairs.data() + count;
  }
  void grow(size_t more);
};

enum class BvhPairing { Self, Cross };

// Appends the pairs of leaves [begin, end) of a: with all of b (Cross), or with the items of the same tree
// that come later (Self). One text, kernel.h, compiled for different processors.
using FindLeafPairs = void (*)(const BvhView& a, const BvhView& b, BvhPairing pairing, size_t begin,
                               size_t end, PairBuffer& out);
void find_leaf_pairs_portable(const BvhView& a, const BvhView& b, BvhPairing pairing, size_t begin,
                              size_t end, PairBuffer& out);
void find_leaf_pairs_avx2(const BvhView& a, const BvhView& b, BvhPairing pairing, size_t begin, size_t end,
                          PairBuffer& out);

// The fastest that this processor runs.
FindLeafPairs choose_find_leaf_pairs();

}  // namespace marrow
