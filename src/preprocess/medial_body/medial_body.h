// A prepared medial body as it moves: the handles of its columns, and what its bounds and collisions need.
#pragma once

#include "geometry/medial/handles.h"
#include "geometry/medial/medial_rest.h"
#include "preprocess/medial/prepare_medial.h"

namespace marrow {

// The handles of a prepared body, then those of its groups of anchored points.
struct BodyHandles {
  Points centers;
  std::vector<double> sizes;
  std::vector<HandleKind> kinds;

  Handles view() const { return {centers, sizes, kinds}; }
};

BodyHandles list_body_handles(const PreparedMedial& prepared, HandleKind kind);

// Surface points × volume points.
ScalarMatrix make_surface_weights(const PreparedMedial& prepared);

MedialRest make_medial_rest(const PreparedMedial& prepared, const BodyHandles& handles);

}  // namespace marrow
