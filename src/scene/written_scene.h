// A scene as it is written: what a Scene has, and what becomes bodies and joints while it is read. Variables,
// copies, includes and the ground are not in a Scene any more, nor in the scene.json of a run.
#pragma once

#include "math/expression.h"
#include "scene/copies/copies.h"
#include "scene/description.h"

namespace marrow {

// Copies as they are written: by "type"; without one a row; a number alone is the count of a row.
struct WrittenCopies {
  Copies pattern = RowCopies{};
};

struct WrittenBody : BodyDescription {
  std::optional<WrittenCopies> copies;
};

struct WrittenJoint : JointDescription {
  std::optional<WrittenCopies> copies;  // a row or a grid
};

// Another scene file, whose bodies, joints and pairs become part of the scene.
struct IncludeDescription {
  std::string file;  // relative to the scene file
  Vec3 position = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();  // degrees; R = Rz Ry Rx
  std::string prefix;
  Variables variables;
};

struct GroundDescription {
  double height = 0;
  Vec3 normal = Vec3::UnitY();
  std::optional<double> friction;
};

struct WrittenScene : Scene {
  std::string schema;
  Variables variables;
  std::vector<IncludeDescription> include;
  std::vector<WrittenBody> written_bodies;  // in place of bodies
  std::vector<WrittenJoint> written_joints;
  std::optional<GroundDescription> ground;
};

inline constexpr const char* kGround = "ground";

template <class Visitor>
void visit_fields(Visitor& visit, WrittenBody& o) {
  visit_fields(visit, static_cast<BodyDescription&>(o));
  visit("copies", o.copies,
        {.doc = "The body several times: in a row (the default type), a grid, a ring, or scattered."});
}

template <class Visitor>
void visit_fields(Visitor& visit, WrittenJoint& o) {
  visit_fields(visit, static_cast<JointDescription&>(o));
  visit(
      "copies", o.copies,
      {.doc =
           "The joint several times, in a row or a grid: `at` and `at_b` take the steps, `axis` the turns."});
}

template <class Visitor>
void visit_fields(Visitor& visit, IncludeDescription& o) {
  visit("file", o.file, {.required = true, .doc = "The scene file, relative to this one."});
  visit("position", o.position, {.unit = "m", .doc = "Where its origin comes to stand."});
  visit("rotation", o.rotation, {.unit = "°", .doc = "Rotation about its origin: x, then y, then z."});
  visit("prefix", o.prefix, {.doc = "Stands before the names of its bodies, joints and groups."});
  visit("variables", o.variables, {.doc = "Values for variables of the file, in place of its own."});
}

template <class Visitor>
void visit_fields(Visitor& visit, GroundDescription& o) {
  visit(
      "height", o.height,
      {.unit = "m", .doc = "Distance of the plane from the origin along its normal: its y, if that is up."});
  visit("normal", o.normal, {.doc = "Direction away from the ground; need not have length 1."});
  visit("friction", o.friction, {.at_least = 0, .doc = "As the key friction of a body."});
}

// The fields of a Scene, in which bodies and joints are written ones.
template <class Visitor>
struct WrittenFields {
  Visitor& visit;
  WrittenScene& o;

  template <class T>
  void operator()(const char* name, T& value, const Field& field) {
    if constexpr (std::is_same_v<T, std::vector<BodyDescription>>) {
      visit(name, o.written_bodies, field);
    } else if constexpr (std::is_same_v<T, std::vector<JointDescription>>) {
      visit(name, o.written_joints, field);
    } else {
      visit(name, value, field);
    }
  }
};

template <class Visitor>
void visit_fields(Visitor& visit, WrittenScene& o) {
  visit("$schema", o.schema, {.doc = "For editors: where docs/scene.schema.json is. It changes nothing."});
  visit(
      "variables", o.variables,
      {.doc =
           "Names for numbers, which may be expressions of each other: {\"r\": 0.1, \"gap\": \"r / 10\"}."});
  visit(
      "include", o.include,
      {.doc = "Other scene files, by name or as objects; their bodies, joints and contact.pairs are added."});
  visit("ground", o.ground,
        {.doc = "The ground: a plane as large as needed, as an obstacle called \"ground\". {} is level, at y "
                "= 0."});
  WrittenFields<Visitor> inner{visit, o};
  visit_fields(inner, static_cast<Scene&>(o));
}

}  // namespace marrow
