// What of a run is drawn, and how it is written as records for the viewer (docs/frame_format.md).
//
// Points inside bodies are never seen, so only those of surfaces, wires and loose points are drawn, numbered
// anew. Bodies at rest are written once, affine and rigid ones by their four nodes; both are exact. The other
// positions are 16-bit fractions of their body's box: half the size of floats, and 1/131070 of the box at
// most away from the truth. Beside them stands a record of the exact nodes, from which all points follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/frames/frame.h"
#include "output/frames/record.h"

namespace marrow {

// A range of a list.
struct DrawnRange {
  size_t first = 0;
  size_t count = 0;
};

struct DrawnBody {
  std::string name;
  std::string kind;
  DrawnRange points, triangles, edges, vertices;
  size_t tets = 0;
  BodyMotion motion = BodyMotion::Free;
  DrawnRange nodes;
  BodyLook look = {};
  bool is_ground = false;
};

// Indices count over the drawn points. Everything is ordered by body.
struct DrawnTopology {
  std::vector<DrawnBody> bodies;
  std::vector<std::uint32_t> run_points;  // of each drawn point, its number in the run
  std::vector<std::uint32_t> triangles;   // three corners each
  std::vector<std::uint32_t> edges;       // two each
  std::vector<std::uint32_t> vertices;    // loose points
  std::string view;                       // JSON; empty: none
  Points rest;                            // the drawn points of bodies at rest [m]
  std::vector<Vec4> weights;              // of each drawn point that follows a pose
};

DrawnTopology build_drawn(const OutputTopology& topology);

enum class DrawnPrecision { Box16, Float32 };

std::string format_topology_record(const DrawnTopology& drawn);
std::string format_frame_record(const DrawnTopology& drawn, const Frame& frame,
                                DrawnPrecision precision = DrawnPrecision::Box16);

// The exact nodes of the bodies that move freely, and the sums of all points: with the poses of the frame and
// the bodies at rest they give every point (output/run/exact_frames.h).
std::string format_exact_record(const DrawnTopology& drawn, const Frame& frame);

// The sums over all points, as 64-bit numbers x, y, z, x, …
RecordSums add_up_points(std::span<const Vec3> points);

}  // namespace marrow
