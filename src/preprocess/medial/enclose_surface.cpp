#include "preprocess/medial/enclose_surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "exec/parallel.h"

namespace marrow {
namespace {

BestPrimitive find_best(const Mesh& surface, const Triangle& t, const MedialShape& shape) {
  return find_best_primitive({surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]}, shape);
}

// Grows the primitive's radii until the triangle is in. A hair more than needed, for the rounding.
void take_in(const Mesh& surface, const Triangle& triangle, Index primitive, double hair, MedialShape& shape,
             Mesh& medial) {
  const auto& corners = shape.primitives()[primitive].vertices;
  for (int round = 0; round < 20; ++round) {
    bool is_in = true;
    for (const Index v : triangle) {
      const MedialPoint point = shape.find_in_primitive(primitive, surface.points[v]);
      if (point.gap <= 0) continue;
      is_in = false;
      // A vertex may stand in several places of a cone or sphere: its weights add up.
      std::array<double, 3> total = {0, 0, 0};
      double squared = 0;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) total[i] += corners[j] == corners[i] ? point.weights[j] : 0;
        const bool is_first =
            std::find(corners.begin(), corners.begin() + i, corners[i]) == corners.begin() + i;
        if (is_first)
          squared += total[i] * total[i];
        else
          total[i] = 0;
      }
      for (int i = 0; i < 3; ++i) medial.radii[corners[i]] += (point.gap + hair) * total[i] / squared;
    }
    if (is_in) return;
  }
}

}  // namespace

double enclose_surface(const Mesh& surface, Mesh& medial) {
  const std::vector<double> before = medial.radii;
  MedialShape shape(medial);
  std::vector<BestPrimitive> best(surface.triangles.size());
  exec::parallel_for("medial.enclose", best.size(),
                     [&](size_t t) { best[t] = find_best(surface, surface.triangles[t], shape); });
  std::vector<Index> order(best.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return best[a].need > best[b].need; });
  // Growth elsewhere may have taken a triangle in, or made another primitive the better one.
  for (const Index t : order) {
    if (best[t].need <= 0) break;
    const BestPrimitive now = find_best(surface, surface.triangles[t], shape);
    if (now.need <= 0) continue;
    const double size = medial.radii[shape.primitives()[now.primitive].vertices[0]] + now.need;
    take_in(surface, surface.triangles[t], now.primitive, 1e-9 * size, shape, medial);
    shape.update();
  }
  double growth = 0;
  for (size_t i = 0; i < before.size(); ++i) growth = std::max(growth, medial.radii[i] - before[i]);
  return growth;
}

}  // namespace marrow
