// Deformations aimed at just crossing a certificate: the least-energy way to bring two given points of a
// patch together, gone a little less or a little more than all the way, then an affine map of everything.
#pragma once

#include <random>

#include "geometry/certificates/certificates.h"
#include "geometry/certificates/self_collision.h"

namespace marrow {

struct TrialCounts {
  size_t trials = 0;
  size_t certified = 0;  // nothing was left to test
  size_t colliding = 0;  // pairs were found
  size_t unsound = 0;    // found without certificates, not with them
};

// The mesh must be connected and free of intersections; otherwise nothing is tried. One trial in eight is the
// motion from the rest shape.
TrialCounts run_crossing_trials(const Mesh& mesh, size_t trials, unsigned seed);

}  // namespace marrow
