// This file bounds the rounding of points that move as one: the distance of the position A y + t, computed
// from a group's frame, from the position that CCD sees, Σ w n, computed from the nodes.
//
//   |A y + t − Σ w n| ≤ 128 u M,      M = (|t|∞ + ‖A‖∞) (1 + |y|₁),      u = 2⁻⁵³
//
// The largest part comes from A. It is a sum over the nodes, which may be far from the origin, so that a
// point far out in its body (|y| large) multiplies the rounding of large numbers. Every bound below is a
// multiple of u M and is derived in docs/models/contact.md, Rounding.
#pragma once

#include "contact/point_paths.h"
#include "contact/tiles.h"

namespace marrow {

// In units of M. [derived: docs/models/contact.md, Rounding]
struct GroupRounding {
  static constexpr double kUnit = 0x1p-53;
  static constexpr double kFrame = 128 * kUnit;  // a point against its frame
  static constexpr double kPoint = 256 * kUnit;  // box of a point: the frame at both ends, its path, its bow
  static constexpr double kNode = 512 * kUnit;   // box of a node: the same, the tree and its mapping
  static constexpr double kCover = 512 * kUnit;  // distance of a group from the path of an earlier search
  // Box of a node over free points, in units of their largest coordinate.
  static constexpr double kFreeNode = 128 * kUnit;
  // Relative, of sums of radii, growth and bows.
  static constexpr double kSum = 1 + 16 * kUnit;
};

// M of a frame and the box of a group's coordinates [m].
inline double measure_frame(const AffineFrame& frame, const CenterBox& box) {
  const double rows = frame.A.cwiseAbs().rowwise().sum().maxCoeff();
  const double farthest = (box.center.cwiseAbs() + box.half).sum();
  return (frame.t.cwiseAbs().maxCoeff() + rows) * (1 + farthest);
}

// The factor by which a rotation increases M: the bow is a multiple of the position.
inline double measure_turn(const TurningFrame& turn) { return 1 + turn.rotation.squaredNorm() / 8; }

}  // namespace marrow
