#include "kinematics/medial.h"

#include <cmath>

#include "geometry/mesh_summary.h"

namespace marrow {
namespace {

std::array<Vec3, 4> list_corners() {
  const double s = 1 / std::sqrt(3.0);
  return {Vec3(s, s, s), Vec3(s, -s, -s), Vec3(-s, s, -s), Vec3(-s, -s, s)};
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

}  // namespace

ScalarMatrix compute_handle_node_weights(const Points& points, const ScalarMatrix& handle_weights,
                                         const Points& centers, const std::vector<double>& sizes) {
  const std::array<Vec3, 4> corners = list_corners();
  ScalarMatrix W;
  W.columns = 4 * handle_weights.columns;
  for (size_t i = 0; i < points.size(); ++i) {
    for (Index k = handle_weights.offsets[i]; k < handle_weights.offsets[i + 1]; ++k) {
      const Index j = handle_weights.indices[k];
      const Vec3 y = (points[i] - centers[j]) / sizes[j];
      for (Index c = 0; c < 4; ++c) {
        W.indices.push_back(4 * j + c);
        W.values.push_back(handle_weights.values[k] * (0.25 + 0.75 * corners[static_cast<size_t>(c)].dot(y)));
      }
    }
    W.offsets.push_back(static_cast<Index>(W.indices.size()));
  }
  return W;
}

Points add_medial_body(const std::string& name, MedialShapeData shape, double density, Index material,
                       Kinematics& kinematics) {
  Points nodes;
  for (size_t j = 0; j < shape.centers.size(); ++j) {
    for (const Vec3& u : list_corners()) nodes.push_back(shape.centers[j] + shape.sizes[j] * u);
  }
  const ScalarMatrix volume_weights =
      compute_handle_node_weights(shape.volume.points, shape.handle_weights, shape.centers, shape.sizes);
  Body body;
  body.name = name;
  body.kind = BodyKind::Medial;
  body.W = multiply(shape.surface_weights, volume_weights);
  body.mass = compute_node_mass(volume_weights, compute_filled_mass(shape, density));
  body.rest = std::move(shape.surface);
  ReducedElements reduced;
  reduced.first_node = kinematics.node_count;
  reduced.W = volume_weights;
  reduced.fine = make_filled_elements(shape, material);
  append_body(std::move(body), kinematics);
  kinematics.reduced.push_back(std::move(reduced));
  return nodes;
}

}  // namespace marrow
