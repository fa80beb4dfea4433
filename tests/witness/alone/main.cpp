// The witness alone. This program takes in every object of its library (whole archive) and links nothing of
// the solver: that it links at all proves that the witness needs none of it. What it decides is only a smoke
// test.
#include "witness/witness.h"

int main() {
  using namespace marrow;
  SurfaceSet surfaces;
  surfaces.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.3, 0.2, 1}};
  surfaces.triangles = {{0, 1, 2}, {3, 4, 5}};
  Witness witness({surfaces, {}});
  const bool is_seen = witness.count().intersections == 1;
  for (size_t i = 3; i < 6; ++i) surfaces.points[i].z() += 2;
  witness.move_to(surfaces.points);
  return is_seen && witness.count().is_clean() ? 0 : 1;
}
