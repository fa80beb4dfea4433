// The forces of a step are those for which its equation was solved (docs/results.md):
//
//   F = −w ∇E(n) / s_e        n at the end of the part, w the weight of the term, s_e of
//   sim/terms/integrator.h
//
// Friction is the lagged one that the last solve saw. h F is the impulse of the term in the integrator's
// eyes, so that the forces on a body add up to its rate of change of momentum, up to what Newton left open
// (solver.balance). If a step was taken in parts, a force is their mean over time: h F is still the impulse.
#pragma once

#include <limits>
#include <vector>

#include "core/types.h"

namespace marrow {

struct Wrench {
  Vec3 force = Vec3::Zero();   // [N]
  Vec3 torque = Vec3::Zero();  // [N m], about a point that the owner names

  void add(const Vec3& f, const Vec3& at) {
    force += f;
    torque += at.cross(f);
  }
  void add(double share, const Wrench& other) {
    force += share * other.force;
    torque += share * other.torque;
  }
  // From torques about the origin to torques about this point.
  void move_to(const Vec3& point) { torque -= point.cross(force); }
};

// Torques are about the body's centre of mass at the end of the step; for obstacles, the mean of their
// points.
struct BodyForces {
  Wrench normal, friction;  // of contact
  Wrench joints;            // springs and motors too
  Wrench loads;             // gravity, forces, pressure, and terms that callers added
  Wrench reaction;          // on prescribed points and locked motions: what holds or drives them
};

// Two bodies that touch, or one that touches itself: then forces cancel. Forces are those on a; b has the
// opposite ones. Torques are about `point`.
struct PairForces {
  Index a = kNone, b = kNone;  // a <= b
  Wrench normal, friction;
  Vec3 point = Vec3::Zero();  // of application: the mean of the contacts by their normal forces [m]
  double pressing = 0;        // the sum of the magnitudes of the normal forces [N]
  // At the end of the step; of none if the bodies touched in earlier parts only.
  size_t contacts = 0;
  double gap = std::numeric_limits<double>::infinity();  // the smallest [m]
  double slip = 0;      // mean sliding speed of the contacts by their normal forces, in the last part [m/s]
  double sticking = 0;  // the part of the friction that is of contacts slower than ε_v, 0 to 1
};

// The contact forces of one solve, before the step is put together: torques are about the origin.
struct ContactForces {
  struct Pair {
    PairForces sum;
    Wrench normal_on_b, friction_on_b;  // forces opposite to those on a
  };
  struct AtPoint {
    Index point = kNone;
    size_t pair = 0;
    Vec3 normal = Vec3::Zero(), friction = Vec3::Zero();
    double pressing = 0;
  };
  std::vector<Pair> pairs;  // ascending
  std::vector<AtPoint> points;
  VecX on_nodes;  // all of it, by node
};

struct StepForces {
  std::vector<BodyForces> bodies;  // of all
  std::vector<PairForces> pairs;   // ascending
  std::vector<Wrench> joints;      // on the first body of each, about its anchor there
  // At every point of the bodies; empty without contact.
  Points normal, friction;       // [N]
  std::vector<double> pressing;  // magnitudes of normal forces, added up [N]
};

}  // namespace marrow
