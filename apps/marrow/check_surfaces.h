// What `marrow check` looks at: the surfaces and tets of a mesh, a frame or a scene, and what is wrong with
// them.
#pragma once

#include <string>
#include <vector>

#include "contact/checker.h"
#include "geometry/mesh.h"
#include "output/frame.h"
#include "output/vtu.h"

namespace marrow {

struct CheckedState {
  SurfaceSet surfaces;
  std::vector<Tet> tets;
};

struct StateReport {
  IntersectionReport surfaces;
  InversionReport tets;
  bool is_clean() const { return surfaces.is_clean() && tets.is_clean(); }
};

// Surfaces are the boundaries of the tets and the triangles that are listed; loose points collide too.
CheckedState make_checked(Mesh mesh);
CheckedState make_checked(const VtuFrame& frame);
CheckedState make_checked(const OutputTopology& topology, const Points& points);

StateReport check_state(const CheckedState& state);

// "triangle 12 (body 0) and edge 7 (body 1)".
std::string describe_pair(const OffendingPair& pair);

// "3 pairs of elements intersect, 1 tet is inverted"; "no intersections, …" if all is well.
std::string describe_report(const StateReport& report);

// Writes the elements of the offending pairs, each once, in the format the name asks for.
void write_offenders(const std::string& path, const SurfaceSet& surfaces, const IntersectionReport& report);

}  // namespace marrow
