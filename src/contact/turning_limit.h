// The step limit of paths that turn is found in two stages. First all pairs are tested at once on chords,
// with the radii of their vertices grown by the bow of the path. Pairs that this does not clear are followed
// along shorter chords (geometry/ccd/curved.h).
#pragma once

#include "contact/step_limit.h"
#include "geometry/ccd/curved.h"

namespace marrow {

// Writes the radii of these vertices, each grown by its deviation from the chord.
void grow_radii(const TurningPoints& paths, std::span<const Index> vertices, std::vector<double>& grown);

// Like compute_collision_limit: never beyond the first contact, and stopping when a pair has lost nine tenths
// of its gap and is closer than most_kept [m]. grown: the grown radii of all vertices of pairs.
StepLimit compute_turning_collision_limit(const TurningPoints& paths, std::span<const double> grown,
                                          const PairStencils& pairs,
                                          double most_kept = std::numeric_limits<double>::infinity());

}  // namespace marrow
