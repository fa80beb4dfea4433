// What a step of a simulation leads to: poses and forces. docs/results.md says exactly which forces.
#pragma once

#include <limits>
#include <string>

#include <marrow/types.h>

namespace marrow {
MARROW_PUBLIC_NAMESPACE {
  // Where a body is as a whole. Of bodies that deform, the rotation is the best one.
  struct Pose {
    double mass = 0;                                // [kg]
    Vec3 position = {};                             // of the centre of mass [m]
    std::array<double, 4> rotation = {1, 0, 0, 0};  // since time 0, a unit quaternion w, x, y, z
    Vec3 velocity = {};                             // of the centre of mass [m/s]
    Vec3 angular_velocity = {};                     // [rad/s]
  };

  // The forces on a body in a step [N], and their torques about its centre of mass [N m].
  struct BodyForces {
    Vec3 normal = {}, friction = {}, contact_torque = {};
    Vec3 joints = {}, joints_torque = {};
    Vec3 loads = {}, loads_torque = {};        // gravity, forces, pressure
    Vec3 reaction = {}, reaction_torque = {};  // on prescribed points and locked motions
  };

  // Two bodies that touch. The forces are those on a; b has the opposite ones.
  struct ContactForce {
    std::string a, b;
    Vec3 normal = {}, friction = {};  // [N]
    Vec3 point = {};                  // of application [m]
    Vec3 torque = {};                 // about that point [N m]
    double pressing = 0;              // the sum of the magnitudes of all normal forces [N]
    std::size_t contacts = 0;         // at the end of the step
    double gap = std::numeric_limits<double>::infinity();  // the smallest [m]
    double slip = 0;                                       // mean sliding speed [m/s]
    double sticking = 0;                                   // part of the friction that sticks, 0 to 1
  };

  // What a joint carries: force and torque on its first body, the torque about its anchor.
  struct JointForce {
    std::string joint, a, b;  // names; of the world it is empty
    double coordinate = 0;    // [m] or [rad]; 0 if it has none
    Vec3 force = {}, torque = {};
    Vec3 anchor = {};  // [m]
    bool is_broken = false;
  };

}  // MARROW_PUBLIC_NAMESPACE
}  // namespace marrow
