#include "preprocess/volume/convex_hull.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include "core/error.h"
#include "mesh/mesh_summary.h"

namespace marrow {

Mesh build_convex_hull(const Points& points, const std::string& name) {
  using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
  using Surface = CGAL::Surface_mesh<Kernel::Point_3>;
  std::vector<Kernel::Point_3> given;
  for (const Vec3& x : points) given.emplace_back(x.x(), x.y(), x.z());
  Surface surface;
  CGAL::convex_hull_3(given.begin(), given.end(), surface);
  Mesh hull;
  for (const auto vertex : surface.vertices()) {
    const Kernel::Point_3& p = surface.point(vertex);
    hull.points.emplace_back(p.x(), p.y(), p.z());
  }
  for (const auto face : surface.faces()) {
    Triangle triangle = {kNone, kNone, kNone};
    size_t k = 0;
    for (const auto vertex : CGAL::vertices_around_face(surface.halfedge(face), surface)) {
      if (k < 3) triangle[k++] = static_cast<Index>(static_cast<std::uint32_t>(vertex));
    }
    hull.triangles.push_back(triangle);
  }
  if (hull.triangles.size() < 4 || !(compute_enclosed_volume(hull.points, hull.triangles) > 0)) {
    throw InputError({name, 0, 0, {}}, "the points lie in a plane, so their hull has no volume",
                     "A hull needs four points that are not in one plane.");
  }
  return hull;
}

}  // namespace marrow
