// An anchor is where something is fastened to a body: the weighted point that is at a given place at time 0.
//
//   affine, rigid, obstacles  affine in four of their points: any place, also outside
//   soft bodies with tets     in the tet that contains the place, or continued from the nearest one
//   medial bodies             the point on their surface; elsewhere moved with all of it, near parts most
//   shells, wires, points     their nearest point
//
// Bodies without volume cannot follow a place beside them, so the point found may be elsewhere.
#pragma once

#include "kinematics/body.h"
#include "kinematics/weighted_point.h"

namespace marrow {

struct Anchor {
  WeightedPoint point;
  Vec3 position = Vec3::Zero();  // at time 0
  double distance = 0;           // from the place asked for to the body's own points, at most [m]
};

// n: all nodes at time 0.
Anchor find_anchor(const Body& body, const VecX& n, const Vec3& place);

// True if an anchor of the body is at the place asked for, and not only near it.
bool can_follow_any_place(const Body& body);

// The mean of some of the body's points.
Anchor make_mean_anchor(const Body& body, const VecX& n, const std::vector<Index>& points);

// A place in the world.
Anchor make_world_anchor(const Vec3& place);

}  // namespace marrow
