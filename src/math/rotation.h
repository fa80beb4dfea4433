// Rotations from angles and rotation vectors.
#pragma once

#include <Eigen/Geometry>
#include <numbers>

#include "core/types.h"

namespace marrow {

// The rotation by |v| radians about v.
inline Mat3 rotation_from_vector(const Vec3& v) {
  const double angle = v.norm();
  if (angle == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, v / angle).toRotationMatrix();
}

// R = Rz Ry Rx, angles in degrees: first about x, then about the fixed y, then about the fixed z axis.
inline Mat3 rotation_from_degrees(const Vec3& degrees) {
  const Vec3 a = degrees * (std::numbers::pi / 180);
  return (Eigen::AngleAxisd(a[2], Vec3::UnitZ()) * Eigen::AngleAxisd(a[1], Vec3::UnitY()) *
          Eigen::AngleAxisd(a[0], Vec3::UnitX()))
      .toRotationMatrix();
}

}  // namespace marrow
