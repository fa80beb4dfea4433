// Describes what the witness found, in words and as a mesh to look at.
#pragma once

#include <string>

#include "kinematics/body.h"
#include "witness/witness.h"

namespace marrow {

// "triangle 3-4-9 of "ball" and edge 0-7 of "wall"", by the numbers of the points in each body. If the bodies
// are not known (kinematics = nullptr), "triangle 12 (body 0) and edge 7 (body 1)".
std::string describe_pair(const OffendingPair& pair, const Kinematics* kinematics);

// "3 pairs of elements intersect, 1 tet is inverted"; "no intersections, …" if all is well.
std::string describe_report(const WitnessReport& report);

// The numbers of an element's points in its body.
std::vector<Index> list_own_points(const SurfaceElement& element, const Body& body);

// The elements of the offending pairs, each once.
Mesh collect_offenders(const SurfaceSet& surfaces, const IntersectionReport& report);

}  // namespace marrow
