// How a scene says that a body or joint is there several times.
#pragma once

#include <optional>
#include <variant>

#include "core/options.h"
#include "core/types.h"

namespace marrow {

// More bodies than this are a slip of the pen: each has at least a few kilobytes in every step.
inline constexpr int kMostCopies = 100'000;

struct RowCopies {
  static constexpr const char* name = "row";
  int count = 1;
  Vec3 step = Vec3::Zero();
  Vec3 turn = Vec3::Zero();  // degrees, about x, then y, then z
};

struct GridCopies {
  static constexpr const char* name = "grid";
  int count_x = 1;
  int count_y = 1;
  int count_z = 1;
  Vec3 step = Vec3::Ones();
};

struct RingCopies {
  static constexpr const char* name = "ring";
  int count = 1;
  double radius = 1;
  Vec3 axis = Vec3::UnitY();
  double start = 0;    // degrees
  double angle = 360;  // degrees
  bool facing = true;
};

struct ScatterCopies {
  static constexpr const char* name = "scatter";
  int count = 1;
  Vec3 min = Vec3::Zero();
  Vec3 max = Vec3::Zero();
  int seed = 1;
  std::optional<double> gap;
  bool turned = false;
};

using Copies = std::variant<RowCopies, GridCopies, RingCopies, ScatterCopies>;

inline Field copies_field(const char* doc) {
  return {.at_least = 0, .at_most = kMostCopies, .required = true, .doc = doc};
}

template <class Visitor>
void visit_fields(Visitor& visit, RowCopies& o) {
  visit("count", o.count, copies_field("Number of copies; the first stands at the body's own position."));
  visit("step", o.step, {.unit = "m", .doc = "From one copy to the next."});
  visit(
      "turn", o.turn,
      {.unit = "°", .doc = "Rotation from one copy to the next, about its own position: x, then y, then z."});
}

template <class Visitor>
void visit_fields(Visitor& visit, GridCopies& o) {
  const Field count = {.at_least = 0, .at_most = kMostCopies, .doc = "Number of copies along this axis."};
  visit("count_x", o.count_x, count);
  visit("count_y", o.count_y, count);
  visit("count_z", o.count_z, count);
  visit("step", o.step, {.unit = "m", .doc = "From one copy to the next along each axis."});
}

template <class Visitor>
void visit_fields(Visitor& visit, RingCopies& o) {
  visit("count", o.count, copies_field("Number of copies, evenly spread."));
  visit("radius", o.radius, {.unit = "m", .at_least = 0, .doc = "From the body's own position, the centre."});
  visit("axis", o.axis, {.doc = "Direction of the axis of the circle."});
  visit("start", o.start, {.unit = "°", .doc = "Where the first copy is; 0 is along x if the axis is y."});
  visit("angle", o.angle,
        {.unit = "°", .doc = "All the way round with 360; else the angle from the first copy to the last."});
  visit("facing", o.facing, {.doc = "Whether copies turn with the circle; if not, all are parallel."});
}

template <class Visitor>
void visit_fields(Visitor& visit, ScatterCopies& o) {
  visit("count", o.count, copies_field("Number of copies."));
  visit("min", o.min,
        {.unit = "m",
         .required = true,
         .doc = "Lowest corner of the box, relative to the body's position. The middles of the copies lie in "
                "it."});
  visit("max", o.max, {.unit = "m", .required = true, .doc = "Highest corner of the box."});
  visit("seed", o.seed, {.at_least = 0, .doc = "Another seed gives other places."});
  visit("gap", o.gap,
        {.unit = "m",
         .at_least = 0,
         .doc = "Least distance between the spheres around copies; if absent, a hundredth of the body's box "
                "diagonal, which is outside of the default contact.d_hat."});
  visit("turned", o.turned, {.doc = "Whether each copy has a rotation of its own, all equally likely."});
}

}  // namespace marrow
