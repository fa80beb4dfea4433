// The leaves that are left to test, and their triangles.
#include <algorithm>
#include <utility>

#include "exact/moving_triangles.h"
#include "exec/parallel.h"
#include "geometry/certificates/self_collision.h"

namespace marrow {
namespace {

constexpr size_t kLeafChunk = 64;  // patches

Aabb box_of(const Triangle& t, const Points& x0, const Points& x1) {
  const auto box = [&](size_t k) {
    const auto v = static_cast<size_t>(t[k]);
    return box_of_swept_ball(x0[v], x1[v], 0);
  };
  return merge(merge(box(0), box(1)), box(2));
}

bool share_vertex(const Triangle& t, const Triangle& s) {
  for (const Index v : t) {
    if (v == s[0] || v == s[1] || v == s[2]) return true;
  }
  return false;
}

}  // namespace

// Leaves to test against themselves, then neighbours, then those far along the surface whose boxes overlap.
std::vector<IndexPair> SelfCollider::list_leaf_tests(const Open& open, SelfCollisionCounts& counts) const {
  std::vector<IndexPair> tests;
  for (const Index n : open.leaf_nodes) tests.push_back({n, n});
  for (const Index p : open.leaf_pairs) {
    const PatchPair& pair = tree_.pairs[static_cast<size_t>(p)];
    tests.push_back({pair.a, pair.b});
  }
  std::vector<Found> chunks((open.far.size() + kLeafChunk - 1) / kLeafChunk);
  const auto list = [&](size_t chunk) {
    for (size_t i = chunk * kLeafChunk; i < std::min(open.far.size(), (chunk + 1) * kLeafChunk); ++i)
      list_far(open.far[i][0], open.far[i][1], chunks[chunk]);
  };
  exec::parallel_for("self_collision.far", chunks.size(), list, 1);
  for (const Found& found : chunks) {
    tests.insert(tests.end(), found.pairs.begin(), found.pairs.end());
    counts.far_leaf_tests += found.pairs.size();
    counts.box_tests += found.box_tests;
  }
  counts.leaf_tests = tests.size();
  return tests;
}

// Patches without a vertex in common whose boxes overlap: the larger is opened.
void SelfCollider::list_far(Index a, Index b, Found& found) const {
  const PatchNode& na = tree_.node(a);
  const PatchNode& nb = tree_.node(b);
  if (na.is_leaf() && nb.is_leaf()) {
    found.pairs.push_back({a, b});
    return;
  }
  const bool opens_a = nb.is_leaf() || (!na.is_leaf() && na.count() >= nb.count());
  const PatchNode& opened = opens_a ? na : nb;
  const Index other = opens_a ? b : a;
  for (const Index child : {opened.left, opened.right}) {
    ++found.box_tests;
    if (is_overlapping(node_boxes_[static_cast<size_t>(child)], node_boxes_[static_cast<size_t>(other)]))
      list_far(child, other, found);
  }
}

void SelfCollider::update_triangle_boxes(const std::vector<IndexPair>& leaf_tests) {
  std::vector<Index> leaves;
  for (const IndexPair& pair : leaf_tests) {
    for (const Index leaf : pair) {
      if (std::exchange(boxed_in_[static_cast<size_t>(leaf)], frame_) != frame_) leaves.push_back(leaf);
    }
  }
  const Points& x1 = is_moving_ ? x1_ : x0_;
  exec::parallel_for(
      "self_collision.triangles", leaves.size(),
      [&](size_t i) {
        const PatchNode& leaf = tree_.node(leaves[i]);
        for (auto t = static_cast<size_t>(leaf.first); t < static_cast<size_t>(leaf.last); ++t)
          triangle_boxes_[t] = box_of(tree_.triangles[t], x0_, x1);
      },
      1024);
}

void SelfCollider::test_leaves(const std::vector<IndexPair>& leaf_tests, SelfCollisions& result) const {
  std::vector<Found> chunks((leaf_tests.size() + kLeafChunk - 1) / kLeafChunk);
  const auto test = [&](size_t chunk) {
    for (size_t i = chunk * kLeafChunk; i < std::min(leaf_tests.size(), (chunk + 1) * kLeafChunk); ++i) {
      const auto [a, b] = leaf_tests[i];
      if (a == b) {
        test_leaf(a, chunks[chunk]);
      } else {
        test_leaves(a, b, chunks[chunk]);
      }
    }
  };
  exec::parallel_for("self_collision.leaves", chunks.size(), test, 1);
  for (const Found& found : chunks) {
    result.pairs.insert(result.pairs.end(), found.pairs.begin(), found.pairs.end());
    result.counts.triangle_tests += found.triangle_tests;
    result.counts.box_tests += found.box_tests;
  }
}

void SelfCollider::test_leaf(Index node, Found& found) const {
  const PatchNode& n = tree_.node(node);
  for (Index i = n.first; i < n.last; ++i) {
    for (Index j = i + 1; j < n.last; ++j) test_triangles(i, j, found);
  }
}

void SelfCollider::test_leaves(Index a, Index b, Found& found) const {
  const PatchNode& na = tree_.node(a);
  const PatchNode& nb = tree_.node(b);
  const Aabb& box_b = node_boxes_[static_cast<size_t>(b)];
  for (Index i = na.first; i < na.last; ++i) {
    ++found.box_tests;
    if (!is_overlapping(triangle_boxes_[static_cast<size_t>(i)], box_b)) continue;
    for (Index j = nb.first; j < nb.last; ++j) test_triangles(i, j, found);
  }
}

void SelfCollider::test_triangles(Index i, Index j, Found& found) const {
  const auto a = static_cast<size_t>(i);
  const auto b = static_cast<size_t>(j);
  ++found.box_tests;
  if (!is_overlapping(triangle_boxes_[a], triangle_boxes_[b])) return;
  const Triangle& t = tree_.triangles[a];
  const Triangle& s = tree_.triangles[b];
  if (share_vertex(t, s)) return;
  ++found.triangle_tests;
  const bool meet = is_moving_ ? triangles_meet_moving(x0_, x1_, t, s) : triangles_meet(x0_, t, s);
  if (!meet) return;
  const Index id_a = tree_.ids[a];
  const Index id_b = tree_.ids[b];
  found.pairs.push_back({std::min(id_a, id_b), std::max(id_a, id_b)});
}

}  // namespace marrow
