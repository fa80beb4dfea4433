#include "contact/step_limit.h"

#include <algorithm>

#include "core/trace.h"

namespace marrow {

StepLimit compute_collision_limit(const MovingPoints& points, std::span<const PairStencil> edge_edge,
                                  std::span<const PairStencil> vertex_face, double min_separation) {
  const trace::Scope scope("contact.step_limit");
  BatchOptions options;
  options.tolerance = 0;
  options.min_separation = min_separation;
  options.keep = 0.1;
  // The first list bounds the time the second is looked at.
  const double faces = find_earliest_collision(PairKind::PointTriangle, vertex_face, points, options);
  options.t_max = std::min(options.t_max, faces);
  const double edges = find_earliest_collision(PairKind::EdgeEdge, edge_edge, points, options);
  const double earliest = std::min(faces, edges);
  if (earliest >= 1) return {};
  return {earliest, LimitCause::Collision};
}

}  // namespace marrow
