#include "preprocess/medial_body/medial_body.h"

#include <algorithm>

#include "mesh/point_box.h"

namespace marrow {
namespace {

constexpr double kSmallestHandle = 0.3;  // of the usual size

}  // namespace

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
