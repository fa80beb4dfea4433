// What the writers of results see: points that move, and what connects them. The frame format knows no body
// kinds beyond their names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/types.h"
#include "mesh/mesh.h"

namespace marrow {

// How a body is shown.
struct BodyLook {
  std::optional<unsigned> color;  // 0xRRGGBB; empty: the viewer chooses
  bool is_visible = true;
  double radius = 0;  // of wires, loose points and sheets; 0: none is known [m]
  std::string group;
  bool operator==(const BodyLook&) const = default;
};

// How a scene is shown.
struct SceneLook {
  std::vector<BodyLook> bodies;  // empty, or one per body
  std::string view;              // a JSON object (docs/frame_format.md); empty: none
};

// A body owns a contiguous range of the points.
struct OutputBody {
  std::string name;
  std::string kind;  // for example "soft"
  Index first_point = 0;
  Index point_count = 0;
  Index hidden_count = 0;  // so many of its points, the last ones, are not drawn
  BodyLook look = {};
};

// Constant over a run. All indices count over the points of all bodies.
struct OutputTopology {
  std::vector<OutputBody> bodies;
  std::vector<Edge> edges;          // wires only
  std::vector<Triangle> triangles;  // the surfaces: boundaries of the tets and sheets alike
  std::vector<Tet> tets;
  std::string view;  // of SceneLook
};

struct ScalarField {
  std::string name;
  std::span<const double> values;
};

struct VectorField {
  std::string name;
  std::span<const Vec3> values;
};

// Something drawn over the bodies: contacts, joints, handles, the smallest gap, medial spheres. Its size may
// change from frame to frame. What the names mean: docs/frame_format.md.
struct Overlay {
  std::string name;
  Points points;                  // [m]
  std::vector<double> radii;      // [m]; empty, or one per point: spheres
  std::vector<Edge> segments;     // over the points; cones where there are radii
  std::vector<Triangle> slabs;    // over the points
  std::vector<double> values;     // empty, or one per point: a force, say
  std::vector<Edge> bodies = {};  // empty, or one per segment: the bodies that it joins, kNone for none
};

// One instant. Views only: what they point to must outlive the frame.
struct Frame {
  int step = 0;
  double time = 0;                         // [s]
  std::span<const Vec3> points;            // [m]
  std::span<const Vec3> velocities;        // [m/s]; empty or one per point
  std::vector<ScalarField> point_scalars;  // one value per point
  std::vector<VectorField> point_vectors;  // one value per point
  std::vector<ScalarField> tet_scalars;    // one value per tet
  std::vector<Overlay> overlays;           // in the viewer's frames only
};

// The number of points of all bodies together.
Index count_points(const OutputTopology& topology);

// The body of each point.
std::vector<Index> compute_body_of_points(const OutputTopology& topology);

// The points that belong to no edge, triangle or tet and are not hidden.
std::vector<Index> find_loose_points(const OutputTopology& topology);

// The cells of a frame file, in its order.
struct FrameCells {
  std::vector<Tet> tets;
  std::vector<Triangle> triangles;  // of bodies without tets
  std::vector<Edge> edges;
  std::vector<Index> vertices;  // points that no other cell uses
};
FrameCells list_cells(const OutputTopology& topology);

}  // namespace marrow
