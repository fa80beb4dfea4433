// The drawable parts of a run: for each body its surface, its wires and its loose points, with vertices
// numbered anew so that only what is drawn is stored.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "output/frames/frame.h"

namespace marrow {

// Values of "mode" in glTF.
enum class GltfMode { Vertices = 0, Lines = 1, Triangles = 4 };

// Corners that follow each other, and the material of the file that their triangles have; kNone: our own.
struct GltfRange {
  Index material = kNone;
  size_t first = 0;
  size_t count = 0;
};

struct GltfPart {
  Index body = kNone;
  GltfMode mode = GltfMode::Triangles;
  std::vector<Index> points;           // the run's point for each vertex
  std::vector<std::uint32_t> corners;  // vertices of the simplices, one after the other
  // Texture coordinates of each vertex, or empty. v runs downwards. At seams a point has several vertices.
  std::vector<std::array<float, 2>> texture;
  std::vector<GltfRange> ranges;  // all corners; at least one

  bool has_normals() const { return mode == GltfMode::Triangles; }
};

// The parts, ordered by body.
std::vector<GltfPart> build_parts(const OutputTopology& topology);

using Vec3f = Eigen::Vector3f;

// Positions of a part's vertices relative to an origin per vertex; an empty list of origins means zero.
std::vector<Vec3f> compute_positions(const GltfPart& part, const Points& points, const Points& origins);

// Unit normals at a part's vertices: area-weighted means of the triangles around; up where there is no area.
std::vector<Vec3f> compute_normals(const GltfPart& part, const Points& points);

}  // namespace marrow
