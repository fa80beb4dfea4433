// Splits a triangle mesh into a hierarchy of connected patches (Zheng and James 2012, section 7).
//
// A patch is halved by growing two regions from two of its triangles, each step adding to the region of
// smaller area the triangle nearest to that region's seed. So both halves are connected across edges and
// nearly of one area. Of several seeds those are kept whose split has the least cost, the paper's eq. 14:
//
//   |A₁ − A₂| + 0.1 (B₁ + B₂)      A: areas of the halves, B: areas of their boxes
//
// The paper draws 60000 pairs of seeds at random and does not balance the growth; with balance, the two ends
// of the patch and a few more pairs are enough. Parts that are not connected to each other are first set
// apart, halved by their number of triangles along the longest side of their box. The result depends on the
// mesh alone.
#pragma once

#include "geometry/certificates/patch_tree.h"

namespace marrow {

// leaf_size: patches of at most this many triangles are not split.
PatchSplit compute_patch_split(const Points& points, const std::vector<Triangle>& triangles, Index leaf_size);

}  // namespace marrow
