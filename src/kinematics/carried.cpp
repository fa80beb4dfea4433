#include "kinematics/carried.h"

#include "mesh/mesh_summary.h"

namespace marrow {
namespace {

// The consistent mass of the filled part of every tet, over the volume's points.
ScalarMatrix compute_carrier_mass(const CarriedShape& shape, double density) {
  std::vector<Triplet> triplets;
  triplets.reserve(16 * shape.volume.tets.size());
  const Points& x = shape.volume.points;
  for (size_t t = 0; t < shape.volume.tets.size(); ++t) {
    const Tet& v = shape.volume.tets[t];
    const double fill = shape.fills.empty() ? 1 : shape.fills[t];
    const double share = density * fill * compute_tet_volume(x[v[0]], x[v[1]], x[v[2]], x[v[3]]) / 20;
    for (const Index i : v) {
      for (const Index j : v) triplets.push_back({i, j, i == j ? 2 * share : share});
    }
  }
  const auto count = static_cast<Index>(x.size());
  return build_scalar_matrix(count, count, std::move(triplets));
}

}  // namespace

Points add_carried_body(const std::string& name, CarriedShape shape, double density, MassKind mass_kind,
                        Index material, Kinematics& kinematics) {
  Body body;
  body.name = name;
  body.kind = BodyKind::Soft;
  body.W = std::move(shape.weights);
  body.mass = compute_carrier_mass(shape, density);
  if (mass_kind == MassKind::Lumped) body.mass = lump_rows(body.mass);
  const size_t first = kinematics.elements.count();
  const auto count = static_cast<Index>(shape.volume.points.size());
  add_tet_elements(shape.volume.points, shape.volume.tets, build_identity(count), kinematics.node_count,
                   material, kinematics.elements);
  for (size_t t = 0; t < shape.fills.size(); ++t) kinematics.elements.volumes[first + t] *= shape.fills[t];
  body.rest = std::move(shape.surface);
  append_body(std::move(body), kinematics);
  return std::move(shape.volume.points);
}

bool is_carried(const Body& body) {
  return body.kind == BodyKind::Soft && static_cast<size_t>(body.node_count) != body.rest.points.size();
}

}  // namespace marrow
