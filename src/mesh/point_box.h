// The box around points.
#pragma once

#include <Eigen/Geometry>
#include <span>

#include "core/types.h"

namespace marrow {

inline Eigen::AlignedBox3d compute_box(std::span<const Vec3> points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : points) box.extend(x);
  return box;
}

// Of the box; 0 if there are no points.
inline double compute_diagonal(std::span<const Vec3> points) {
  return points.empty() ? 0 : compute_box(points).diagonal().norm();
}

}  // namespace marrow
