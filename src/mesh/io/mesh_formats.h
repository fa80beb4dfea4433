// The readers and writers behind mesh_file.h, one file per format, and the steps that they share.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>

#include "mesh/io/mesh_file.h"
#include "mesh/io/polygons.h"
#include "mesh/mesh.h"

namespace marrow {

Mesh parse_obj(std::string_view text, const std::string& name);
Mesh parse_stl(std::string_view bytes, const std::string& name);
Mesh parse_ply(std::string_view bytes, const std::string& name);
Mesh parse_off(std::string_view text, const std::string& name);
Mesh parse_msh(std::string_view bytes, const std::string& name);
Mesh parse_vtk(std::string_view bytes, const std::string& name);
Mesh parse_ma(std::string_view text, const std::string& name);

std::string format_obj(const Mesh& mesh);
std::string format_stl(const Mesh& mesh, MeshEncoding encoding);
std::string format_ply(const Mesh& mesh, MeshEncoding encoding);
std::string format_off(const Mesh& mesh);
std::string format_vtk(const Mesh& mesh, MeshEncoding encoding);
std::string format_ma(const Mesh& mesh);

// TetGen keeps one mesh in several files.
struct TetGenTexts {
  std::string node;
  std::string ele;
  std::string face;  // empty if there are no triangles
};
Mesh parse_tetgen(std::string_view joined, const std::string& name);
Mesh read_tetgen(const std::string& path);
TetGenTexts format_tetgen(const Mesh& mesh);
void write_tetgen(const std::string& path, const Mesh& mesh);

// Point numbers as a file counts them.
struct PointRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// "triangle 7 names point 12, but points run from 0 to 7".
std::string bad_index_problem(const char* kind, std::int64_t element, std::int64_t index,
                              const PointRange& range);

// An index of the file as one of ours. source is the scanner or reader that has just read it.
template <class Source>
Index to_index(const Source& source, const char* kind, std::int64_t element, std::int64_t index,
               const PointRange& range) {
  if (index < range.first || index - range.first >= range.count) {
    source.fail(bad_index_problem(kind, element, index, range),
                "The element list and the point list do not match.");
  }
  return static_cast<Index>(index - range.first);
}

// A number that has just been read and must be finite.
template <class Source>
double check_finite(const Source& source, double value, const char* what) {
  if (!std::isfinite(value)) {
    source.fail(std::string(what) + " is not finite",
                "NaN and infinity are not allowed in a mesh; export it again.");
  }
  return value;
}

// A count that has just been read: not negative, and small enough for our indices.
template <class Source>
std::int64_t check_count(const Source& source, std::int64_t count, const char* what) {
  if (count < 0 || count > std::numeric_limits<Index>::max()) {
    source.fail("the number of " + std::string(what) + " is " + std::to_string(count),
                "It must be between 0 and 2147483647.");
  }
  return count;
}

inline void add_polyline(std::span<const Index> corners, std::vector<Edge>& edges) {
  for (size_t i = 1; i < corners.size(); ++i) edges.push_back({corners[i - 1], corners[i]});
}

// Cuts the polygons. Throws if there are no points.
Mesh finish_mesh(Mesh mesh, const std::string& name, const Polygons& polygons = {});

}  // namespace marrow
