// Two triangles, apart and crossing, before the exact checker.
#include <marrow/witness.h>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<marrow::Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
  for (const double height : {0.1, -0.1, 5e-324}) {
    const std::vector<marrow::Vec3> points = {{0, 0, 0},          {1, 0, 0},     {0, 1, 0},
                                              {0.2, 0.2, height}, {0.8, 0.2, 1}, {0.2, 0.8, 1}};
    const marrow::WitnessFindings found = marrow::find_intersections(points, triangles);
    std::printf("%g: %lld intersections\n", height, static_cast<long long>(found.intersections));
  }
}
