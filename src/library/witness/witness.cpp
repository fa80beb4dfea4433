#include "witness/witness.h"

#include <marrow/witness.h>

#include <string>

#include "core/float_scope.h"

namespace marrow::api {
namespace {

template <class Element>
void check_indices(std::span<const Element> elements, size_t point_count, const char* kind) {
  for (size_t e = 0; e < elements.size(); ++e) {
    for (const auto i : elements[e]) {
      if (i >= 0 && static_cast<size_t>(i) < point_count) continue;
      throw InputError("find_intersections: " + std::string(kind) + " " + std::to_string(e) +
                       " names point " + std::to_string(i) + ", but there are " +
                       std::to_string(point_count));
    }
  }
}

}  // namespace

WitnessFindings find_intersections(std::span<const Vec3> points, std::span<const Triangle> triangles,
                                   std::span<const Tet> tets) {
  check_indices(triangles, points.size(), "triangle");
  check_indices(tets, points.size(), "tet");
  const FloatScope floats;
  std::vector<marrow::Triangle> listed;
  for (const Triangle& t : triangles) listed.push_back({t[0], t[1], t[2]});
  std::vector<marrow::Tet> solids;
  for (const Tet& t : tets) solids.push_back({t[0], t[1], t[2], t[3]});
  SurfaceSet surfaces;
  for (const Vec3& x : points) surfaces.points.emplace_back(x[0], x[1], x[2]);
  surfaces.triangles = unite_surfaces(solids, listed);
  const WitnessReport found = Witness({std::move(surfaces), std::move(solids)}).check();
  WitnessFindings out;
  out.intersections = found.surfaces.intersections;
  out.undecided = found.surfaces.undecided;
  out.inversions = found.tets.count();
  out.not_finite = static_cast<std::int64_t>(found.surfaces.not_finite.size());
  return out;
}

}  // namespace marrow::api
