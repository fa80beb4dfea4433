#include "geometry/bvh/bvh.h"

#include <algorithm>
#include <limits>

#include "core/macros.h"
#include "exec/parallel.h"
#include "geometry/bvh/round.h"

namespace marrow {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
constexpr size_t kWidth = kBvhWidth;
constexpr size_t kGrain = 256;      // nodes a task
constexpr size_t kQueryChunk = 32;  // leaves with a buffer of their own

size_t divide_up(size_t count, size_t by) { return (count + by - 1) / by; }

// Puts the box around eight boxes, or none, at a place.
void put_box(const BvhBoxes* below, size_t place, BvhBoxes& boxes) {
  for (int k = 0; k < 3; ++k) {
    float lo = below == nullptr ? kNan : kFloatInfinity;
    float hi = below == nullptr ? kNan : -kFloatInfinity;
    // Comparisons with NaN are false, so unused places do not count.
    for (size_t i = 0; below != nullptr && i < kWidth; ++i) {
      lo = below->lo[k][i] < lo ? below->lo[k][i] : lo;
      hi = below->hi[k][i] > hi ? below->hi[k][i] : hi;
    }
    boxes.lo[k][place] = lo;
    boxes.hi[k][place] = hi;
  }
}

}  // namespace

void Bvh::build(const BvhItems& items, std::span<const Aabb> boxes) {
  items_ = items;
  sorted_ = order_.compute(items.ids, boxes);
  // Levels, until one has a single node; the leaves always have a parent.
  view_ = {};
  view_.corner_count = items.corner_count;
  size_t count = divide_up(sorted_.size(), kWidth);
  size_t total = 0;
  while (count > 0) {
    MARROW_ASSERT(view_.level_count < BvhView::kMaxLevels);
    total += count;
    view_.level_start[++view_.level_count] = total;
    if (count == 1 && view_.level_count > 1) break;
    count = divide_up(count, kWidth);
  }
  nodes_.resize(total);
  view_.nodes = nodes_.data();
  update_leaf_items();
  update_labels();
  refit(boxes);
}

void Bvh::update_leaf_items() {
  leaf_items_.resize(view_.leaf_count());
  view_.leaf_items = leaf_items_.data();
  const auto corner_count = static_cast<size_t>(items_.corner_count);
  exec::parallel_for(
      "bvh.items", view_.leaf_count(),
      [&](size_t leaf) {
        BvhLeafItems& items = leaf_items_[leaf];
        for (size_t i = 0; i < kWidth; ++i) {
          // Unused places repeat the last item; having no box, they are never found.
          items.id[i] = sorted_[std::min(leaf * kWidth + i, sorted_.size() - 1)];
          for (size_t c = 0; c < corner_count; ++c) {
            items.corner[c][i] = items_.corners[static_cast<size_t>(items.id[i]) * corner_count + c];
          }
        }
      },
      kGrain);
}

void Bvh::refit(std::span<const Aabb> boxes) {
  view_.item_boxes = boxes.data();
  update_leaf_boxes(boxes);
  update_nodes();
}

void Bvh::update_leaf_boxes(std::span<const Aabb> boxes) {
  exec::parallel_for(
      "bvh.leaves", view_.leaf_count(),
      [&](size_t leaf) {
        BvhBoxes& eight = nodes_[leaf];
        for (size_t i = 0; i < kWidth; ++i) {
          const size_t place = leaf * kWidth + i;
          const bool is_used = place < sorted_.size();
          const Aabb& box = boxes[static_cast<size_t>(sorted_[is_used ? place : 0])];
          for (int k = 0; k < 3; ++k) {
            eight.lo[k][i] = is_used ? round_down(box.lo[k]) : kNan;
            eight.hi[k][i] = is_used ? round_up(box.hi[k]) : kNan;
          }
        }
      },
      kGrain);
}

