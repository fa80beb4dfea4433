#include "kinematics/medial.h"

#include <algorithm>
#include <cmath>

#include "mesh/mesh_summary.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// The rows of the first matrix, then those of the second.
ScalarMatrix stack_rows(ScalarMatrix above, const ScalarMatrix& below) {
  const auto shift = static_cast<Index>(above.indices.size());
  above.indices.insert(above.indices.end(), below.indices.begin(), below.indices.end());
  above.values.insert(above.values.end(), below.values.begin(), below.values.end());
  for (size_t i = 1; i < below.offsets.size(); ++i) above.offsets.push_back(below.offsets[i] + shift);
  return above;
}

// The consistent mass of the filled part of every tet.
ScalarMatrix compute_filled_mass(const MedialShapeData& shape, double density) {
  std::vector<Triplet> triplets;
  triplets.reserve(16 * shape.volume.tets.size());
  for (size_t t = 0; t < shape.volume.tets.size(); ++t) {
    const Tet& v = shape.volume.tets[t];
    const Points& x = shape.volume.points;
    const double volume = compute_tet_volume(x[v[0]], x[v[1]], x[v[2]], x[v[3]]);
    const double share = density * shape.fills[t] * volume / 20;
    for (const Index i : v) {
      for (const Index j : v) triplets.push_back({i, j, i == j ? 2 * share : share});
    }
  }
  const Index count = static_cast<Index>(shape.volume.points.size());
  return build_scalar_matrix(count, count, std::move(triplets));
}

// Elements of the filled tets over the volume's points.
Elements make_filled_elements(const MedialShapeData& shape, Index material) {
  std::vector<Tet> filled;
  std::vector<double> fills;
  for (size_t t = 0; t < shape.volume.tets.size(); ++t) {
    if (shape.fills[t] <= 0) continue;
    filled.push_back(shape.volume.tets[t]);
    fills.push_back(shape.fills[t]);
  }
  Elements elements;
  add_tet_elements(shape.volume.points, filled,
                   build_identity(static_cast<Index>(shape.volume.points.size())), 0, material, elements);
  for (size_t e = 0; e < fills.size(); ++e) elements.volumes[e] *= fills[e];
  return elements;
}

Handles handles_of(const MedialShapeData& shape) { return {shape.centers, shape.sizes, shape.kinds}; }

// Appends the spheres to the body's points, and the slabs and the cones that belong to no slab, numbered by
// these points.
void add_collider(const MedialShapeData& shape, Body& body) {
  if (shape.collider.points.empty()) return;
  Mesh collider = shape.collider;
  const std::vector<Edge> sides = unique_edges(collider.triangles);
  std::erase_if(collider.edges, [&](const Edge& e) {
    return std::binary_search(sides.begin(), sides.end(), Edge{std::min(e[0], e[1]), std::max(e[0], e[1])});
  });
  const auto first = static_cast<Index>(body.rest.points.size());
  for (Edge& e : collider.edges) e = {e[0] + first, e[1] + first};
  for (Triangle& t : collider.triangles) t = {t[0] + first, t[1] + first, t[2] + first};
  body.W = stack_rows(std::move(body.W),
                      compute_sphere_weights(shape.collider.points, shape.sphere_handles, handles_of(shape)));
  body.collider = std::move(collider);
}

// The consistent mass of the filled part of every tet, over the volume's points.
ScalarMatrix compute_carrier_mass(const CarriedShape& shape, double density) {
  std::vector<Triplet> triplets;
  triplets.reserve(16 * shape.volume.tets.size());
  const Points& x = shape.volume.points;
  for (size_t t = 0; t < shape.volume.tets.size(); ++t) {
    const Tet& v = shape.volume.tets[t];
    double fill = shape.fills.empty() ? 1 : shape.fills[t];
    if (!shape.densities.empty()) fill *= shape.densities[t];
    const double share = density * fill * compute_tet_volume(x[v[0]], x[v[1]], x[v[2]], x[v[3]]) / 20;
    for (const Index i : v) {
      for (const Index j : v) triplets.push_back({i, j, i == j ? 2 * share : share});
    }
  }
  const auto count = static_cast<Index>(x.size());
  return build_scalar_matrix(count, count, std::move(triplets));
}

}  // namespace

Points add_medial_body(const std::string& name, MedialShapeData shape, double density, Index material,
                       Kinematics& kinematics) {
  Points nodes = list_handle_nodes(handles_of(shape));
  const ScalarMatrix volume_weights =
      compute_handle_node_weights(shape.volume.points, shape.handle_weights, handles_of(shape));
  Body body;
  body.name = name;
  body.kind = BodyKind::Medial;
  body.W = multiply(shape.surface_weights, volume_weights);
  body.mass = compute_node_mass(volume_weights, compute_filled_mass(shape, density));
  body.rest = std::move(shape.surface);
  add_collider(shape, body);
  ReducedElements reduced;
  reduced.handle_nodes = handles_of(shape).list_first_nodes();
  reduced.first_node = kinematics.node_count;
  reduced.W = volume_weights;
  reduced.fine = make_filled_elements(shape, material);
  append_body(std::move(body), kinematics);
  kinematics.reduced.push_back(std::move(reduced));
  return nodes;
}

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
  return body.kind == BodyKind::Soft && body.order == 1 &&
         static_cast<size_t>(body.node_count) != body.rest.points.size();
}

}  // namespace marrow
