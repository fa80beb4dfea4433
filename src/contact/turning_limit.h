// The step limit of ways that turn: chords with their vertices' radii grown by the bow of the path first, all
// pairs at once; what they cannot free is followed along shorter chords (geometry/ccd/curved.h).
#pragma once

#include "contact/step_limit.h"
#include "geometry/ccd/curved.h"

namespace marrow {

// Writes the radii of these vertices, grown by how far each leaves its chord.
void grow_radii(const TurningPoints& paths, std::span<const Index> vertices, std::vector<double>& grown);

// As compute_collision_limit: never beyond the first contact, and stopping when a pair has lost nine tenths
// of its gap and is nearer than most_kept [m]. grown: the grown radii of all vertices of pairs.
StepLimit compute_turning_collision_limit(const TurningPoints& paths, std::span<const double> grown,
                                          const PairStencils& pairs,
                                          double most_kept = std::numeric_limits<double>::infinity());

}  // namespace marrow
