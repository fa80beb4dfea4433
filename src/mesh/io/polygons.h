// Polygons of mesh files, cut into triangles.
//
// A fan around the first corner fits wherever none of its triangles faces backwards; so it does for every
// convex polygon. From the others, ears are cut off one by one (Meisters 1975): corners that turn the way of
// the polygon and whose triangle holds no other corner. Seen along the normal N = ½ Σ pᵢ × pᵢ₊₁ (Newell).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mesh/mesh.h"

namespace marrow {

// The places of the corners of n − 2 triangles, in their order round the polygon. A polygon that crosses
// itself or has no area is cut too, however it looks.
std::vector<std::array<size_t, 3>> cut_polygon(const Points& corners);

// The polygons of one file, whose points may come after them.
class Polygons {
 public:
  // Appends a fan.
  void add(std::span<const Index> corners, std::vector<Triangle>& triangles);

  // Once all points are known: cuts the polygons anew that a fan does not fit.
  void finish(Mesh& mesh) const;

 private:
  struct Fan {
    size_t first, count;  // of the triangles
  };
  std::vector<Fan> fans_;  // of more than three corners
};

}  // namespace marrow
