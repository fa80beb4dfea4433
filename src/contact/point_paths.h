// Point trajectories over one step, as the broad phase sees them, are straight segments, or arcs with a known
// deviation from the chord (the bow). Points that move as one are given by their frames alone, however many
// they are.
//
// A group's points are an affine map of fixed coordinates, x = A y + t. A bound that holds at the corners of
// a box around the y holds for every point in it, so boxes and bounds need a frame and a box, not the points.
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
  std::vector<double> scales;         // of each group: approximate length of a unit of y [m]

  Index group_of(Index point) const { return group_of_point.empty() ? kNone : group_of_point[point]; }
};

struct PointPaths {
  std::span<const Vec3> x0, x1;              // of the points of no group; the others are not read
  std::span<const AffineFrame> start, end;   // of each group
  std::span<const TurningFrame> turns = {};  // of each group, or empty; rotation zero: straight

  // The starting points alone, without motion.
  PointPaths at_start() const { return {x0, x0, start, start, {}}; }
};

}  // namespace marrow
