// The solver sees joints as relations between weighted points (docs/models/joints.md).
//
// A joint has vectors that must vanish (points that coincide), pairs of vectors that must stay perpendicular,
// and at most one coordinate q, a number with a meaning: a distance, an offset along an axis, an angle. The
// coordinate may be held, limited, driven and sprung. All of it works between any two kinds of bodies.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "core/options.h"
#include "kinematics/weighted_point.h"
#include "math/expression.h"

namespace marrow {

enum class JointType { Ball, Hinge, Slider, Fixed, Distance, Spring };

template <>
struct EnumNames<JointType> {
  static constexpr const char* names[] = {"ball", "hinge", "slider", "fixed", "distance", "spring"};
};

// A number made of up to three vectors z, each linear in the nodes:
//   Length   |z₀|                                            [m]
//   Dot      z₀ · z₁, z₁ of length 1 at first: an offset     [m]
//   Angle    atan2(z₀·z₂, z₀·z₁): a turn from z₁ towards z₂  [rad], counted on over full turns
enum class CoordinateKind { Length, Dot, Angle };

struct JointCoordinate {
  CoordinateKind kind = CoordinateKind::Length;
  std::vector<WeightedPoint> vectors;  // 1, 2 or 3
  double initial = 0;                  // its value at time 0
};

// A motor makes q follow a given speed or position, with the force that this takes, up to its largest force.
struct JointMotor {
  std::optional<Expression> speed;     // of q; either this or position
  std::optional<Expression> position;  // q itself
  double unit = 1;                     // factor of the formulas, which may be in degrees
  double max_force = std::numeric_limits<double>::infinity();  // [N], of angles [N m]
};

struct JointSpring {
  double stiffness = 0;  // [N/m], of angles [N m]
  double damping = 0;    // [N s/m], of angles [N m s]
  double rest = 0;       // q without force
};

// A joint in the units of the solver: metres, radians.
struct Joint {
  std::string name;
  JointType type = JointType::Ball;
  std::vector<WeightedPoint> vanishing;       // vectors that must be zero
  std::vector<JointCoordinate> right_angles;  // Dot: must keep their values of time 0, right angles
  std::optional<JointCoordinate> coordinate;
  std::optional<double> held;  // the value of q, if it is held
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::optional<JointMotor> motor;
  std::optional<JointSpring> spring;
  double break_force = std::numeric_limits<double>::infinity();   // [N]
  double break_torque = std::numeric_limits<double>::infinity();  // about the anchor [N m]
  double length = 1;                                              // that 1 rad counts as, for tolerances [m]
  WeightedPoint anchor_a, anchor_b;  // where it holds the two bodies; torques are about the first
  Index first_node_a = 0;            // the nodes of the first body: the joint's forces are those on them
  Index node_count_a = 0;
  std::vector<WeightedPoint> axis_marks;  // the ends of its axis, for drawing; empty or two
};

// The state of a joint after a step.
struct JointStatus {
  bool is_broken = false;
  bool is_held_up = false;  // by something in the way
  double coordinate = 0;    // q, 0 if it has none
  double force = 0;         // that it carries [N]
  double torque = 0;        // about its anchor [N m]
};

// The data of joints that a restart needs.
struct JointMemory {
  std::vector<JointStatus> joints;
  VecX multipliers;  // the forces of all rows (potentials/joints/joints.h)
};

// Converts a memory to plain numbers, and back. Numbers that do not form a memory give an empty one.
VecX pack(const JointMemory& memory);
JointMemory unpack_joint_memory(const VecX& numbers);

struct JointOptions {
  double tolerance = 1e-9;
  int max_rounds = 12;
  bool operator==(const JointOptions&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, JointOptions& o) {
  visit("joint_tolerance", o.tolerance,
        {.above = 0,
         .below = 1,
         .doc = "Accuracy of joints, as a fraction of the size of the smallest body that is not an obstacle. "
                "Larger values are faster and less accurate."});
  visit("joint_rounds", o.max_rounds,
        {.at_least = 1,
         .doc = "Maximum number of joint solves per step. Joints still open after that, for example because "
                "something blocks them, stay open and are reported in the metrics."});
}

}  // namespace marrow
