// Which triangles of overlapping primitives meet: they are found in voxels, and decided exactly.
//
// For a pair of primitives, only the intersection of their boxes counts. The triangles of both that reach
// into it go into cubes with the side of the longest triangle's box, by the span of their own boxes, so that
// each is in at most eight; two triangles are compared in the first voxel that they share. The grid is never
// made: a voxel is three integers. (The paper asks one voxel, that of the deepest point, and misses what
// meets elsewhere.)
//
// Triangles that share a vertex are never a pair, as everywhere here
// (geometry/certificates/self_collision.h).
#pragma once

#include "geometry/medial/culling.h"

namespace marrow {

// A body in one frame.
struct MedialSurface {
  const MedialBounds* bounds = nullptr;
  const MedialCover* cover = nullptr;
  const Points* points = nullptr;  // of the surface
};

struct VoxelCounts {
  size_t triangles = 0;       // that reach into overlaps, counted in each
  size_t box_tests = 0;       // pairs that share a voxel
  size_t triangle_tests = 0;  // of which the boxes overlap
};

// Pairs of triangles (of a, of b) that meet, sorted, each once. For one body with itself give it twice: the
// smaller triangle is then first.
VoxelCounts find_meeting_triangles(const MedialSurface& a, const MedialSurface& b,
                                   const std::vector<PrimitiveOverlap>& overlaps,
                                   std::vector<IndexPair>& pairs);

}  // namespace marrow
