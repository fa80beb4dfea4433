// A joint as a scene says it; docs/models/joints.md. Angles are in degrees.
#pragma once

#include <optional>
#include <string>

#include "math/expression.h"
#include "potentials/joints/joint.h"
#include "scene/selection.h"

namespace marrow {

// What a joint calls the fixed frame where a body is expected.
inline constexpr const char* kWorld = "world";

struct LimitsDescription {
  std::optional<double> min;
  std::optional<double> max;
  bool operator==(const LimitsDescription&) const = default;
};

struct MotorDescription {
  std::optional<Expression> speed;
  std::optional<Expression> position;
  std::optional<double> max_force;
  bool operator==(const MotorDescription&) const = default;
};

struct SpringDescription {
  double stiffness = 0;
  double damping = 0;
  std::optional<double> rest;
  bool operator==(const SpringDescription&) const = default;
};

struct JointDescription {
  Origin origin;
  std::string name;  // empty: "joint 0", "joint 1", … by position
  JointType type = JointType::Ball;
  std::string a;
  std::string b = kWorld;
  std::optional<Vec3> at;
  std::optional<Vec3> at_b;
  std::optional<Selection> select;
  Vec3 axis = Vec3::UnitY();
  std::optional<double> length;
  std::optional<LimitsDescription> limits;
  std::optional<MotorDescription> motor;
  std::optional<SpringDescription> spring;
  std::optional<double> break_force;
  std::optional<double> break_torque;
  bool ignore_contact = false;
  bool operator==(const JointDescription&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, LimitsDescription& o) {
  visit("min", o.min,
        {.unit = "° or m", .doc = "Smallest value of the joint's coordinate; if absent, there is no limit."});
  visit("max", o.max,
        {.unit = "° or m", .doc = "Largest value of the joint's coordinate; if absent, there is no limit."});
}

template <class Visitor>
void visit_fields(Visitor& visit, MotorDescription& o) {
  visit("speed", o.speed,
        {.unit = "°/s or m/s", .doc = "Speed of the coordinate as a formula in t; either this or position."});
  visit("position", o.position,
        {.unit = "° or m", .doc = "The coordinate itself as a formula in t; either this or speed."});
  visit("max_force", o.max_force,
        {.unit = "N or N m",
         .at_least = 0,
         .doc = "Largest force of the motor (for hinges: torque); if absent, as much as needed. Set it if "
                "something may block the motor."});
}

template <class Visitor>
void visit_fields(Visitor& visit, SpringDescription& o) {
  visit("stiffness", o.stiffness,
        {.unit = "N/m or N m", .at_least = 0, .doc = "Force per metre; for hinges, torque per radian."});
  visit("damping", o.damping,
        {.unit = "N s/m or N m s",
         .at_least = 0,
         .doc = "Force per speed in m/s; for hinges, torque per angular velocity in rad/s."});
  visit("rest", o.rest,
        {.unit = "° or m",
         .doc = "Coordinate at which the spring has no force; if absent, the one at time 0."});
}

template <class Visitor>
void visit_fields(Visitor& visit, JointDescription& o) {
  visit("name", o.name,
        {.doc = "Name in messages and output. If empty, the index is used: joint 0, joint 1, …"});
  visit(
      "type", o.type,
      {.required = true,
       .doc =
           "ball: holds two points together. hinge: lets body a rotate about an axis of b. slider: lets body "
           "a move along an axis of b without rotating. fixed: allows no relative motion. distance: keeps, "
           "limits or drives the distance between two points. spring: pulls two points towards a distance."});
  visit("a", o.a,
        {.required = true, .doc = "A body, by name. The joint's coordinate is its motion relative to b."});
  visit("b", o.b, {.doc = "Another body, or \"world\"."});
  visit("at", o.at,
        {.unit = "m",
         .doc = "Position of the joint in the world at time 0: a point of both bodies (of a alone, if at_b "
                "is given). Either this or select."});
  visit("at_b", o.at_b, {.unit = "m", .doc = "distance, spring: the point of b."});
  visit("select", o.select,
        {.doc = "Instead of at: points of a. fixed holds each of them, for example to glue on something "
                "soft; ball, distance and spring hold their mean."});
  visit("axis", o.axis, {.doc = "hinge, slider: direction of the axis; need not have length 1."});
  visit("length", o.length,
        {.unit = "m",
         .above = 0,
         .doc = "hinge, slider, fixed: distance between the points that hold the directions; if absent, a "
                "quarter of the box diagonal of the smaller body."});
  visit("limits", o.limits, {.doc = "hinge, slider, distance, spring: bounds of the coordinate."});
  visit("motor", o.motor, {.doc = "hinge, slider, distance: drives the coordinate."});
  visit("spring", o.spring,
        {.doc = "hinge, slider, spring: a spring and a damper that act on the coordinate."});
  visit("break_force", o.break_force,
        {.unit = "N",
         .above = 0,
         .doc = "The joint breaks permanently in a step in which it carries more than this force."});
  visit("break_torque", o.break_torque,
        {.unit = "N m", .above = 0, .doc = "The same for the torque about `at`."});
  visit("ignore_contact", o.ignore_contact,
        {.doc = "If true, the two bodies pass through each other, for example if a pin overlaps its hole."});
}

}  // namespace marrow
