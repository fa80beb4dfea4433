#include <algorithm>

#include "kinematics/body.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

void add_codimensional_parts(const Mesh& rest, const CodimensionalParts& parts, const ScalarMatrix& W,
                             double thickness, Index material, Kinematics& kinematics) {
  const Index first = kinematics.node_count;
  add_triangle_elements(rest.points, parts.triangles, W, first, material, thickness, kinematics.membranes);
  add_edge_elements(rest.points, parts.edges, W, first, material, thickness, kinematics.strands);
  add_shell_bends(rest.points, parts.triangles, first, material, thickness, kinematics.shell_bends);
  add_wire_bends(rest.points, parts.edges, first, material, thickness, kinematics.wire_bends);
}

constexpr double kDepth = 1;  // [m]: energies are those of this depth [derived: by definition]

}  // namespace

Points add_soft_body(const std::string& name, Mesh rest, double density, MassKind mass_kind, Index material,
                     Kinematics& kinematics, double thickness) {
  Body body;
  body.name = name;
  body.kind = BodyKind::Soft;
  body.W = build_identity(static_cast<Index>(rest.points.size()));
  CodimensionalParts parts;
  if (thickness > 0) parts = find_codimensional_parts(rest);
  body.mass = compute_node_mass(body.W, compute_vertex_mass(rest, parts, density, thickness));
  if (mass_kind == MassKind::Lumped) body.mass = lump_rows(body.mass);
  add_tet_elements(rest.points, rest.tets, body.W, kinematics.node_count, material, kinematics.elements);
  add_codimensional_parts(rest, parts, body.W, thickness, material, kinematics);
  Points nodes = rest.points;
  body.rest = std::move(rest);
  append_body(std::move(body), kinematics);
  return nodes;
}

void set_tet_densities(const std::vector<double>& densities, double density, MassKind mass_kind,
                       Kinematics& kinematics) {
  Body& body = kinematics.bodies.back();
  std::vector<double> absolute = densities;
  for (double& d : absolute) d *= density;
  body.mass = compute_vertex_mass(body.rest.points, body.rest.tets, absolute);
  if (mass_kind == MassKind::Lumped) body.mass = lump_rows(body.mass);
}

Points add_curved_body(const std::string& name, CurvedShape shape, double density, Index material,
                       Kinematics& kinematics) {
  Body body;
  body.name = name;
  body.kind = BodyKind::Soft;
  body.order = shape.volume.order;
  body.W = std::move(shape.weights);
  body.mass = compute_curved_mass(shape, density);
  body.rest = std::move(shape.surface);
  const Index first = kinematics.node_count;
  const size_t before = kinematics.elements.count();
  add_curved_elements(shape, first, material, kinematics.elements);
  CurvedTets tets;
  tets.order = shape.volume.order;
  tets.element_count = kinematics.elements.count() - before;
  add_curved_guards(shape, first, material, tets.guards);
  tets.nodes = std::move(shape.volume.tets);
  for (Index& node : tets.nodes) node += first;
  kinematics.curved.push_back(std::move(tets));
  append_body(std::move(body), kinematics);
  return std::move(shape.volume.nodes);
}

Points add_planar_body(const std::string& name, Mesh rest, double density, MassKind mass_kind, Index material,
                       Kinematics& kinematics) {
  Body body;
  body.name = name;
  body.kind = BodyKind::Soft;
  body.is_planar = true;
  body.W = build_identity(static_cast<Index>(rest.points.size()));
  CodimensionalParts parts;
  parts.triangles = rest.triangles;
  body.mass = compute_node_mass(body.W, compute_vertex_mass(rest, parts, density, kDepth));
  if (mass_kind == MassKind::Lumped) body.mass = lump_rows(body.mass);
  kinematics.elements.is_plane_strain = true;
  add_triangle_elements(rest.points, rest.triangles, body.W, kinematics.node_count, material, kDepth,
                        kinematics.elements);
  Points nodes = rest.points;
  body.rest = std::move(rest);
  append_body(std::move(body), kinematics);
  return nodes;
}

Points add_planar_obstacle(const std::string& name, Mesh rest, Kinematics& kinematics) {
  Points nodes = add_obstacle(name, std::move(rest), kinematics);
  kinematics.bodies.back().is_planar = true;
  return nodes;
}

bool is_planar(const Kinematics& kinematics) {
  return std::any_of(kinematics.bodies.begin(), kinematics.bodies.end(),
                     [](const Body& body) { return body.is_planar; });
}

std::vector<Edge> list_planar_border(const Body& body) {
  std::vector<Edge> border = extract_border(body.rest.triangles);
  const std::vector<Edge> of_triangles = unique_edges(body.rest.triangles);
  for (Edge edge : body.rest.edges) {
    std::sort(edge.begin(), edge.end());
    if (!std::binary_search(of_triangles.begin(), of_triangles.end(), edge)) border.push_back(edge);
  }
  return border;
}

}  // namespace marrow
