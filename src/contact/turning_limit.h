// The step limit of ways that turn: chords with their vertices' radii grown by the bow of the path first, all
// pairs at once; what they cannot free is followed along shorter chords (geometry/ccd_curved.h).
#pragma once

#include "contact/step_limit.h"
#include "geometry/ccd_curved.h"

namespace marrow {

// How far each vertex leaves its chord.
std::vector<double> compute_bows(const TurningPoints& way);

// The first part of a way.
struct TurningWay {
  Points x1;
  std::vector<TurningFrame> frames;
};
TurningWay shorten(const TurningPoints& way, double alpha);

// As compute_collision_limit: never beyond the first contact, and stopping when a pair has lost nine tenths
// of its gap.
StepLimit compute_turning_collision_limit(const TurningPoints& way, std::span<const double> bows,
                                          const PairStencils& pairs);

}  // namespace marrow
