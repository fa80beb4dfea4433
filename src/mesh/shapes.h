// Built-in parametric bodies: tet meshes of good quality with their boundary, centred at the origin, Y up.
//
// Every shape is a structured grid of cells, each cut into six tets (Kuhn), mapped smoothly onto the body.
// The cut is mirrored so that its diagonals run from the surface inwards: no tet of a round shape has all
// corners on the surface. "Centred" means the centre of the bounding box.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include "core/options.h"
#include "mesh/mesh.h"

namespace marrow {

struct BoxShape {
  static constexpr const char* name = "box";
  Vec3 size = Vec3(1, 1, 1);
  int cells_x = 4;
  int cells_y = 4;
  int cells_z = 4;
};

struct SphereShape {
  static constexpr const char* name = "sphere";
  double radius = 0.5;
  int resolution = 4;
};

// Axis along Y.
struct CylinderShape {
  static constexpr const char* name = "cylinder";
  double radius = 0.5;
  double height = 1;
  int resolution = 3;
  int layers = 6;
};

// A ring lying flat: axis along Y.
struct TorusShape {
  static constexpr const char* name = "torus";
  double ring_radius = 0.4;
  double tube_radius = 0.12;
  int resolution = 2;
  int segments = 36;
};

// Round base below, apex above, axis along Y.
struct ConeShape {
  static constexpr const char* name = "cone";
  double radius = 0.5;
  double height = 1;
  int resolution = 5;
};

// A slab lying flat, thin along Y.
struct PlateShape {
  static constexpr const char* name = "plate";
  double width = 1;
  double depth = 1;
  double thickness = 0.05;
  int cells_x = 16;
  int cells_y = 1;
  int cells_z = 16;
};

// A round bar with hemispherical ends, along X.
struct RodShape {
  static constexpr const char* name = "rod";
  double length = 1;
  double radius = 0.05;
  int resolution = 2;
  int segments = 32;
};

// Round wire along a stadium in the XY plane, long axis Y: two straight sides joined by half circles.
struct ChainLinkShape {
  static constexpr const char* name = "chain_link";
  double straight = 0.04;
  double bend_radius = 0.02;
  double wire_radius = 0.006;
  int resolution = 2;
  int bend_segments = 16;
  int straight_segments = 10;
};

// A playing card standing upright in the XY plane, thin along Z.
struct CardShape {
  static constexpr const char* name = "card";
  double width = 0.063;
  double height = 0.088;
  double thickness = 0.001;
  int cells_x = 18;
  int cells_y = 25;
};

// A triangular prism: rectangular base below, sharp ridge along Z above.
struct WedgeShape {
  static constexpr const char* name = "wedge";
  double width = 1;
  double height = 1;
  double depth = 1;
  int resolution = 5;
  int cells_z = 8;
};

// A square pyramid: square base below, sharp tip above.
struct SpikeShape {
  static constexpr const char* name = "spike";
  double width = 0.2;
  double height = 0.5;
  int resolution = 5;
};

// An open sheet lying flat, for cloth and shells: triangles only, upper side along Y.
struct SheetShape {
  static constexpr const char* name = "sheet";
  double width = 1;
  double depth = 1;
  int cells_x = 16;
  int cells_z = 16;
};

// A flat rectangle in the XY plane: triangles only, for scenes in two dimensions.
struct RectangleShape {
  static constexpr const char* name = "rectangle";
  double width = 1;
  double height = 1;
  int cells_x = 4;
  int cells_y = 4;
};

// A flat disk in the XY plane: triangles only, for scenes in two dimensions.
struct DiskShape {
  static constexpr const char* name = "disk";
  double radius = 0.5;
  int resolution = 4;
};

using Shape =
    std::variant<BoxShape, SphereShape, CylinderShape, TorusShape, ConeShape, PlateShape, RodShape,
                 ChainLinkShape, CardShape, WedgeShape, SpikeShape, SheetShape, RectangleShape, DiskShape>;

// "box", "sphere", …: the name of a shape in scenes.
const char* shape_name(const Shape& shape);

// Every shape once, with its defaults, in the order of the variant.
std::vector<Shape> default_shapes();

// The tets of a shape, positively oriented, and its outward boundary as triangles; of a sheet, a rectangle
// and a disk the triangles alone. Throws InputError for values outside the ranges of the field list or at
// odds with each other (a rod shorter than it is thick).
Mesh build_shape(const Shape& shape);

inline constexpr int kMaxShapeCells = 1000;  // along one axis

// The field of a count of cells.
inline Field cells_field(const char* doc) { return {.at_least = 1, .at_most = kMaxShapeCells, .doc = doc}; }

// The field of a length.
inline Field length_field(const char* doc) { return {.unit = "m", .above = 0, .doc = doc}; }

template <class Visitor>
void visit_fields(Visitor& visit, BoxShape& o) {
  visit("size", o.size, length_field("Edge lengths along X, Y and Z."));
  visit("cells_x", o.cells_x, cells_field("Cells along X; more cells bend in finer detail and cost more."));
  visit("cells_y", o.cells_y, cells_field("Cells along Y."));
  visit("cells_z", o.cells_z, cells_field("Cells along Z."));
}

template <class Visitor>
void visit_fields(Visitor& visit, SphereShape& o) {
  visit("radius", o.radius, length_field("Radius."));
  visit("resolution", o.resolution, cells_field("Cells from centre to surface; n gives 48 n³ tets."));
}

template <class Visitor>
void visit_fields(Visitor& visit, CylinderShape& o) {
  visit("radius", o.radius, length_field("Radius."));
  visit("height", o.height, length_field("Height along Y."));
  visit("resolution", o.resolution, cells_field("Cells from axis to surface."));
  visit("layers", o.layers, cells_field("Cells along the axis."));
}

template <class Visitor>
void visit_fields(Visitor& visit, TorusShape& o) {
  visit("ring_radius", o.ring_radius,
        length_field("Distance from the axis to the middle of the tube; must be above tube_radius."));
  visit("tube_radius", o.tube_radius, length_field("Radius of the tube."));
  visit("resolution", o.resolution, cells_field("Cells from the middle of the tube to its surface."));
  visit("segments", o.segments, {.at_least = 3, .at_most = kMaxShapeCells, .doc = "Cells around the ring."});
}

template <class Visitor>
void visit_fields(Visitor& visit, ConeShape& o) {
  visit("radius", o.radius, length_field("Radius of the base."));
  visit("height", o.height, length_field("Height along Y."));
  visit("resolution", o.resolution,
        cells_field("Cells from apex to base, and from axis to surface at the base."));
}

template <class Visitor>
void visit_fields(Visitor& visit, PlateShape& o) {
  visit("width", o.width, length_field("Along X."));
  visit("depth", o.depth, length_field("Along Z."));
  visit("thickness", o.thickness, length_field("Along Y."));
  visit("cells_x", o.cells_x, cells_field("Cells along X."));
  visit("cells_y", o.cells_y,
        cells_field("Cells through the thickness; a single cell locks in bending, two or more lock less."));
  visit("cells_z", o.cells_z, cells_field("Cells along Z."));
}

template <class Visitor>
void visit_fields(Visitor& visit, RodShape& o) {
  visit("length", o.length, length_field("Length from tip to tip along X; must be above twice the radius."));
  visit("radius", o.radius, length_field("Radius of the bar and of its round ends."));
  visit("resolution", o.resolution, cells_field("Cells from axis to surface."));
  visit("segments", o.segments, cells_field("Cells along the straight part."));
}

template <class Visitor>
void visit_fields(Visitor& visit, ChainLinkShape& o) {
  visit("straight", o.straight, length_field("Length of the straight sides along Y."));
  visit("bend_radius", o.bend_radius,
        length_field("Radius of the wire's middle line in the bends; must be above wire_radius."));
  visit("wire_radius", o.wire_radius, length_field("Radius of the wire."));
  visit("resolution", o.resolution, cells_field("Cells from the middle of the wire to its surface."));
  visit("bend_segments", o.bend_segments,
        {.at_least = 2, .at_most = kMaxShapeCells, .doc = "Cells around each half circle."});
  visit("straight_segments", o.straight_segments, cells_field("Cells along each straight side."));
}

template <class Visitor>
void visit_fields(Visitor& visit, CardShape& o) {
  visit("width", o.width, length_field("Along X."));
  visit("height", o.height, length_field("Along Y."));
  visit("thickness", o.thickness, length_field("Along Z; one cell."));
  visit("cells_x", o.cells_x, cells_field("Cells along X."));
  visit("cells_y", o.cells_y, cells_field("Cells along Y."));
}

template <class Visitor>
void visit_fields(Visitor& visit, WedgeShape& o) {
  visit("width", o.width, length_field("Width of the base along X."));
  visit("height", o.height, length_field("Height from base to ridge along Y."));
  visit("depth", o.depth, length_field("Along Z."));
  visit("resolution", o.resolution,
        cells_field("Cells from ridge to base; the base has twice as many along X."));
  visit("cells_z", o.cells_z, cells_field("Cells along Z."));
}

template <class Visitor>
void visit_fields(Visitor& visit, SpikeShape& o) {
  visit("width", o.width, length_field("Edge length of the square base."));
  visit("height", o.height, length_field("Height from base to tip along Y."));
  visit("resolution", o.resolution,
        cells_field("Cells from tip to base; the base has twice as many along each edge."));
}

template <class Visitor>
void visit_fields(Visitor& visit, SheetShape& o) {
  visit("width", o.width, length_field("Along X."));
  visit("depth", o.depth, length_field("Along Z."));
  visit("cells_x", o.cells_x,
        cells_field("Cells along X, of two triangles each; a soft sheet needs a thickness."));
  visit("cells_z", o.cells_z, cells_field("Cells along Z."));
}

template <class Visitor>
void visit_fields(Visitor& visit, RectangleShape& o) {
  visit("width", o.width, length_field("Along X."));
  visit("height", o.height, length_field("Along Y."));
  visit("cells_x", o.cells_x, cells_field("Cells along X, of two triangles each."));
  visit("cells_y", o.cells_y, cells_field("Cells along Y."));
}

template <class Visitor>
void visit_fields(Visitor& visit, DiskShape& o) {
  visit("radius", o.radius, length_field("Radius."));
  visit("resolution", o.resolution, cells_field("Rings of triangles; n gives 6 n² triangles."));
}

// Whether a shape lies in the XY plane.
inline bool is_flat(const Shape& shape) {
  return std::holds_alternative<RectangleShape>(shape) || std::holds_alternative<DiskShape>(shape);
}

}  // namespace marrow
