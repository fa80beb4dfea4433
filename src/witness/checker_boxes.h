// The checker's own broad phase: a tree of boxes, split at the middle of the longest side, asked box by box.
//
// Simple on purpose, and independent of geometry/bvh/bvh: it must be easy to see that no pair is lost. Boxes
// are made by comparisons only, so they are exact; boxes that touch overlap.
#pragma once

#include <array>
#include <vector>

#include "core/types.h"

namespace marrow {

struct CheckerBox {
  Vec3 lower = Vec3::Zero();
  Vec3 upper = Vec3::Zero();

  bool overlaps(const CheckerBox& other) const {
    return lower[0] <= other.upper[0] && other.lower[0] <= upper[0] && lower[1] <= other.upper[1] &&
           other.lower[1] <= upper[1] && lower[2] <= other.upper[2] && other.lower[2] <= upper[2];
  }
  void include(const CheckerBox& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }
};

class CheckerBoxes {
 public:
  // ids: which of the boxes are in the tree.
  CheckerBoxes(std::vector<CheckerBox> boxes, std::vector<Index> ids);

  // Calls visit(id) for every box of the tree that overlaps this one.
  template <class Visit>
  void for_each_overlap(const CheckerBox& box, const Visit& visit) const {
    if (nodes_.empty()) return;
    std::array<Index, kMaxDepth> open;  // nodes to look at
    int count = 0;
    open[static_cast<size_t>(count++)] = 0;
    while (count > 0) {
      const Index at = open[static_cast<size_t>(--count)];
      const Node& node = nodes_[static_cast<size_t>(at)];
      if (!node.box.overlaps(box)) continue;
      if (node.right != kNone) {
        open[static_cast<size_t>(count++)] = node.right;
        open[static_cast<size_t>(count++)] = at + 1;
        continue;
      }
      for (Index i = node.begin; i < node.end; ++i) {
        const Index id = ids_[static_cast<size_t>(i)];
        if (boxes_[static_cast<size_t>(id)].overlaps(box)) visit(id);
      }
    }
  }

  const CheckerBox& box(Index id) const { return boxes_[static_cast<size_t>(id)]; }

 private:
  static constexpr size_t kMaxDepth = 64;  // halving 2³¹ ids takes 31 levels
  static constexpr Index kLeafSize = 6;

  // The left child follows its parent.
  struct Node {
    CheckerBox box;
    Index begin = 0;  // of ids_
    Index end = 0;
    Index right = kNone;  // of a leaf
  };

  Index build(Index begin, Index end);

  std::vector<CheckerBox> boxes_;
  std::vector<Index> ids_;
  std::vector<Node> nodes_;
};

}  // namespace marrow
