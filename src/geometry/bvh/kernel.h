// The inner loops of tree queries, compiled once per instruction set. Isa is a type of the file that compiles
// them: vectors of kWidth numbers, the bits of a comparison, and how to append pairs.
//
// An item of leaf a is compared with the eight boxes of leaf b at once:
//
//   overlap = ∧_k  lo_b[k] ≤ hi_a[k]  ∧  hi_b[k] ≥ lo_a[k]
//
// on boxes rounded outward, ↑hi and ↓lo, to the next single-precision numbers. Let f⁻ and f⁺ be the numbers
// before and after f. If ↓lo_b ≤ (↑hi_a)⁻⁻, then lo_b < (↓lo_b)⁺ ≤ (↑hi_a)⁻ < hi_a. So what overlaps the
// inner box of a, made smaller by two numbers on every side, overlaps exactly; for what only overlaps the
// outer one the boxes in double precision decide.
#pragma once

#include <bit>

#include "geometry/bvh/node.h"
#include "geometry/bvh/round.h"

namespace marrow {

template <class Isa, int CornersA, int CornersB>
struct BvhKernel {
  static constexpr int kParts = kBvhWidth / Isa::kWidth;
  static constexpr unsigned kAll = 0xff;
  static constexpr Index kNoMatch = -2;  // a label or corner that equals none, not even kNone

  struct Box {
    float lo[3], hi[3];
  };

  static Box box_at(const BvhBoxes& boxes, size_t lane) {
    Box box;
    for (int k = 0; k < 3; ++k) {
      box.lo[k] = boxes.lo[k][lane];
      box.hi[k] = boxes.hi[k][lane];
    }
    return box;
  }

  // Bit i: the box overlaps box i.
  static unsigned overlaps(const BvhBoxes& boxes, const Box& box) {
    unsigned bits = 0;
    for (int p = 0; p < kParts; ++p) {
      const int at = p * Isa::kWidth;
      const auto x = (Isa::load(boxes.lo[0] + at) <= box.hi[0]) & (Isa::load(boxes.hi[0] + at) >= box.lo[0]);
      const auto y = (Isa::load(boxes.lo[1] + at) <= box.hi[1]) & (Isa::load(boxes.hi[1] + at) >= box.lo[1]);
      const auto z = (Isa::load(boxes.lo[2] + at) <= box.hi[2]) & (Isa::load(boxes.hi[2] + at) >= box.lo[2]);
      bits |= Isa::bits(x & y & z) << at;
    }
    return bits;
  }

  // A leaf of a, as the search carries it down the tree of b.
  struct Leaf {
    size_t index = 0;
    Box box;         // around all items
    Index label[2];  // common to all items
    const BvhBoxes* boxes = nullptr;
    const BvhLeafItems* items = nullptr;
    const BvhLabels* labels = nullptr;
    BvhBoxes inner;  // the items' boxes, made smaller
  };

  const BvhView& a;
  const BvhView& b;
  const BvhPairing pairing;
  PairBuffer& out;

  bool has_labels() const { return a.labels != nullptr && b.labels != nullptr; }

