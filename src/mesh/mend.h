// Small faults of surfaces, mended as a person would: triangles listed twice, triangles without area, equal
// points at open edges, triangles that face the wrong way, points of no tet.
//
// A mesh without such faults stays as it is, bit by bit. Holes, edges of more than two triangles and
// intersections are left: what to do with them is not clear (docs/meshes.md).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace marrow {

// What was mended; triangles and points by the numbers that they had in the mesh, ascending.
struct MeshFaults {
  std::vector<Index> duplicates;  // triangles with the points of an earlier one
  std::vector<Index> degenerate;  // triangles without area
  std::vector<Index> flipped;     // triangles of closed parts that faced the wrong way
  size_t part_count = 0;          // of the surface, if flipped
  bool is_inside_out = false;     // all triangles were flipped
  size_t welded = 0;              // points that others equal
  std::vector<Index> unused;      // points in no tet

  bool is_empty() const {
    return duplicates.empty() && degenerate.empty() && flipped.empty() && welded == 0 && unused.empty();
  }
};

// Indices out of range are left to check_mesh (mesh/mesh_check.h). keeps_points: points in no tet are
// particles of their own, and stay.
MeshFaults mend_mesh(Mesh& mesh, bool keeps_points);

// A sentence per kind of fault, without a full stop: "triangle 270 (line 512) has the points of an earlier
// one". line_of: the line of a triangle in its file, 0 if unknown; may be empty.
struct FaultText {
  std::string fault;  // what is wrong
  std::string cure;   // "removed"
  int line = 0;       // of the first triangle, 0 if unknown
};
std::vector<FaultText> describe_faults(const MeshFaults& faults, const std::function<int(Index)>& line_of);

}  // namespace marrow
