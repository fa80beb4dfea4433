#include "geometry/medial/medial_rest.h"

#include "exec/parallel.h"

namespace marrow {
namespace {

// X + W (n − N): exact at rest, and what a row lacks to a sum of 1 stays there.
Points move_points(const Points& rest, const ScalarMatrix& weights, const Points& nodes,
                   const Eigen::Ref<const VecX>& n) {
  Points moved(rest.size());
  exec::parallel_for("medial.move", rest.size(), [&](size_t i) {
    Vec3 x = rest[i];
    for (Index k = weights.offsets[i]; k < weights.offsets[i + 1]; ++k) {
      const auto node = static_cast<size_t>(weights.indices[static_cast<size_t>(k)]);
      x += weights.values[static_cast<size_t>(k)] *
           (n.segment<3>(3 * static_cast<Eigen::Index>(node)) - nodes[node]);
    }
    moved[i] = x;
  });
  return moved;
}

}  // namespace

Points compute_surface(const MedialRest& rest, const Eigen::Ref<const VecX>& n) {
  return move_points(rest.surface.points, rest.surface_weights, rest.nodes, n);
}

Points compute_centers(const MedialRest& rest, const Eigen::Ref<const VecX>& n) {
  return move_points(rest.medial.points, rest.sphere_weights, rest.nodes, n);
}

}  // namespace marrow
