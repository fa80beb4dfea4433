// What of a run is drawn, and how it is written as records for the viewer (docs/frame_format.md).
//
// Points inside bodies are never seen, so only those of surfaces, wires and loose points are written,
// numbered anew. Positions are 16-bit fractions of their body's box: half the size of floats, and 1/131070 of
// the box at most away from the truth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/frames/frame.h"

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
};

DrawnTopology build_drawn(const OutputTopology& topology);

enum class DrawnPrecision { Box16, Float32 };

std::string format_topology_record(const DrawnTopology& drawn);
std::string format_frame_record(const DrawnTopology& drawn, const Frame& frame,
                                DrawnPrecision precision = DrawnPrecision::Box16);

}  // namespace marrow
