// Coarse tets that carry a fine surface: a lattice around it. For given tets see
// geometry/curved/place_points.h.
#pragma once

#include <string>
#include <vector>

#include "preprocess/volume/lattice.h"

namespace marrow {

struct CarryingLattice {
  Mesh volume;                // points and tets
  std::vector<double> fills;  // per tet
  std::vector<EmbeddedPoint> places;
  bool is_closed = true;  // the surface bounds a solid; else every tet counts as full
};

// cells: along the longest side. Tets that are hardly filled and carry no point are left out.
CarryingLattice build_carrying_lattice(const Mesh& surface, int cells, const std::string& name);

}  // namespace marrow
