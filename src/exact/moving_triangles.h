// Do two triangles that share no vertex meet: at rest, or at some time of a straight motion? Decided exactly.
//
// Triangles in motion that ever meet do so at the start, or there is a first time: then a corner meets the
// other triangle, or two edges meet (motion.h). Two cheap tests go first. Directions that separate all
// corners at the middle of the motion are tried at both ends, where a separation holds throughout, because it
// is linear in time; and what meets at an end, as most of what meets does, needs no search for a time.
#pragma once

#include "mesh/mesh.h"

namespace marrow {

bool triangles_meet(const Points& x, const Triangle& a, const Triangle& b);
bool triangles_meet_moving(const Points& x0, const Points& x1, const Triangle& a, const Triangle& b);

}  // namespace marrow
