// Points spread over a surface, the same on every run.
#pragma once

#include <cstdint>

#include "mesh/mesh.h"

namespace marrow {

struct SurfaceSample {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();
};

// About count points spread evenly by area: the i-th of n lies in the i-th n-th of the area.
std::vector<SurfaceSample> sample_by_area(const Points& points, const std::vector<Triangle>& triangles,
                                          int count, std::uint64_t seed = 1);

struct SpacedSample {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  // unit; on edges and vertices the mean of the triangles around
  double spacing = 0;          // to the samples around it, about
};

// The surface's own points, and more on edges and triangles until no gap is wider than spacing: about
// area / spacing² + length of the edges / spacing, whatever the shape of the triangles. What is added is
// slightly irregular, so that flat and round parts give no degenerate Delaunay cells.
std::vector<SpacedSample> sample_by_spacing(const Points& points, const std::vector<Triangle>& triangles,
                                            double spacing);

// The triangles, halved across their longest edges until none is longer than length. Halves share no points.
Mesh cut_triangles(const Points& points, const std::vector<Triangle>& triangles, double length);

double compute_surface_area(const Points& points, const std::vector<Triangle>& triangles);

}  // namespace marrow
