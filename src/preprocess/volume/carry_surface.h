// Coarse tets that carry a fine surface: the surface's points in given tets, or in a lattice around it.
#pragma once

#include <string>
#include <vector>

#include "preprocess/volume/lattice.h"

namespace marrow {

// The tet of each point; a point in none goes to a tet near it, with weights that continue outside: they are
// negative for some corners, and an affine motion is still exact.
struct CarriedPlaces {
  std::vector<EmbeddedPoint> places;
  double least_weight = 0;  // of all; how far outside its tet the worst point is, in heights of the tet
};
CarriedPlaces place_in_tets(const Points& points, const Mesh& tets);

struct CarryingLattice {
  Mesh volume;                // points and tets
  std::vector<double> fills;  // per tet
  std::vector<EmbeddedPoint> places;
  bool is_closed = true;  // the surface bounds a solid; else every tet counts as full
};

// cells: along the longest side. Tets that are hardly filled and carry no point are left out.
CarryingLattice build_carrying_lattice(const Mesh& surface, int cells, const std::string& name);

}  // namespace marrow
