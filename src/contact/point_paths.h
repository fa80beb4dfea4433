// The way of all points, as the search for pairs sees it: straight from one place to another, or bent by a
// known bow. Points that move as one are given by their frames alone, however many they are.
//
// A group's points are an affine map of fixed coordinates, x = A y + t. What is true of the corners of a box
// around the y is true of every point in it, so boxes and bounds need a frame and a box, not the points.
#pragma once

#include <span>
#include <vector>

#include "geometry/bvh/aabb.h"
#include "geometry/ccd/curved.h"

namespace marrow {

struct AffineFrame {
  Mat3 A = Mat3::Identity();
  Vec3 t = Vec3::Zero();

  Vec3 place(const Vec3& y) const { return A * y + t; }
};

// The points that move as one.
struct MovedGroups {
  Index count = 0;
  std::vector<Index> group_of_point;  // kNone: moves by itself; empty: all do
  Points coordinates;                 // y of each point of a group
  std::vector<double> scales;         // of each group: about how long a unit of y is [m]

  Index group_of(Index point) const { return group_of_point.empty() ? kNone : group_of_point[point]; }
};

struct PointPaths {
  std::span<const Vec3> x0, x1;              // of the points of no group; the others are not read
  std::span<const AffineFrame> start, end;   // of each group
  std::span<const TurningFrame> turns = {};  // of each group, or empty; rotation zero: straight

  // Where it starts, without the way.
  PointPaths at_start() const { return {x0, x0, start, start, {}}; }
};

}  // namespace marrow
