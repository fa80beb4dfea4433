#include "marrow/curved_words.h"

#include <fmt/format.h>

#include <cmath>

#include "core/text.h"
#include "geometry/curved/surface_deviation.h"
#include "scene/build/build_curved.h"

namespace marrow {
namespace {

// The cells if these triangles are those of faces that are cut; else 0.
int find_cells(const CurvedMesh& mesh, const std::vector<Triangle>& surface) {
  const size_t faces = list_boundary_faces(mesh).size(), triangles = surface.size();
  const auto cells = faces > 0 ? static_cast<size_t>(std::lround(
                                     std::sqrt(static_cast<double>(triangles) / static_cast<double>(faces))))
                               : 0;
  if (cells == 0 || cells > kMostSurfaceCells || cells * cells * faces != triangles) return 0;
  const bool is_cut = cut_boundary(mesh, static_cast<int>(cells)).triangles == surface;
  return is_cut ? static_cast<int>(cells) : 0;
}

}  // namespace

std::vector<CurvedBodyFacts> list_curved_bodies(const Kinematics& kinematics, const VecX& nodes) {
  std::vector<CurvedBodyFacts> list;
  for (const CurvedTets& tets : kinematics.curved) {
    CurvedBodyFacts& facts = list.emplace_back();
    facts.body = find_body_of_node(kinematics.bodies, tets.nodes.front());
    const Body& body = kinematics.bodies[static_cast<size_t>(facts.body)];
    CurvedMesh mesh{tets.order, {}, tets.nodes};
    for (Index& node : mesh.tets) node -= body.first_node;
    for (Index i = 0; i < body.node_count; ++i) {
      mesh.nodes.emplace_back(nodes.segment<3>(3 * (body.first_node + i)));
    }
    facts.order = tets.order;
    facts.tets = mesh.tet_count();
    facts.nodes = mesh.nodes.size();
    if (!body.has_collider()) facts.cells = find_cells(mesh, body.rest.triangles);
    if (facts.cells > 0) facts.deviation = bound_surface_deviation(mesh, facts.cells);
  }
  return list;
}

std::string describe_curved_body(const CurvedBodyFacts& facts) {
  std::string text = fmt::format("order {}, {}, {}", facts.order,
                                 format_count(static_cast<long>(facts.tets), "curved tet", "curved tets"),
                                 format_count(static_cast<long>(facts.nodes), "node", "nodes"));
  if (facts.cells > 0) {
    text +=
        fmt::format(", faces cut into {} × {} triangles, at most {:.3g} m from the curved surface at rest",
                    facts.cells, facts.cells, facts.deviation);
  }
  return text;
}

}  // namespace marrow
