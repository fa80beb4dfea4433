#include <marrow/results.h>

#include <Eigen/Geometry>

#include "library/parts.h"

namespace marrow {
namespace {

std::string name_body_of(const WeightedPoint& anchor, const std::vector<Body>& bodies) {
  if (anchor.nodes.empty()) return {};
  return bodies[static_cast<size_t>(find_body_of_node(bodies, anchor.nodes[0]))].name;
}

}  // namespace

api::Pose make_public(const BodyPose& pose) {
  Eigen::Quaterniond q(pose.rotation);
  if (q.w() < 0) q.coeffs() *= -1;
  return {pose.mass,
          make_public(pose.centre),
          {q.w(), q.x(), q.y(), q.z()},
          make_public(pose.velocity),
          make_public(pose.angular_velocity)};
}

api::BodyForces make_public(const BodyForces& forces) {
  api::BodyForces out;
  out.normal = make_public(forces.normal.force);
  out.friction = make_public(forces.friction.force);
  out.contact_torque = make_public(Vec3(forces.normal.torque + forces.friction.torque));
  out.joints = make_public(forces.joints.force);
  out.joints_torque = make_public(forces.joints.torque);
  out.loads = make_public(forces.loads.force);
  out.loads_torque = make_public(forces.loads.torque);
  out.reaction = make_public(forces.reaction.force);
  out.reaction_torque = make_public(forces.reaction.torque);
  return out;
}

api::ContactForce make_public(const PairForces& pair, const Kinematics& kinematics) {
  api::ContactForce out;
  out.a = kinematics.bodies[static_cast<size_t>(pair.a)].name;
  out.b = kinematics.bodies[static_cast<size_t>(pair.b)].name;
  if (pair.a != pair.b) {
    out.normal = make_public(pair.normal.force);
    out.friction = make_public(pair.friction.force);
    out.torque = make_public(Vec3(pair.normal.torque + pair.friction.torque));
  }
  out.point = make_public(pair.point);
  out.pressing = pair.pressing;
  out.contacts = pair.contacts;
  out.gap = pair.gap;
  out.slip = pair.slip;
  out.sticking = pair.sticking;
  return out;
}

api::JointForce make_public(const Joint& joint, const JointStatus& status, const Wrench& held,
                            const Kinematics& kinematics, const VecX& n) {
  api::JointForce out;
  out.joint = joint.name;
  out.a = name_body_of(joint.anchor_a, kinematics.bodies);
  out.b = name_body_of(joint.anchor_b, kinematics.bodies);
  out.coordinate = status.coordinate;
  out.force = make_public(held.force);
  out.torque = make_public(held.torque);
  out.anchor = make_public(joint.anchor_a.at(n));
  out.is_broken = status.is_broken;
  return out;
}

}  // namespace marrow
