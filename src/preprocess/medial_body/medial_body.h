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

// Mixed handles, by the rule of Lan et al. 2020, section 4.1. A handle is quadratic if its medial vertex has
// few neighbours (at most two: it is on a chain of cones, at an end, or alone), because affine handles cannot
// bend between each other; unless it moves less than a tenth of the mean volume of a handle. Groups of
// anchored points are affine.
std::vector<HandleKind> choose_handle_kinds(const PreparedMedial& prepared);

// The handle nearest to each point is quadratic, all others are affine.
std::vector<HandleKind> choose_handle_kinds(const PreparedMedial& prepared, const Points& quadratic_at);

// The volume that each column of the weights moves, ∫ w over the filled part of the tets.
std::vector<double> measure_handle_volumes(const PreparedMedial& prepared);

// Surface points × volume points.
ScalarMatrix make_surface_weights(const PreparedMedial& prepared);

MedialRest make_medial_rest(const PreparedMedial& prepared, const BodyHandles& handles);

}  // namespace marrow
