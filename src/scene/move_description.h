// Bodies and joints of a scene moved as wholes, with everything that the scene says of them in world
// coordinates.
#pragma once

#include <optional>
#include <string>

#include "scene/description.h"

namespace marrow {

// x becomes R x + shift.
struct RigidMove {
  Mat3 R = Mat3::Identity();
  Vec3 shift = Vec3::Zero();

  Vec3 apply(const Vec3& x) const { return R * x + shift; }
  bool turns() const { return R != Mat3::Identity(); }
};

// What a scene has no words for once it is turned.
struct MoveProblem {
  std::string key;  // of the body or joint
  std::string problem;
  std::string advice;
};

// Moves where the body is and which of its points are meant. Velocities, forces and prescribed motions keep
// their directions.
std::optional<MoveProblem> move_places(const RigidMove& move, BodyDescription& body);

// Turns velocities, forces and prescribed motions.
std::optional<MoveProblem> turn_motion(const Mat3& R, BodyDescription& body);

std::optional<MoveProblem> move_joint(const RigidMove& move, JointDescription& joint);

}  // namespace marrow
