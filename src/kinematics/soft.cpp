#include "kinematics/body.h"

namespace marrow {

Points add_soft_body(const std::string& name, Mesh rest, double density, MassKind mass_kind, Index material,
                     Kinematics& kinematics) {
  Body body;
  body.name = name;
  body.kind = BodyKind::Soft;
  body.W = build_identity(static_cast<Index>(rest.points.size()));
  body.mass = compute_node_mass(body.W, compute_vertex_mass(rest.points, rest.tets, density));
  if (mass_kind == MassKind::Lumped) body.mass = lump_rows(body.mass);
  add_tet_elements(rest.points, rest.tets, body.W, kinematics.node_count, material, kinematics.elements);
  Points nodes = rest.points;
  body.rest = std::move(rest);
  append_body(std::move(body), kinematics);
  return nodes;
}

}  // namespace marrow
