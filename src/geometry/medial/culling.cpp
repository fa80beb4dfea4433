#include "geometry/medial/culling.h"

#include <algorithm>

#include "exec/parallel.h"

namespace marrow {
namespace {

constexpr size_t kRowChunk = 16;  // primitives

Aabb box_of_balls(const MedialBalls& balls) {
  Aabb box = box_of_ball(balls.x[0], balls.r[0]);
  for (size_t i = 1; i < static_cast<size_t>(balls.count); ++i)
    box = merge(box, box_of_ball(balls.x[i], balls.r[i]));
  return box;
}

bool share_sphere(const MedialPrimitive& a, const MedialPrimitive& b) {
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j)
      if (a.vertices[static_cast<size_t>(i)] == b.vertices[static_cast<size_t>(j)]) return true;
  return false;
}

// What the pairs of some primitives of a gave.
struct CullChunk {
  std::vector<PrimitiveOverlap> overlaps;
  size_t primitive_tests = 0;
};

// One look for overlaps. Primitives of a body with itself: b is a, and list says which share spheres.
class CullSearch {
 public:
  CullSearch(const MedialCover& a, const MedialCover& b, const std::vector<MedialPrimitive>* own,
             std::span<const Aabb> boxes_a, std::span<const Aabb> boxes_b,
             std::span<const IndexPair> left_out = {})
      : a_(a), b_(b), own_(own), boxes_a_(boxes_a), boxes_b_(boxes_b), left_out_(left_out) {}

  CullCounts search_all(std::vector<PrimitiveOverlap>& overlaps) const {
    const size_t count = a_.primitives.size();
    std::vector<CullChunk> chunks((count + kRowChunk - 1) / kRowChunk);
    const auto search = [&](size_t chunk) {
      for (size_t i = chunk * kRowChunk; i < std::min(count, (chunk + 1) * kRowChunk); ++i) {
        for (size_t j = own_ != nullptr ? i : 0; j < b_.primitives.size(); ++j)
          if (is_overlapping(boxes_a_[i], boxes_b_[j])) test(i, j, chunks[chunk]);
      }
    };
    exec::parallel_for("medial.cull", chunks.size(), search, 1);
    CullCounts counts = gather(chunks, overlaps);
    counts.box_tests = own_ != nullptr ? count * (count + 1) / 2 : count * b_.primitives.size();
    return counts;
  }

  CullCounts search_pairs(std::vector<IndexPair>& pairs, std::vector<PrimitiveOverlap>& overlaps) const {
    exec::parallel_sort("medial.cull_pairs", pairs, std::less<>());
    std::vector<CullChunk> chunks((pairs.size() + kRowChunk - 1) / kRowChunk);
    const auto search = [&](size_t chunk) {
      for (size_t i = chunk * kRowChunk; i < std::min(pairs.size(), (chunk + 1) * kRowChunk); ++i)
        test(static_cast<size_t>(pairs[i][0]), static_cast<size_t>(pairs[i][1]), chunks[chunk]);
    };
    exec::parallel_for("medial.cull", chunks.size(), search, 1);
    return gather(chunks, overlaps);
  }

 private:
  void test(size_t i, size_t j, CullChunk& chunk) const {
    PrimitiveOverlap overlap = {static_cast<Index>(i), static_cast<Index>(j), false, {}};
    if (std::binary_search(left_out_.begin(), left_out_.end(), IndexPair{overlap.a, overlap.b})) return;
    overlap.is_neighbor = own_ != nullptr && (i == j || share_sphere((*own_)[i], (*own_)[j]));
    if (!overlap.is_neighbor) {
      ++chunk.primitive_tests;
      overlap.deepest = find_deepest(a_.primitives[i], b_.primitives[j]);
      if (overlap.deepest.is_apart()) return;
    }
    chunk.overlaps.push_back(overlap);
  }

  static CullCounts gather(const std::vector<CullChunk>& chunks, std::vector<PrimitiveOverlap>& overlaps) {
    CullCounts counts;
    overlaps.clear();
    for (const CullChunk& chunk : chunks) {
      overlaps.insert(overlaps.end(), chunk.overlaps.begin(), chunk.overlaps.end());
      counts.primitive_tests += chunk.primitive_tests;
    }
    return counts;
  }

  const MedialCover& a_;
  const MedialCover& b_;
  const std::vector<MedialPrimitive>* own_;
  std::span<const Aabb> boxes_a_, boxes_b_;
  std::span<const IndexPair> left_out_;
};

}  // namespace

void MedialCulling::update_boxes(const MedialCover& cover, size_t side) {
  boxes_[side].resize(cover.primitives.size());
  ids_[side].resize(cover.primitives.size());
  marks_[side].resize(cover.primitives.size());
  for (size_t i = 0; i < cover.primitives.size(); ++i) {
    boxes_[side][i] = box_of_balls(cover.primitives[i]);
    ids_[side][i] = static_cast<Index>(i);
    marks_[side][i] = static_cast<Index>(2 * i + side);  // trees leave out pairs with the same mark
  }
}

bool MedialCulling::takes_tree(size_t pairs) const {
  return method_ == CullMethod::Tree || (method_ == CullMethod::Automatic && pairs > kTreePairs);
}

CullCounts MedialCulling::find(const MedialCover& a, const MedialCover& b,
                               std::vector<PrimitiveOverlap>& overlaps) {
  update_boxes(a, 0);
  update_boxes(b, 1);
  const CullSearch search(a, b, nullptr, boxes_[0], boxes_[1]);
  if (!takes_tree(a.primitives.size() * b.primitives.size())) return search.search_all(overlaps);
  std::array<Bvh, 2> trees;
  for (size_t side : {0u, 1u})
    trees[side].build({.ids = ids_[side], .corners = marks_[side], .labels = {}}, boxes_[side]);
  query_.find_cross_pairs(trees[0], trees[1], {}, pairs_);
  return search.search_pairs(pairs_, overlaps);
}

CullCounts MedialCulling::find_self(const std::vector<MedialPrimitive>& primitives, const MedialCover& cover,
                                    std::vector<PrimitiveOverlap>& overlaps,
                                    std::span<const IndexPair> left_out) {
  update_boxes(cover, 0);
  const CullSearch search(cover, cover, &primitives, boxes_[0], boxes_[0], left_out);
  const size_t count = primitives.size();
  if (!takes_tree(count * count / 2)) return search.search_all(overlaps);
  Bvh tree;
  tree.build({.ids = ids_[0], .corners = marks_[0], .labels = {}}, boxes_[0]);
  query_.find_self_pairs(tree, {}, pairs_);
  for (const Index i : ids_[0]) pairs_.push_back({i, i});
  return search.search_pairs(pairs_, overlaps);
}

}  // namespace marrow
