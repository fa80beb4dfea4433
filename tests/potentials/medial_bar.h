// A bar of tets that moves by three handles along it, with weights that blend linearly.
#pragma once

#include <algorithm>
#include <cmath>

#include "kinematics/medial.h"
#include "mesh/shapes.h"

namespace marrow {

inline MedialShapeData make_medial_bar() {
  MedialShapeData bar;
  bar.volume = build_shape(BoxShape{.size = Vec3(2, 0.4, 0.4), .cells_x = 8, .cells_y = 2, .cells_z = 2});
  bar.surface.points = bar.volume.points;
  bar.surface.triangles = bar.volume.triangles;
  bar.surface_weights = build_identity(static_cast<Index>(bar.volume.points.size()));
  bar.fills.assign(bar.volume.tets.size(), 1);
  bar.centers = {Vec3(-1, 0, 0), Vec3(0, 0.05, 0), Vec3(1, 0, 0)};
  bar.sizes = {0.3, 0.2, 0.4};
  bar.handle_weights.columns = 3;
  for (const Vec3& x : bar.volume.points) {
    for (Index j = 0; j < 3; ++j) {
      const double w = std::max(0.0, 1 - std::abs(x[0] - bar.centers[static_cast<size_t>(j)][0]));
      if (w <= 1e-9) continue;
      bar.handle_weights.indices.push_back(j);
      bar.handle_weights.values.push_back(w);
    }
    bar.handle_weights.offsets.push_back(static_cast<Index>(bar.handle_weights.indices.size()));
  }
  return bar;
}

}  // namespace marrow
