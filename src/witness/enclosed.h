// Bodies that lie in the volume of others.
//
// Intersections are of surfaces: a body wholly inside the tets of another touches none of its triangles. It
// cannot get there on a path without intersections, so it is enough to look at the start.
#pragma once

#include "witness/witness.h"

namespace marrow {

struct EnclosedBody {
  Index inner = 0, outer = 0;
  friend bool operator==(const EnclosedBody&, const EnclosedBody&) = default;
};

// Pairs of bodies, sorted, of which a colliding point of one lies in a tet of the other, decided exactly.
// Pairs that need not be kept apart are left out. Closed surfaces without tets are hollow.
std::vector<EnclosedBody> find_enclosed_bodies(const Witness& witness);

}  // namespace marrow
