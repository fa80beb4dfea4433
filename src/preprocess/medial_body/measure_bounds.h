// What bounding and culling will do with a prepared body: how far its primitives are from the surface when it
// is bent, and how much a look for collisions has to test.
#pragma once

#include "preprocess/medial/prepare_medial.h"

namespace marrow {

struct BoundReport {
  // Mean distance of surface and primitives in both directions, of the box's largest side.
  double rest = 0;
  double bent = 0;      // bent by a right angle along its largest side, bounds from the handles alone
  double measured = 0;  // the same with a look at every point: what no bound can be better than
  size_t points = 0, outside = 0;  // corners of pieces of the surface in the bent body; outside must be 0
  size_t primitives = 0;
  size_t pairs = 0;      // of primitives in a body
  size_t neighbors = 0;  // of which share a sphere, or are one: they are always looked into
  size_t overlaps = 0;   // of the others that overlap when it is bent
};

BoundReport measure_bounds(const PreparedMedial& prepared);

}  // namespace marrow
