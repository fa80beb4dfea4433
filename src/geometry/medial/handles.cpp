#include "geometry/medial/handles.h"

#include <array>
#include <cmath>

namespace marrow {
namespace {

std::array<Vec3, 4> list_corners() {
  const double s = 1 / std::sqrt(3.0);
  return {Vec3(s, s, s), Vec3(s, -s, -s), Vec3(-s, s, -s), Vec3(-s, -s, s)};
}

// The edges of the tetrahedron whose midpoints are the other nodes of a quadratic handle.
constexpr std::array<std::array<int, 2>, 6> kSides = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

// The shape functions of a handle's nodes at y, in units of its size from its centre.
std::array<double, 10> compute_shape_functions(HandleKind kind, const Vec3& y) {
  const std::array<Vec3, 4> corners = list_corners();
  std::array<double, 10> values = {};
  for (size_t k = 0; k < 4; ++k) values[k] = 0.25 + 0.75 * corners[k].dot(y);
  if (kind == HandleKind::Affine) return values;
  for (size_t s = 0; s < kSides.size(); ++s) {
    values[4 + s] = 4 * values[static_cast<size_t>(kSides[s][0])] * values[static_cast<size_t>(kSides[s][1])];
  }
  for (size_t k = 0; k < 4; ++k) values[k] *= 2 * values[k] - 1;
  return values;
}

}  // namespace

std::vector<Index> Handles::list_first_nodes() const {
  std::vector<Index> first = {0};
  for (Index j = 0; j < count(); ++j) first.push_back(first.back() + count_handle_nodes(kind_of(j)));
  return first;
}

Points list_handle_nodes(const Handles& handles) {
  Points nodes;
  for (Index j = 0; j < handles.count(); ++j) {
    const size_t first = nodes.size();
    for (const Vec3& u : list_corners())
      nodes.push_back(handles.centers[static_cast<size_t>(j)] + handles.sizes[static_cast<size_t>(j)] * u);
    if (handles.kind_of(j) == HandleKind::Affine) continue;
    for (const auto& [k, l] : kSides) {
      nodes.push_back(0.5 * (nodes[first + static_cast<size_t>(k)] + nodes[first + static_cast<size_t>(l)]));
    }
  }
  return nodes;
}

ScalarMatrix compute_handle_node_weights(const Points& points, const ScalarMatrix& handle_weights,
                                         const Handles& handles) {
  const std::vector<Index> first = handles.list_first_nodes();
  ScalarMatrix W;
  W.columns = first.back();
  for (size_t i = 0; i < points.size(); ++i) {
    for (Index k = handle_weights.offsets[i]; k < handle_weights.offsets[i + 1]; ++k) {
      const auto j = static_cast<size_t>(handle_weights.indices[static_cast<size_t>(k)]);
      const HandleKind kind = handles.kind_of(static_cast<Index>(j));
      const std::array<double, 10> values =
          compute_shape_functions(kind, (points[i] - handles.centers[j]) / handles.sizes[j]);
      for (Index c = 0; c < count_handle_nodes(kind); ++c) {
        W.indices.push_back(first[j] + c);
        W.values.push_back(handle_weights.values[static_cast<size_t>(k)] * values[static_cast<size_t>(c)]);
      }
    }
    W.offsets.push_back(static_cast<Index>(W.indices.size()));
  }
  return W;
}

ScalarMatrix compute_sphere_weights(const Points& spheres, const std::vector<Index>& sphere_handles,
                                    const Handles& handles) {
  ScalarMatrix handle;
  handle.columns = handles.count();
  for (const Index j : sphere_handles) {
    handle.indices.push_back(j);
    handle.values.push_back(1);
    handle.offsets.push_back(static_cast<Index>(handle.indices.size()));
  }
  return compute_handle_node_weights(spheres, handle, handles);
}

}  // namespace marrow
