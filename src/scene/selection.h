// Which points of a body are meant, as scenes say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/options.h"
#include "core/types.h"

namespace marrow {

// Where a body or joint stands in a scene file, for messages; empty if its number in the list says it.
struct Origin {
  std::string file;
  std::string path;  // bodies[2]
  std::string copy;  // what the copy is called; empty if it is not one
  bool operator==(const Origin&) const = default;
};

struct BoxRegion {
  Vec3 min = Vec3::Zero();
  Vec3 max = Vec3::Zero();
  bool operator==(const BoxRegion&) const = default;
};

struct SphereRegion {
  Vec3 center = Vec3::Zero();
  double radius = 0;
  bool operator==(const SphereRegion&) const = default;
};

// Which points of a body are meant; exactly one way of saying so is given.
struct Selection {
  bool all = false;
  std::optional<BoxRegion> box;           // closed, world coordinates at time 0
  std::optional<BoxRegion> relative_box;  // closed, 0 to 1 across the body's bounding box at time 0
  std::optional<SphereRegion> sphere;     // closed, world coordinates at time 0
  std::optional<std::vector<int>> vertices;
  bool operator==(const Selection&) const = default;
};

template <class Visitor>
void visit_fields(Visitor& visit, BoxRegion& o) {
  visit("min", o.min,
        {.unit = "m", .required = true, .doc = "Lowest corner, included (relative_box: no unit, 0 to 1)."});
  visit("max", o.max,
        {.unit = "m", .required = true, .doc = "Highest corner, included (relative_box: no unit, 0 to 1)."});
}

template <class Visitor>
void visit_fields(Visitor& visit, SphereRegion& o) {
  visit("center", o.center, {.unit = "m", .required = true, .doc = "Centre."});
  visit("radius", o.radius,
        {.unit = "m", .above = 0, .required = true, .doc = "Radius; points on the sphere are included."});
}

template <class Visitor>
void visit_fields(Visitor& visit, Selection& o) {
  visit("all", o.all, {.doc = "Every point of the body."});
  visit("box", o.box, {.doc = "The points inside this box, in world coordinates at time 0."});
  visit("relative_box", o.relative_box,
        {.doc = "The points inside this box, whose coordinates run from 0 to 1 across the body's bounding "
                "box at time 0."});
  visit("sphere", o.sphere, {.doc = "The points inside this sphere, in world coordinates at time 0."});
  visit("vertices", o.vertices,
        {.at_least = 0, .doc = "The points with these numbers, counted from 0 as in the mesh."});
}

}  // namespace marrow
