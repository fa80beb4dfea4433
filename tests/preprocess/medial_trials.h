// One frame of a deformed medial body: is every point of its surface enclosed, and does culling with voxels
// find the triangles that an exact search finds?
#pragma once

#include "geometry/medial/voxel_query.h"
#include "preprocess/handle_deformations.h"

namespace marrow {

struct MedialTrial {
  size_t points = 0, outside = 0;  // corners of pieces, and those outside their primitive
  double worst = -1e300;           // the largest gap of a point to its primitive [m]
  size_t pairs = 0;                // that the exact search finds
  size_t missed = 0, invented = 0;
  CullCounts culled;
  VoxelCounts voxels;
  size_t overlaps = 0;
};

// All pairs of triangles that meet and share no vertex, by a tree of their boxes.
std::vector<IndexPair> find_meeting_exactly(const std::vector<Triangle>& triangles, const Points& x);
std::vector<IndexPair> find_meeting_exactly(const std::vector<Triangle>& a, const Points& x,
                                            const std::vector<Triangle>& b, const Points& y);

MedialTrial try_self(const MedialBounds& bounds, BoundKind kind, const VecX& n, MedialCulling& culling);
MedialTrial try_two(const MedialBounds& a, const VecX& na, const MedialBounds& b, const VecX& nb,
                    BoundKind kind, MedialCulling& culling);

}  // namespace marrow
