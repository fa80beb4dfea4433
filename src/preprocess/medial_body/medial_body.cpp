#include "preprocess/medial_body/medial_body.h"

#include <algorithm>

#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"

namespace marrow {
namespace {

constexpr double kSmallestHandle = 0.3;  // of the usual size
constexpr size_t kFewNeighbors = 2;      // [derived: those of a chain of cones]
constexpr double kLeastShare = 0.1;      // of the mean volume of a handle; the paper's

// How many vertices of the medial mesh each one shares an edge with.
std::vector<size_t> count_neighbors(const Mesh& medial) {
  std::vector<Edge> edges = medial.edges;
  for (const Triangle& t : medial.triangles)
    for (size_t k = 0; k < 3; ++k) edges.push_back({t[k], t[(k + 1) % 3]});
  for (Edge& e : edges) e = {std::min(e[0], e[1]), std::max(e[0], e[1])};
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<size_t> counts(medial.points.size(), 0);
  for (const Edge& e : edges)
    for (const Index v : e) ++counts[static_cast<size_t>(v)];
  return counts;
}

}  // namespace

std::vector<double> measure_handle_volumes(const PreparedMedial& prepared) {
  std::vector<double> volumes(static_cast<size_t>(prepared.weights.columns), 0);
  for (size_t t = 0; t < prepared.volume.tets.size(); ++t) {
    const Tet& v = prepared.volume.tets[t];
    const Points& x = prepared.volume.points;
    const double volume =
        prepared.fills[t] * compute_tet_volume(x[static_cast<size_t>(v[0])], x[static_cast<size_t>(v[1])],
                                               x[static_cast<size_t>(v[2])], x[static_cast<size_t>(v[3])]);
    for (const Index i : v) {
      const ScalarMatrix& w = prepared.weights;
      for (Index k = w.offsets[static_cast<size_t>(i)]; k < w.offsets[static_cast<size_t>(i) + 1]; ++k)
        volumes[static_cast<size_t>(w.indices[static_cast<size_t>(k)])] +=
            volume / 4 * w.values[static_cast<size_t>(k)];
    }
  }
  return volumes;
}

std::vector<HandleKind> choose_handle_kinds(const PreparedMedial& prepared) {
  const size_t handles = prepared.handles.size();
  const std::vector<double> volumes = measure_handle_volumes(prepared);
  const std::vector<size_t> neighbors = count_neighbors(prepared.medial);
  std::vector<HandleKind> kinds(handles, HandleKind::Quadratic);  // extra handles have no neighbours
  for (size_t v = 0; v < neighbors.size(); ++v) {
    const auto j = static_cast<size_t>(prepared.columns[v]);
    if (j < handles && neighbors[v] > kFewNeighbors) kinds[j] = HandleKind::Affine;
  }
  double total = 0;
  for (const double volume : volumes) total += volume;
  for (size_t j = 0; j < handles; ++j)
    if (volumes[j] < kLeastShare * total / static_cast<double>(handles)) kinds[j] = HandleKind::Affine;
  kinds.resize(handles + prepared.anchor_centers.size(), HandleKind::Affine);
  return kinds;
}

std::vector<HandleKind> choose_handle_kinds(const PreparedMedial& prepared, const Points& quadratic_at) {
  std::vector<HandleKind> kinds(prepared.handles.size() + prepared.anchor_centers.size(), HandleKind::Affine);
  for (const Vec3& x : quadratic_at) {
    const auto nearest = std::min_element(
        prepared.handles.begin(), prepared.handles.end(),
        [&](const Vec3& a, const Vec3& b) { return (a - x).squaredNorm() < (b - x).squaredNorm(); });
    if (nearest != prepared.handles.end())
      kinds[static_cast<size_t>(nearest - prepared.handles.begin())] = HandleKind::Quadratic;
  }
  return kinds;
}

BodyHandles list_body_handles(const PreparedMedial& prepared, HandleKind kind) {
  const double usual = 0.1 * compute_diagonal(prepared.surface.points);
  BodyHandles handles;
  handles.centers = prepared.handles;
  handles.sizes.assign(handles.centers.size(), usual);
  // The nodes of a tiny sphere in a corner would be so near each other that their weights lose all digits.
  for (size_t j = 0; j < prepared.columns.size(); ++j) {
    const auto column = static_cast<size_t>(prepared.columns[j]);
    if (column < handles.sizes.size()) {
      handles.sizes[column] = std::max(prepared.medial.radii[j], kSmallestHandle * usual);
    }
  }
  for (const Vec3& center : prepared.anchor_centers) {
    handles.centers.push_back(center);
    handles.sizes.push_back(usual);
  }
  handles.kinds.assign(handles.centers.size(), kind);
  return handles;
}

ScalarMatrix make_surface_weights(const PreparedMedial& prepared) {
  std::vector<Triplet> entries;
  for (size_t i = 0; i < prepared.embedded.size(); ++i) {
    const EmbeddedPoint& where = prepared.embedded[i];
    for (int c = 0; c < 4; ++c) {
      if (where.weights[c] == 0) continue;
      entries.push_back({static_cast<Index>(i), prepared.volume.tets[where.tet][c], where.weights[c]});
    }
  }
  return build_scalar_matrix(static_cast<Index>(prepared.embedded.size()),
                             static_cast<Index>(prepared.volume.points.size()), std::move(entries));
}

MedialRest make_medial_rest(const PreparedMedial& prepared, const BodyHandles& handles) {
  MedialRest rest;
  rest.surface = prepared.surface;
  rest.medial = prepared.medial;
  rest.nodes = list_handle_nodes(handles.view());
  rest.handle_nodes = handles.view().list_first_nodes();
  rest.surface_weights =
      multiply(make_surface_weights(prepared),
               compute_handle_node_weights(prepared.volume.points, prepared.weights, handles.view()));
  rest.sphere_weights = compute_sphere_weights(prepared.medial.points, prepared.columns, handles.view());
  return rest;
}

}  // namespace marrow
