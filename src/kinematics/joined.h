// This file joins all bodies: their meshes over the points of the scene, and the body of each point and node.
#pragma once

#include <cstdint>

#include "kinematics/body.h"

namespace marrow {

// The meshes at rest as one, simplices by the points of all bodies; radii are empty if all are zero. Points
// include those of colliders.
Mesh join_rest_meshes(const Kinematics& kinematics);

// The same points with the simplices that collide: a body's collider if it has one, else its mesh.
Mesh join_colliders(const Kinematics& kinematics);

// 1 for each point that is seen but does not collide, because its body has a collider, or because it is
// inside a planar body.
std::vector<std::uint8_t> flag_seen_points(const Kinematics& kinematics);

// The body of each point.
std::vector<Index> list_bodies_of_points(const Kinematics& kinematics);

// 1 for each point of an obstacle: obstacles may overlap each other.
std::vector<std::uint8_t> flag_obstacle_points(const Kinematics& kinematics);

// The bodies' matrices along the diagonal: block is &Body::W (points × nodes) or &Body::mass (nodes × nodes).
ScalarMatrix join_diagonal(const Kinematics& kinematics, ScalarMatrix Body::*block);

}  // namespace marrow
