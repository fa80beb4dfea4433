#include "scene/build/planar_mesh.h"

#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "exact/predicates.h"
#include "mesh/mesh_check.h"
#include "mesh/surface_edges.h"

namespace marrow {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& problem, const std::string& advice) {
  throw InputError({name, 0, 0, {}}, problem, advice);
}

void check_soft_triangles(const std::string& name, const Mesh& mesh) {
  if (mesh.triangles.empty()) {
    fail(name, "the mesh has no triangles", "A soft body of dimension 2 is made of triangles.");
  }
  std::vector<char> is_used(mesh.points.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    for (const Index p : t) is_used[static_cast<size_t>(p)] = 1;
  }
  for (size_t i = 0; i < is_used.size(); ++i) {
    if (is_used[i] != 0) continue;
    fail(name, fmt::format("point {} (counted from 0) is in no triangle, so it has no mass", i),
         "Remove it.");
  }
  for_each_surface_edge(mesh.triangles, [&](const SurfaceEdge& e) {
    if (e.forward + e.backward <= 2 && e.forward <= 1 && e.backward <= 1) return;
    fail(name,
         fmt::format("the triangles at the edge between points {} and {} (counted from 0) overlap", e.low,
                     e.high),
         "In a plane an edge has at most one triangle on each side.");
  });
}

}  // namespace

void finish_planar_mesh(const std::string& name, bool is_soft, Mesh& mesh) {
  if (!mesh.tets.empty()) {
    fail(name, "the mesh has tetrahedra, and the scene has dimension 2", "Use a mesh of triangles at z = 0.");
  }
  if (is_soft) mesh.edges.clear();
  is_soft ? check_soft_mesh(mesh, name) : check_mesh(mesh, name);
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    if (mesh.points[i].z() == 0) continue;
    fail(name,
         fmt::format("point {} (counted from 0) has z = {:g}, and the scene has dimension 2", i,
                     mesh.points[i].z()),
         "Use a mesh with z = 0, or set dimension to 3.");
  }
  for (Triangle& t : mesh.triangles) {
    const auto at = [&](size_t k) -> const Vec3& { return mesh.points[static_cast<size_t>(t[k])]; };
    const int sign = orient2_sign(2, at(0), at(1), at(2));
    if (sign < 0) std::swap(t[1], t[2]);
    if (sign != 0) continue;
    fail(name,
         fmt::format("the triangle of points {}, {}, {} (counted from 0) has no area", t[0], t[1], t[2]),
         "Remove it.");
  }
  if (is_soft) check_soft_triangles(name, mesh);
}

}  // namespace marrow
