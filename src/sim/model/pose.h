// The place, turn and speed of a body as a whole, whatever its kind.
//
//   c = Σ mᵢ xᵢ / m      R = argmin Σ mᵢ |xᵢ − c − R (Xᵢ − C)|²      p = Σ mᵢ vᵢ      J ω = Σ (xᵢ − c) × mᵢ
//   vᵢ
//
// x are nodes and X the same at time 0, so that R is the identity there. R is the rotation of a rigid body,
// and the best one for all others (polar decomposition of Σ mᵢ (xᵢ − c)(Xᵢ − C)ᵀ: Kabsch 1976, Horn 1988); ω
// is that of the rigid body with the same angular momentum. Obstacles have no mass; their points count alike.
#pragma once

#include "kinematics/body.h"

namespace marrow {

struct BodyPose {
  double mass = 0;                       // [kg]
  Vec3 centre = Vec3::Zero();            // of mass [m]
  Mat3 rotation = Mat3::Identity();      // from time 0
  Vec3 velocity = Vec3::Zero();          // of the centre [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // [rad/s]
};

// initial, n, v: of all nodes. A straight wire turns by the smallest rotation, and a point does not turn.
BodyPose compute_pose(const Body& body, const VecX& initial, const VecX& n, const VecX& v);

// The centre alone.
Vec3 compute_centre(const Body& body, const VecX& n);

}  // namespace marrow
