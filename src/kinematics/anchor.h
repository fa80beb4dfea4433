// Where something is fastened to a body: the weighted point that is at a given place at time 0.
//
//   stiff bodies, obstacles   affine in four points of theirs: any place, also outside
//   soft bodies with tets     in the tet that contains the place, or continued from the nearest one
//   medial bodies             on their surface its point, else moved with all of it, near parts most
//   shells, wires, points     the nearest point of theirs
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

// Whether anchors of the body are where they are asked for, not only near it.
bool can_follow_any_place(const Body& body);

// The mean of some of the body's points.
Anchor make_mean_anchor(const Body& body, const VecX& n, const std::vector<Index>& points);

// A place in the world.
Anchor make_world_anchor(const Vec3& place);

}  // namespace marrow
