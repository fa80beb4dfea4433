// Which medial primitives overlap: the pairs that are left after culling, with their deepest penetration.
//
// A pair is left out only if a certificate proves it apart, so no rounding can lose one. Between two bodies
// every pair counts. Within a body a primitive overlaps itself and those that share a sphere with it, always:
// they are reported as neighbours, without a penetration, and it is the voxel query that looks into them.
// (The paper leaves them out, and with them all collisions near a joint of the medial mesh.)
#pragma once

#include "geometry/bvh/bvh.h"
#include "geometry/medial/bounds.h"
#include "geometry/medial/deepest.h"

namespace marrow {

struct PrimitiveOverlap {
  Index a = kNone, b = kNone;  // primitives, of the first and the second body; a <= b within one
  bool is_neighbor = false;
  Deepest deepest;  // not set for neighbours
};

enum class CullMethod { Automatic, BruteForce, Tree };

struct CullCounts {
  size_t box_tests = 0;        // of brute force
  size_t primitive_tests = 0;  // pairs whose boxes overlap
};

// Keeps its memory from frame to frame. Pairs are sorted, and depend neither on the method nor on threads.
class MedialCulling {
 public:
  explicit MedialCulling(CullMethod method = CullMethod::Automatic) : method_(method) {}

  CullCounts find(const MedialCover& a, const MedialCover& b, std::vector<PrimitiveOverlap>& overlaps);
  // left_out: pairs that are not looked at, sorted, the smaller primitive first.
  CullCounts find_self(const std::vector<MedialPrimitive>& primitives, const MedialCover& cover,
                       std::vector<PrimitiveOverlap>& overlaps, std::span<const IndexPair> left_out = {});

 private:
  // From so many pairs on a tree is faster.
  static constexpr size_t kTreePairs = 500000;  // [measured: bench/results/medial_elastics.md]

  void update_boxes(const MedialCover& cover, size_t side);
  bool takes_tree(size_t pairs) const;

  CullMethod method_;
  std::array<std::vector<Aabb>, 2> boxes_;
  std::array<std::vector<Index>, 2> ids_, marks_;
  BvhQuery query_;
  std::vector<IndexPair> pairs_;
};

}  // namespace marrow
