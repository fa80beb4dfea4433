// How two triangles that meet come apart: the shortest of the ways that lead roughly where they should go.
//
// Directions are the normals of both and the crosses of their edges, as for boxes that overlap (the
// separating axes of two triangles). Along u the triangles overlap by d = max u·b − min u·a; moving a by d u
// against b separates them.
#pragma once

#include "sim/projective/medial_meetings.h"

namespace marrow {

struct Separation {
  Vec3 direction = Vec3::Zero();  // u, unit; zero if there is none
  double depth = 0;               // d [m]
  Vec3 weights_a = Vec3::Zero();  // of the middle of where they meet
  Vec3 weights_b = Vec3::Zero();
};

Separation find_separation(const Points& x, const Crossing& crossing);

// The way out of crossings between closed surfaces, where nothing better is known: curves in which two bodies
// meet enclose an area, and a goes against its vector Σ ½ z × dz, with dz along n_a × n_b. Crossings with a
// common triangle are one curve. Where curves enclose nothing: n_b − n_a.
void find_ways_by_area(const Points& x, std::vector<Crossing>& crossings);

}  // namespace marrow
