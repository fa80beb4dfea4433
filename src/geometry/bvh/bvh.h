// A bounding volume hierarchy over boxes, and the pairs of boxes that overlap.
//
// The items are sorted along a space-filling curve; each eight neighbours are a leaf, each eight leaves a
// node, and so on. There are no pointers: child c of node i is node 8i + c one level down. So a refit only
// recomputes boxes, and every level is one parallel loop.
//
// Nodes hold boxes in single precision, rounded outward, eight side by side. A query takes the items of a
// leaf together, walks down with their common box, and tests leaf against leaf, one item against eight at a
// time. Where rounding leaves a doubt the boxes in double precision decide: pairs are exactly those whose
// boxes overlap.
//
// Pairs depend neither on the number of threads nor on the instruction set. Their order follows the tree, so
// it depends on the boxes of the last build; their set does not.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "geometry/bvh/aabb.h"
#include "geometry/bvh/node.h"
#include "geometry/bvh/order.h"

namespace marrow {

using ItemLabels = std::array<Index, 2>;

// What a tree knows of its items besides their boxes. An id selects an item's entry in the arrays, which must
// outlive the tree's use.
struct BvhItems {
  std::span<const Index> ids;          // the items of the tree, each once
  int corner_count = 1;                // 1 to 3
  std::span<const Index> corners;      // corner_count points per item; pairs that share a point are left out
  std::span<const ItemLabels> labels;  // or empty. Pairs with the same label in the same place are left out,
                                       // whole subtrees at once; kNone is no label
};

class Bvh {
 public:
  // Boxes are found by id and must outlive the queries; their coordinates are finite.
  void build(const BvhItems& items, std::span<const Aabb> boxes);

  // New boxes for the same items in the same tree: cheaper than build, good while neighbours stay neighbours.
  void refit(std::span<const Aabb> boxes);

  const BvhView& view() const { return view_; }

 private:
  void update_leaf_items();
  void update_leaf_boxes(std::span<const Aabb> boxes);
  void update_nodes();
  void update_labels();

  BvhItems items_;
  BvhOrder order_;
  std::span<const Index> sorted_;  // ids along the curve
  std::vector<BvhBoxes> nodes_;    // level by level, leaves first
  std::vector<BvhLabels> labels_;  // likewise
  std::vector<BvhLeafItems> leaf_items_;
  BvhView view_;
};

// A last look at a pair, from many threads; empty: every pair is kept.
using KeepPair = std::function<bool(Index a, Index b)>;

// Finds pairs, and keeps the memory that this takes. What the output held before is lost.
class BvhQuery {
 public:
  // Every unordered pair of overlapping items once, the smaller id first.
  void find_self_pairs(const Bvh& tree, const KeepPair& keep, std::vector<IndexPair>& pairs);

  // Every overlapping (item of a, item of b).
  void find_cross_pairs(const Bvh& a, const Bvh& b, const KeepPair& keep, std::vector<IndexPair>& pairs);

 private:
  void find_pairs(const BvhView& a, const BvhView& b, BvhPairing pairing, const KeepPair& keep,
                  std::vector<IndexPair>& pairs);

  std::vector<PairBuffer> buffers_;  // one per chunk of leaves
};

}  // namespace marrow
