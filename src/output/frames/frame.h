// What the writers of results see: points that move, and what connects them. The frame format knows no body
// kinds beyond their names.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/options.h"
#include "core/types.h"
#include "mesh/mesh.h"

namespace marrow {

// How a body is shown.
struct BodyLook {
  std::optional<unsigned> color;  // 0xRRGGBB; empty: the viewer chooses
  bool is_visible = true;
  double radius = 0;  // of wires, loose points and surfaces; 0: none is known [m]
  std::string group;
  bool operator==(const BodyLook&) const = default;
};

// How a scene is shown.
struct SceneLook {
  std::vector<BodyLook> bodies;  // empty, or one per body
  std::string view;              // a JSON object (docs/frame_format.md); empty: none
};

// A material of a body's mesh file.
struct OutputMaterial {
  std::string name;
  std::string image;                           // a file, relative to the run's folder; empty: none
  std::optional<std::array<double, 4>> color;  // linear red, green, blue, opacity
  bool operator==(const OutputMaterial&) const = default;
};

// Texture coordinates and materials of a body's triangles, as their file has them.
struct OutputTexture {
  std::vector<std::array<double, 2>> points;  // u, v; v runs upwards
  std::vector<std::array<Index, 3>> corners;  // by the body's triangles, into points; kNone: none
  std::vector<OutputMaterial> materials;
  std::vector<Index> material_of;  // by the body's triangles; kNone: none
};

// How the points of a body move: not at all, x = Σ wₖ nₖ over four nodes (affine and rigid bodies), or
// freely.
enum class BodyMotion { Rest, Pose, Free };

template <>
struct EnumNames<BodyMotion> {
  static constexpr const char* names[] = {"rest", "pose", "free"};
};

// A body owns a contiguous range of the points, and of the nodes.
struct OutputBody {
  std::string name;
  std::string kind;  // for example "soft"
  Index first_point = 0;
  Index point_count = 0;
  Index hidden_count = 0;  // so many of its points, the last ones, are not drawn
  Index first_node = 0;
  Index node_count = 0;
  BodyMotion motion = BodyMotion::Free;
  Points rest = {};                // Rest: the points, for good [m]
  std::vector<Vec4> weights = {};  // Pose: of each point over the four nodes
  BodyLook look = {};
  std::shared_ptr<const OutputTexture> texture = {};
  bool is_ground = false;  // a plane that stands for one without an end
};

// Curved tets of a body. What is drawn of them is their surface; VTU files have them too.
struct OutputCurvedTets {
  int order = 2;
  Index body = 0;
  std::vector<Index> nodes;  // of all bodies, (p + 1)(p + 2)(p + 3)/6 per tet in Gmsh's order
};

// Constant over a run. All indices count over the points of all bodies.
struct OutputTopology {
  std::vector<OutputBody> bodies;
  std::vector<Edge> edges;          // wires only
  std::vector<Triangle> triangles;  // the surfaces: boundaries of the tets and sheets alike
  std::vector<Tet> tets;
  std::vector<OutputCurvedTets> curved = {};
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
  double time = 0;                          // [s]
  std::span<const Vec3> points;             // [m]
  std::span<const Vec3> velocities;         // [m/s]; empty or one per point
  std::span<const double> nodes;            // three numbers per node [m]; empty if no body needs them
  std::span<const double> node_velocities;  // the same [m/s]; empty if no body has curved tets
  std::vector<ScalarField> node_scalars;    // one value per node, by the names of point_scalars
  std::vector<ScalarField> point_scalars;   // one value per point
  std::vector<VectorField> point_vectors;   // one value per point
  std::vector<ScalarField> tet_scalars;     // one value per tet
  std::vector<Overlay> overlays;            // in the viewer's frames only
};

// The number of points of all bodies together.
Index count_points(const OutputTopology& topology);

// The nodes of the bodies with curved tets, body after body.
std::vector<Index> list_curved_nodes(const OutputTopology& topology);

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