  Leaf leaf_at(size_t index) const {
    const size_t parent = index / kBvhWidth;
    const size_t lane = index % kBvhWidth;
    Leaf leaf;
    leaf.index = index;
    leaf.box = box_at(a.boxes(1, parent), lane);
    leaf.boxes = &a.boxes(0, index);
    leaf.items = &a.leaf_items[index];
    if (has_labels()) {
      leaf.labels = &a.labels_of(0, index);
      for (int s = 0; s < 2; ++s) leaf.label[s] = matchable(a.labels_of(1, parent).label[s][lane]);
    }
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < kBvhWidth; ++i) {
        leaf.inner.lo[k][i] = next_above(next_above(leaf.boxes->lo[k][i]));
        leaf.inner.hi[k][i] = next_below(next_below(leaf.boxes->hi[k][i]));
      }
    }
    return leaf;
  }

  static Index matchable(Index label) { return label == kNone ? kNoMatch : label; }

  static unsigned equals(const Index* eight, Index value) {
    unsigned bits = 0;
    for (int p = 0; p < kParts; ++p) {
      bits |= Isa::bits(Isa::load(eight + p * Isa::kWidth) == value) << (p * Isa::kWidth);
    }
    return bits;
  }

  // Bit i: item `row` of the leaf must not be paired with item i of leaf_b.
  unsigned excluded(const Leaf& leaf, size_t row, size_t leaf_b) const {
    const BvhLeafItems& items = b.leaf_items[leaf_b];
    unsigned bits = 0;
    for (int i = 0; i < CornersA; ++i) {
      for (int j = 0; j < CornersB; ++j) bits |= equals(items.corner[j], leaf.items->corner[i][row]);
    }
    if (has_labels()) {
      const BvhLabels& labels = b.labels_of(0, leaf_b);
      for (int s = 0; s < 2; ++s) bits |= equals(labels.label[s], matchable(leaf.labels->label[s][row]));
    }
    return bits;
  }

  // Drops from hits the items whose exact boxes do not overlap.
  unsigned decide(unsigned hits, unsigned doubtful, const Leaf& leaf, size_t row, size_t leaf_b) const {
    const Aabb& box = a.item_boxes[leaf.items->id[row]];
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      const int lane = std::countr_zero(doubtful);
      if (!is_overlapping(box, b.item_boxes[b.leaf_items[leaf_b].id[lane]])) hits &= ~(1u << lane);
    }
    return hits;
  }

  // Leaf against leaf; box_b is the box of leaf_b.
  void add_pairs(const Leaf& leaf, size_t leaf_b, const Box& box_b) {
    const BvhBoxes& boxes = b.boxes(0, leaf_b);
    const bool is_same = pairing == BvhPairing::Self && leaf.index == leaf_b;
    IndexPair* next = out.reserve(kBvhWidth * kBvhWidth + kBvhWidth);
    for (unsigned rows = overlaps(*leaf.boxes, box_b); rows != 0; rows &= rows - 1) {
      const auto row = static_cast<size_t>(std::countr_zero(rows));
      unsigned hits = overlaps(boxes, box_at(*leaf.boxes, row));
      if (is_same) hits &= kAll << (row + 1);
      if (hits == 0) continue;
      hits &= ~excluded(leaf, row, leaf_b);
      const unsigned doubtful = hits & ~overlaps(boxes, box_at(leaf.inner, row));
      if (doubtful != 0) hits = decide(hits, doubtful, leaf, row, leaf_b);
      if (pairing == BvhPairing::Self) {
        next = Isa::append_sorted(hits, leaf.items->id[row], b.leaf_items[leaf_b].id, next);
      } else {
        next = Isa::append(hits, leaf.items->id[row], b.leaf_items[leaf_b].id, next);
      }
    }
    out.count = static_cast<size_t>(next - out.pairs.data());
  }

  // The children of a node that the leaf may have pairs in.
  unsigned children(const Leaf& leaf, size_t level, size_t node) const {
    unsigned bits = overlaps(b.boxes(level, node), leaf.box);
    if (has_labels()) {
      const BvhLabels& labels = b.labels_of(level, node);
      bits &= ~(equals(labels.label[0], leaf.label[0]) | equals(labels.label[1], leaf.label[1]));
    }
    // Within one tree, leave out the leaves that come before.
    const size_t first = pairing == BvhPairing::Self ? leaf.index >> (3 * (level - 1)) : 0;
    if (first > node * kBvhWidth) bits &= kAll << (first - node * kBvhWidth);
    return bits;
  }

  void search(const Leaf& leaf) {
    struct Place {
      size_t level, node;
    };
    Place stack[BvhView::kMaxLevels * kBvhWidth];
    size_t depth = 0;
    stack[depth++] = {b.level_count - 1, 0};
    while (depth > 0) {
      const auto [level, node] = stack[--depth];
      for (unsigned bits = children(leaf, level, node); bits != 0; bits &= bits - 1) {
        const auto lane = static_cast<size_t>(std::countr_zero(bits));
        const size_t child = node * kBvhWidth + lane;
        if (level > 1) {
          stack[depth++] = {level - 1, child};
        } else {
          add_pairs(leaf, child, box_at(b.boxes(1, node), lane));
        }
      }
    }
  }
};

template <class Isa, int CornersA, int CornersB>
void find_leaf_pairs_of(const BvhView& a, const BvhView& b, BvhPairing pairing, size_t begin, size_t end,
                        PairBuffer& out) {
  BvhKernel<Isa, CornersA, CornersB> kernel{a, b, pairing, out};
  for (size_t leaf = begin; leaf < end; ++leaf) kernel.search(kernel.leaf_at(leaf));
}

// Chooses the kernel for the numbers of corners.
template <class Isa>
FindLeafPairs choose_by_corners(int corners_a, int corners_b) {
  static constexpr FindLeafPairs kTable[3][3] = {
      {find_leaf_pairs_of<Isa, 1, 1>, find_leaf_pairs_of<Isa, 1, 2>, find_leaf_pairs_of<Isa, 1, 3>},
      {find_leaf_pairs_of<Isa, 2, 1>, find_leaf_pairs_of<Isa, 2, 2>, find_leaf_pairs_of<Isa, 2, 3>},
      {find_leaf_pairs_of<Isa, 3, 1>, find_leaf_pairs_of<Isa, 3, 2>, find_leaf_pairs_of<Isa, 3, 3>}};
  return kTable[corners_a - 1][corners_b - 1];
}

}  // namespace marrow
