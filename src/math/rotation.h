// Rotations from angles and rotation vectors.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/types.h"

namespace marrow {

inline constexpr double kRadians = std::numbers::pi / 180;  // per degree

// v × is this times.
inline Mat3 cross_matrix(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

// The rotation by |v| radians about v.
inline Mat3 rotation_from_vector(const Vec3& v) {
  const double angle = v.norm();
  if (angle == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, v / angle).toRotationMatrix();
}

// R = Rz Ry Rx, angles in degrees: first about x, then about the fixed y, then about the fixed z axis.
inline Mat3 rotation_from_degrees(const Vec3& degrees) {
  const Vec3 a = degrees * kRadians;
  return (Eigen::AngleAxisd(a[2], Vec3::UnitZ()) * Eigen::AngleAxisd(a[1], Vec3::UnitY()) *
          Eigen::AngleAxisd(a[0], Vec3::UnitX()))
      .toRotationMatrix();
}

// The smallest rotation from direction u to direction v; if they are opposite, by π about an axis across u.
inline Mat3 rotation_between(const Vec3& u, const Vec3& v) {
  const Vec3 a = u.normalized(), sum = a + v.normalized();
  const double length = sum.norm();  // 2 cos(θ/2)
  // The sum has an error of 1e-16. Shorter than this it is mostly that. [derived]
  Eigen::Quaterniond turn;
  if (length > 1e-8) {
    turn.vec() = a.cross(sum) / length;  // sin(θ/2) along the axis
    turn.w() = 0.5 * length;
    turn.normalize();
  } else {
    turn.vec() = a.unitOrthogonal();
    turn.w() = 0;
  }
  return turn.toRotationMatrix();
}

// The angles of a rotation, so that rotation_from_degrees gives it back up to rounding. Angles within
// rounding of a multiple of a billionth of a degree are that multiple, so that 90 does not
// become 90.00000000000001.
inline Vec3 degrees_from_rotation(const Mat3& R) {
  // R(2,0) = −sin y; near ±1 only x ∓ z is known, and z is taken as 0.
  Vec3 a;
  a[1] = std::asin(std::max(-1.0, std::min(1.0, -R(2, 0))));
  if (std::abs(R(2, 0)) < 1 - 1e-14) {
    a[0] = std::atan2(R(2, 1), R(2, 2));
    a[2] = std::atan2(R(1, 0), R(0, 0));
  } else {
    a[0] = std::atan2(-R(1, 2), R(1, 1));
    a[2] = 0;
  }
  a *= 180 / std::numbers::pi;
  for (double& angle : a) {
    const double rounded = std::round(angle * 1e9) / 1e9;
    if (std::abs(angle - rounded) < 1e-12 * std::max(1.0, std::abs(angle))) angle = rounded + 0.0;
  }
  return a;
}

}  // namespace marrow