void Bvh::update_nodes() {
  for (size_t level = 1; level < view_.level_count; ++level) {
    const size_t start = view_.level_start[level];
    const size_t below_start = view_.level_start[level - 1];
    const size_t below_count = start - below_start;
    const auto update_node = [&](size_t node) {
      for (size_t i = 0; i < kWidth; ++i) {
        const size_t below = node * kWidth + i;
        put_box(below < below_count ? &nodes_[below_start + below] : nullptr, i, nodes_[start + node]);
      }
    };
    exec::parallel_for("bvh.nodes", view_.level_start[level + 1] - start, update_node, kGrain);
  }
}

void Bvh::update_labels() {
  if (items_.labels.empty()) return;
  labels_.resize(nodes_.size());
  view_.labels = labels_.data();
  for (size_t level = 0; level < view_.level_count; ++level) {
    const size_t start = view_.level_start[level];
    const size_t below_start = level == 0 ? 0 : view_.level_start[level - 1];
    const size_t below_count = level == 0 ? sorted_.size() : start - below_start;
    const auto common_label = [&](size_t below, size_t s) {
      if (level == 0) return items_.labels[static_cast<size_t>(sorted_[below])][s];
      const Index* labels = labels_[below_start + below].label[s];
      return std::all_of(labels, labels + kWidth, [&](Index l) { return l == labels[0]; }) ? labels[0]
                                                                                           : kNone;
    };
    const auto update_node = [&](size_t node) {
      // Unused places repeat the last one, so that they do not count.
      for (size_t i = 0; i < kWidth; ++i) {
        const size_t below = std::min(node * kWidth + i, below_count - 1);
        for (size_t s = 0; s < 2; ++s) labels_[start + node].label[s][i] = common_label(below, s);
      }
    };
    exec::parallel_for("bvh.labels", view_.level_start[level + 1] - start, update_node, kGrain);
  }
}

void PairBuffer::grow(size_t more) { pairs.resize(2 * (count + more)); }

void BvhQuery::find_self_pairs(const Bvh& tree, const KeepPair& keep, std::vector<IndexPair>& pairs) {
  find_pairs(tree.view(), tree.view(), BvhPairing::Self, keep, pairs);
}

void BvhQuery::find_cross_pairs(const Bvh& a, const Bvh& b, const KeepPair& keep,
                                std::vector<IndexPair>& pairs) {
  find_pairs(a.view(), b.view(), BvhPairing::Cross, keep, pairs);
}

void BvhQuery::find_pairs(const BvhView& a, const BvhView& b, BvhPairing pairing, const KeepPair& keep,
                          std::vector<IndexPair>& pairs) {
  const size_t leaf_count = b.leaf_count() == 0 ? 0 : a.leaf_count();
  const size_t chunks = divide_up(leaf_count, kQueryChunk);
  if (buffers_.size() < chunks) buffers_.resize(chunks);
  const FindLeafPairs find = choose_find_leaf_pairs();
  exec::parallel_for(
      "bvh.query", chunks,
      [&](size_t chunk) {
        PairBuffer& found = buffers_[chunk];
        found.count = 0;
        find(a, b, pairing, chunk * kQueryChunk, std::min(leaf_count, (chunk + 1) * kQueryChunk), found);
        if (!keep) return;
        const auto end = std::remove_if(found.pairs.begin(),
                                        found.pairs.begin() + static_cast<std::ptrdiff_t>(found.count),
                                        [&](const IndexPair& pair) { return !keep(pair[0], pair[1]); });
        found.count = static_cast<size_t>(end - found.pairs.begin());
      },
      1);

  // Chunk after chunk, so that the order does not depend on who found what when.
  std::vector<size_t> starts(chunks + 1, 0);
  for (size_t chunk = 0; chunk < chunks; ++chunk) starts[chunk + 1] = starts[chunk] + buffers_[chunk].count;
  pairs.resize(starts[chunks]);
  exec::parallel_for(
      "bvh.collect", chunks,
      [&](size_t chunk) {
        const PairBuffer& found = buffers_[chunk];
        std::copy_n(found.pairs.begin(), found.count,
                    pairs.begin() + static_cast<std::ptrdiff_t>(starts[chunk]));
      },
      1);
}

}  // namespace marrow
