// Cubes of a grid that is never made: a voxel is three integers in one number.
//
// The voxel of a coordinate is ⌊(x − origin)/side⌋, which rounding keeps in order: of two boxes with a point
// in common, both spans have its voxel.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/bvh/aabb.h"

namespace marrow {

inline constexpr int kVoxelBits = 20;  // of each of the three

// From lo to hi, both included.
struct VoxelSpan {
  std::uint32_t lo[3];
  std::uint32_t hi[3];
};

MARROW_HD inline std::uint64_t make_voxel(std::uint32_t i, std::uint32_t j, std::uint32_t k) {
  return (static_cast<std::uint64_t>(i) << 2 * kVoxelBits) | (static_cast<std::uint64_t>(j) << kVoxelBits) |
         k;
}

class VoxelGrid {
 public:
  // The voxels of a region; with too many for the bits they are larger.
  MARROW_HD VoxelGrid(const Aabb& region, double side) : side_(side) {
    for (int k = 0; k < 3; ++k) {
      origin_[k] = region.lo[k];
      extent_[k] = std::max(region.hi[k] - region.lo[k], 0.0);
      side_ = std::max(side_, extent_[k] / (1 << (kVoxelBits - 1)));
    }
    if (!(side_ > 0)) side_ = 1;  // everything is one point
  }

  // Of what lies in the region.
  MARROW_HD VoxelSpan span_of(const Aabb& box) const {
    VoxelSpan span;
    for (int k = 0; k < 3; ++k) {
      span.lo[k] = index_of(box.lo[k], k);
      span.hi[k] = index_of(box.hi[k], k);
    }
    return span;
  }

 private:
  MARROW_HD std::uint32_t index_of(double x, int k) const {
    const double inside = std::min(std::max(x - origin_[k], 0.0), extent_[k]);
    return static_cast<std::uint32_t>(inside / side_);
  }

  double origin_[3], extent_[3];
  double side_;
};

// Calls visit(voxel) for all of a span.
template <class Visit>
MARROW_HD void for_each_voxel(const VoxelSpan& span, const Visit& visit) {
  for (std::uint32_t i = span.lo[0]; i <= span.hi[0]; ++i)
    for (std::uint32_t j = span.lo[1]; j <= span.hi[1]; ++j)
      for (std::uint32_t k = span.lo[2]; k <= span.hi[2]; ++k) visit(make_voxel(i, j, k));
}

// Of two spans that share one.
MARROW_HD inline std::uint64_t first_common_voxel(const VoxelSpan& a, const VoxelSpan& b) {
  return make_voxel(std::max(a.lo[0], b.lo[0]), std::max(a.lo[1], b.lo[1]), std::max(a.lo[2], b.lo[2]));
}

}  // namespace marrow
