#include "contact/step_limit.h"

#include <algorithm>
#include <limits>

#include "contact/kept_gap.h"
#include "core/trace.h"

namespace marrow {

double find_earliest_collision(const PairStencils& pairs, const MovingPoints& points, BatchOptions options) {
  double earliest = std::numeric_limits<double>::infinity();
  const auto look_at = [&](PairKind kind, const std::vector<PairStencil>& list) {
    earliest = std::min(earliest, find_earliest_collision(kind, list, points, options));
    // The next list is examined only up to the earliest collision so far.
    options.t_max = std::min(options.t_max, earliest);
  };
  look_at(PairKind::PointTriangle, pairs.vertex_vertex);
  look_at(PairKind::PointTriangle, pairs.vertex_edge);
  look_at(PairKind::PointTriangle, pairs.vertex_face);
  look_at(PairKind::EdgeEdge, pairs.edge_edge);
  return earliest;
}

StepLimit compute_collision_limit(const MovingPoints& points, const PairStencils& pairs,
                                  double min_separation, double most_kept) {
  const trace::Scope scope("contact.step_limit");
  BatchOptions options;
  options.tolerance = 0;
  options.min_separation = min_separation;
  options.keep = kKeptGap.share;
  options.most_kept = most_kept;
  const double earliest = find_earliest_collision(pairs, points, options);
  if (earliest >= 1) return {};
  return {earliest, LimitCause::Collision};
}

}  // namespace marrow
