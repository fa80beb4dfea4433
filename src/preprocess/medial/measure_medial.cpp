#include "preprocess/medial/measure_medial.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "geometry/medial/medial_shape.h"
#include "preprocess/medial/tessellate_medial.h"
#include "preprocess/volume/surface_samples.h"

namespace marrow {
namespace {

struct Distances {
  double mean = 0;
  double max = 0;
};

// From points of the solid's surface to that of the medial mesh. Outside the gap is the distance; inside, it
// is only a lower bound where primitives overlap.
Distances measure_from_surface(const Mesh& surface, const Mesh& medial, const Mesh& outer, double spacing) {
  const TriangleTree tree(outer.points, outer.triangles);
  const MedialShape shape(medial);
  const auto distance_at = [&](const Vec3& x) {
    const double gap = shape.find_nearest(x).gap;
    return gap >= 0 ? gap : std::max(-gap, tree.find_nearest(x).distance);
  };
  const double area = compute_surface_area(surface.points, surface.triangles);
  const int count = std::clamp(static_cast<int>(area / (spacing * spacing)), 1000, 40000);
  const auto samples = sample_by_area(surface.points, surface.triangles, count, 99);
  Distances result;
  result.mean = exec::parallel_sum("medial.measure", samples.size(),
                                   [&](size_t i) { return distance_at(samples[i].point); }) /
                static_cast<double>(samples.size());
  result.max = exec::parallel_max("medial.measure", surface.points.size(), 0,
                                  [&](size_t i) { return distance_at(surface.points[i]); });
  return result;
}

Distances measure_to_surface(const TriangleTree& tree, const Mesh& outer) {
  const auto center = [&](size_t i) -> Vec3 {
    const Triangle& t = outer.triangles[i];
    return (outer.points[t[0]] + outer.points[t[1]] + outer.points[t[2]]) / 3;
  };
  std::vector<double> distances(outer.triangles.size());
  exec::parallel_for("medial.measure", outer.triangles.size(),
                     [&](size_t i) { distances[i] = tree.find_nearest(center(i)).distance; });
  Distances result;
  double area = 0;
  for (size_t i = 0; i < distances.size(); ++i) {
    const Triangle& t = outer.triangles[i];
    const Vec3& a = outer.points[t[0]];
    const double share = (outer.points[t[1]] - a).cross(outer.points[t[2]] - a).norm() / 2;
    area += share;
    result.mean += share * distances[i];
    result.max = std::max(result.max, distances[i]);
  }
  result.mean /= std::max(area, 1e-300);
  return result;
}

}  // namespace

MedialError measure_medial(const Mesh& surface, const TriangleTree& tree, const Mesh& medial,
                           double spacing) {
  const Mesh outer = tessellate_medial(medial, spacing);
  if (outer.triangles.empty()) return {};
  const Distances from = measure_from_surface(surface, medial, outer, spacing);
  const Distances to = measure_to_surface(tree, outer);
  return {std::max(from.mean, to.mean), std::max(from.max, to.max), from.mean, to.mean};
}

Enclosure measure_enclosure(const Mesh& surface, const Mesh& medial) {
  const MedialShape shape(medial);
  std::vector<std::uint8_t> is_used(surface.points.size(), 0);
  for (const Triangle& t : surface.triangles) {
    for (const Index v : t) is_used[v] = 1;
  }
  double used = 0;
  for (const std::uint8_t flag : is_used) used += flag;
  const double inside = exec::parallel_sum("medial.enclosed", surface.points.size(), [&](size_t i) {
    return is_used[i] != 0 && shape.find_nearest(surface.points[i]).gap <= 0 ? 1.0 : 0.0;
  });
  const double whole = exec::parallel_sum("medial.enclosed", surface.triangles.size(), [&](size_t t) {
    const Triangle& v = surface.triangles[t];
    const std::array<Vec3, 3> corners = {surface.points[v[0]], surface.points[v[1]], surface.points[v[2]]};
    return find_best_primitive(corners, shape).need <= 0 ? 1.0 : 0.0;
  });
  return {inside / used, whole / static_cast<double>(surface.triangles.size())};
}

}  // namespace marrow
