// The point of a triangle or a tet that is nearest to a place.
#pragma once

#include <array>

#include "core/types.h"

namespace marrow {

// The weights of the point of a triangle nearest to p.
Vec3 find_nearest_weights(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c);

// That point.
inline Vec3 find_nearest_point(const Vec3& p, const std::array<Vec3, 3>& triangle) {
  const Vec3 w = find_nearest_weights(p, triangle[0], triangle[1], triangle[2]);
  return w[0] * triangle[0] + w[1] * triangle[1] + w[2] * triangle[2];
}

// Barycentric coordinates in a tet; negative for some corners outside.
Vec4 compute_barycentric(const Vec3& p, const std::array<Vec3, 4>& tet);

// Those of the point of the closed tet nearest to p. The tet may be flat or turned over.
Vec4 find_nearest_weights(const Vec3& p, const std::array<Vec3, 4>& tet);

}  // namespace marrow
