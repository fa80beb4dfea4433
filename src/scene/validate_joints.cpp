#include "scene/validate_joints.h"

#include <fmt/format.h>

#include "core/error.h"
#include "scene/body_names.h"

namespace marrow {
namespace {

using Problem = std::optional<SceneProblem>;

bool has_axis(JointType type) { return type == JointType::Hinge || type == JointType::Slider; }
bool has_two_places(JointType type) { return type == JointType::Distance || type == JointType::Spring; }

Problem check_body_name(const Scene& scene, const JsonPath& path, const std::string& name) {
  if (find_body(scene, name) != kNone) return {};
  std::vector<std::string> known;
  for (size_t i = 0; i < scene.bodies.size(); ++i) known.push_back(scene.name_of(i));
  const std::string nearest = nearest_name(name, known);
  return SceneProblem{
      path, fmt::format("no body is called \"{}\"", name),
      nearest.empty() ? "Name a body of the scene." : fmt::format("Did you mean \"{}\"?", nearest)};
}

Problem check_bodies(const Scene& scene, const JsonPath& path, const JointDescription& joint) {
  if (joint.a == kWorld && find_body(scene, kWorld) == kNone) {
    return SceneProblem{path / "a", "the world is not a body and cannot move relative to one",
                        "Name the body as a, and \"world\" as b."};
  }
  if (const Problem found = check_body_name(scene, path / "a", joint.a)) return found;
  if (joint.b != kWorld) {
    if (const Problem found = check_body_name(scene, path / "b", joint.b)) return found;
  }
  if (joint.a == joint.b) {
    return SceneProblem{path / "b", "a joint needs two bodies, and both are the same",
                        "Name another body, or \"world\"."};
  }
  const auto is_fixed = [&](const std::string& name) {
    return name == kWorld ||
           scene.bodies[static_cast<size_t>(find_body(scene, name))].kind == BodyKind::Obstacle;
  };
  if (is_fixed(joint.a) && is_fixed(joint.b)) {
    return SceneProblem{path, "neither of its bodies is free to move, so the joint has no effect",
                        "Make one of them soft, affine or rigid."};
  }
  return {};
}

// A field that this type of joint has no use for is a misunderstanding.
Problem check_unused(const JsonPath& path, const JointDescription& joint) {
  const JointType type = joint.type;
  const bool has_coordinate = has_axis(type) || has_two_places(type);
  const char* unused = nullptr;
  if (joint.at_b && !has_two_places(type)) unused = "at_b";
  if (joint.select && has_axis(type)) unused = "select";
  if (joint.axis != Vec3::UnitY() && !has_axis(type)) unused = "axis";
  if (joint.length && (type == JointType::Ball || has_two_places(type))) unused = "length";
  if (joint.limits && !has_coordinate) unused = "limits";
  if (joint.motor && (!has_coordinate || type == JointType::Spring)) unused = "motor";
  if (joint.spring && (!has_coordinate || type == JointType::Distance)) unused = "spring";
  if (unused == nullptr) return {};
  const std::string name = enum_name(type);
  return SceneProblem{path / unused, fmt::format("a joint of type {} has no {}", name, unused),
                      "Remove it, or choose another type; docs/models/joints.md has the table."};
}

Problem check_place(const JsonPath& path, const JointDescription& joint) {
  if (joint.at.has_value() == joint.select.has_value()) {
    return SceneProblem{path, joint.at ? "has both a position and a selection" : "has no position",
                        "Give \"at\": [x, y, z], the position of the joint in the world at time 0."};
  }
  if (has_two_places(joint.type) && !joint.at_b) {
    return SceneProblem{
        path, fmt::format("a {} joins two points, but the point of b is missing", enum_name(joint.type)),
        "Give \"at_b\": [x, y, z], the point of b at time 0."};
  }
  if (has_axis(joint.type) && joint.axis.isZero(0)) {
    return SceneProblem{path / "axis", "the axis has no direction", "Give a vector that is not zero."};
  }
  return {};
}

Problem check_coordinate(const JsonPath& path, const JointDescription& joint) {
  if (joint.limits) {
    const LimitsDescription& limits = *joint.limits;
    if (!limits.min && !limits.max) {
      return SceneProblem{path / "limits", "has no limits", "Give min, max, or both."};
    }
    if (limits.min && limits.max && *limits.min > *limits.max) {
      return SceneProblem{path / "limits", fmt::format("min, {}, is above max, {}", *limits.min, *limits.max),
                          "Swap the two."};
    }
  }
  if (joint.motor && joint.motor->speed.has_value() == joint.motor->position.has_value()) {
    return SceneProblem{
        path / "motor",
        joint.motor->speed ? "has both a speed and a position" : "has neither a speed nor a position",
        "Give exactly one of the two."};
  }
  if (joint.type == JointType::Spring && !joint.spring) {
    return SceneProblem{path, "has no spring", "Give \"spring\": {\"stiffness\": …}."};
  }
  if (joint.spring && joint.spring->stiffness == 0 && joint.spring->damping == 0) {
    return SceneProblem{path / "spring", "has neither stiffness nor damping", "Give at least one."};
  }
  return {};
}

Problem check_joint(const Scene& scene, const JsonPath& path, const JointDescription& joint) {
  if (const Problem found = check_bodies(scene, path, joint)) return found;
  if (const Problem found = check_unused(path, joint)) return found;
  if (const Problem found = check_place(path, joint)) return found;
  if (joint.select) {
    if (const Problem found = find_selection_problem(path / "select", *joint.select)) return found;
  }
  return check_coordinate(path, joint);
}

}  // namespace

std::optional<SceneProblem> find_joint_problem(const Scene& scene) {
  for (size_t i = 0; i < scene.joints.size(); ++i) {
    JsonPath path = JsonPath() / "joints";
    path.push_back(JsonStep::into(static_cast<int>(i)));
    if (const Problem found = check_joint(scene, path, scene.joints[i])) return found;
  }
  return {};
}

}  // namespace marrow
