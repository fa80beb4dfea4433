// Prescribed motion: nodes that follow a given path, whatever the forces.
#pragma once

#include "core/types.h"

namespace marrow {

struct MotionKey {
  double time = 0;                  // [s]
  Vec3 translation = Vec3::Zero();  // [m], from the initial place
  Vec3 rotation = Vec3::Zero();     // [degrees], R = Rz Ry Rx, from the initial orientation
};

// A rigid motion of a set of nodes: constant velocities, or keyframes joined linearly. Without either it is
// at rest.
struct Motion {
  Vec3 about = Vec3::Zero();             // the point rotated about; it moves with the translation
  Vec3 velocity = Vec3::Zero();          // [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s]
  std::vector<MotionKey> keys;           // ascending in time; the first and last pose hold outside
};

struct PrescribedNodes {
  std::vector<Index> nodes;
  Points initial;  // where they are at time 0
  Motion motion;
};

// Where a point that is at X at time 0 is at time t.
Vec3 compute_position(const Motion& motion, const Vec3& X, double t);

}  // namespace marrow
