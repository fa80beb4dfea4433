// The closest simplices of a mesh to points outside it.
#pragma once

#include <vector>

#include "core/types.h"
#include "geometry/transfer/mass_matrix.h"

namespace marrow {

struct NearestPoint {
  Index simplex = kNone;
  Vec4 weights = Vec4::Zero();  // of the closest point over the simplex's corners, none negative
};

// For each query, the closest point of all simplices (with corner_count corners each). The mesh is not empty.
std::vector<NearestPoint> find_nearest(const Points& points, const std::vector<SimplexCorners>& simplices,
                                       size_t corner_count, const Points& queries);

}  // namespace marrow
