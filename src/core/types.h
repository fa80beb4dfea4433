// Names for the small dense types used everywhere.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

namespace marrow {

using Index = std::int32_t;

// A missing index.
inline constexpr Index kNone = -1;

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Mat3 = Eigen::Matrix3d;
using VecX = Eigen::VectorXd;
using MatX = Eigen::MatrixXd;

using Points = std::vector<Vec3>;

}  // namespace marrow
