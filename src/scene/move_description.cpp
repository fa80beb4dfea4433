#include "scene/move_description.h"

#include <fmt/format.h>

#include "math/rotation.h"

namespace marrow {
namespace {

// Whether R maps axes to axes; those are then without rounding.
bool is_right_angled(Mat3& R) {
  const Mat3 rounded = R.array().round();
  // Angles in degrees give 90 with an error of 1e-16. [derived]
  if ((R - rounded).cwiseAbs().maxCoeff() > 1e-14) return false;
  R = rounded;
  return true;
}

std::optional<MoveProblem> move_selection(const RigidMove& move, const std::string& key, Selection& select) {
  if (select.sphere) select.sphere->center = move.apply(select.sphere->center);
  if (!select.box) return {};
  RigidMove exact = move;
  if (!is_right_angled(exact.R)) {
    return MoveProblem{key + ".box", "a box along the axes cannot be turned by this angle",
                       "Select with sphere, relative_box or vertices."};
  }
  const Vec3 a = exact.apply(select.box->min), b = exact.apply(select.box->max);
  select.box->min = a.cwiseMin(b);
  select.box->max = a.cwiseMax(b);
  return {};
}

void move_plane(const RigidMove& move, PlaneDescription& plane) {
  if (move.turns()) plane.normal = move.R * plane.normal;
  plane.height += plane.normal.normalized().dot(move.shift);
}

// The sum of row · v as a formula.
Expression combine(const Vec3& row, const VectorExpression& v) {
  const Expression* const parts[] = {&v.x, &v.y, &v.z};
  bool is_constant = true;
  double sum = 0;
  std::string text;
  for (int axis = 0; axis < 3; ++axis) {
    const Expression& part = *parts[axis];
    if (row[axis] == 0) continue;
    is_constant = is_constant && part.is_constant();
    if (part.is_constant()) sum += row[axis] * part.evaluate(0);
    text += fmt::format("{}({}) * ({})", text.empty() ? "" : " + ", format_number(row[axis]), part.text());
  }
  return is_constant ? Expression(sum) : Expression(text);
}

void turn(const Mat3& R, std::optional<VectorExpression>& formula) {
  if (!formula) return;
  formula =
      VectorExpression(combine(R.row(0), *formula), combine(R.row(1), *formula), combine(R.row(2), *formula));
}

std::optional<MoveProblem> turn_prescribed(const Mat3& R, const std::string& key,
                                           PrescribedDescription& part) {
  part.velocity = R * part.velocity;
  part.angular_velocity = R * part.angular_velocity;
  part.axis = R * part.axis;
  turn(R, part.translation);
  if (part.displacement) {
    return MoveProblem{key + ".displacement",
                       "formulas in x, y, z follow the axes of the world and cannot be turned",
                       "Say the motion with translation, angle and scale."};
  }
  for (Keyframe& keyframe : part.keyframes) {
    keyframe.translation = R * keyframe.translation;
    if (keyframe.rotation.isZero(0)) continue;
    return MoveProblem{key + ".keyframes", "keyframes with rotations cannot be turned",
                       "Say the motion with angle and axis."};
  }
  return {};
}

}  // namespace

std::optional<MoveProblem> move_places(const RigidMove& move, BodyDescription& body) {
  if (body.repeat && move.turns()) {
    return MoveProblem{"repeat", "the rows of a repeated mesh follow the axes and cannot be turned",
                       "Use copies instead of repeat."};
  }
  if (body.plane) move_plane(move, *body.plane);
  body.position = move.apply(body.position);
  if (move.turns()) body.rotation = degrees_from_rotation(move.R * rotation_from_degrees(body.rotation));
  for (size_t k = 0; k < body.prescribed.size(); ++k) {
    PrescribedDescription& part = body.prescribed[k];
    const std::string key = fmt::format("prescribed[{}]", k);
    if (part.sequence) {
      return MoveProblem{key + ".sequence",
                         "a sequence of meshes stands where its files say and cannot be moved",
                         "Name the body in the scene itself, once."};
    }
    if (part.about) part.about = move.apply(*part.about);
    if (const auto found = move_selection(move, key + ".select", part.select)) return found;
  }
  for (size_t k = 0; k < body.forces.size(); ++k) {
    if (const auto found = move_selection(move, fmt::format("forces[{}].select", k), body.forces[k].select))
      return found;
  }
  return {};
}

std::optional<MoveProblem> turn_motion(const Mat3& R, BodyDescription& body) {
  if (R == Mat3::Identity()) return {};
  if (!body.locked.empty()) {
    return MoveProblem{"locked", "degrees of freedom along the axes of the world cannot be turned",
                       "Hold the body with joints, a slider or a hinge."};
  }
  body.velocity = R * body.velocity;
  body.angular_velocity = R * body.angular_velocity;
  for (ForceDescription& force : body.forces) {
    turn(R, force.acceleration);
    turn(R, force.force);
    turn(R, force.traction);
    turn(R, force.torque);
  }
  for (size_t k = 0; k < body.prescribed.size(); ++k) {
    if (const auto found = turn_prescribed(R, fmt::format("prescribed[{}]", k), body.prescribed[k]))
      return found;
  }
  return {};
}

std::optional<MoveProblem> move_joint(const RigidMove& move, JointDescription& joint) {
  if (joint.at) joint.at = move.apply(*joint.at);
  if (joint.at_b) joint.at_b = move.apply(*joint.at_b);
  if (move.turns() && (joint.type == JointType::Hinge || joint.type == JointType::Slider))
    joint.axis = move.R * joint.axis;
  if (joint.select) return move_selection(move, "select", *joint.select);
  return {};
}

}  // namespace marrow
