#include "contact/turning_limit.h"

#include <algorithm>
#include <limits>

#include "contact/kept_gap.h"
#include "core/trace.h"
#include "exec/parallel.h"
#include "geometry/distance/gap.h"

namespace marrow {
namespace {

// The tolerance of CCD on curved paths, as a fraction of the gap to keep. Less: longer steps, more work for
// each pair. [derived: a step ends too early by at most a tenth of the gap to keep]
constexpr double kTurningTolerance = 0.1;

// The gap that a pair must keep [m].
double compute_kept_gap(PairKind kind, const PairStencil& vertices, const TurningPoints& paths,
                        double most_kept) {
  PairBalls balls;
  for (size_t i = 0; i < 4; ++i) {
    balls.x[i] = paths.x0[vertices[i]];
    balls.r[i] = paths.radii.empty() ? 0 : paths.radii[vertices[i]];
  }
  return std::min(kKeptGap.share * std::max(0.0, find_gap(kind, balls).compute_gap()), most_kept);
}

double find_earliest(PairKind kind, const std::vector<PairStencil>& pairs, const TurningPoints& paths,
                     std::span<const double> grown, double t_max, double most_kept) {
  BatchOptions chords;
  chords.tolerance = 0;
  chords.t_max = t_max;
  chords.keep = kKeptGap.share;
  chords.most_kept = most_kept;
  // All pairs are tested on the chords of their paths, with radii grown by the bows.
  std::vector<double> toi(pairs.size());
  detect_collisions(kind, pairs, {paths.x0, paths.x1, grown}, chords, toi);
  // Pairs with a turning point that are not free on their chords are followed on the curved path.
  const auto look_closer = [&](size_t k) {
    const bool is_straight = std::all_of(pairs[k].begin(), pairs[k].end(),
                                         [&](Index v) { return paths.frame_of_point[v] == kNone; });
    if (is_straight || !(toi[k] < t_max)) return toi[k];
    CcdOptions options;
    options.t_max = t_max;
    options.min_separation = compute_kept_gap(kind, pairs[k], paths, most_kept);
    options.tolerance = kTurningTolerance * options.min_separation;
    return detect_turning_collision(kind, pairs[k], paths, options).toi;
  };
  return exec::parallel_min("contact.turning", pairs.size(), std::numeric_limits<double>::infinity(),
                            look_closer);
}

}  // namespace

void grow_radii(const TurningPoints& paths, std::span<const Index> vertices, std::vector<double>& grown) {
  exec::parallel_for(
      "contact.bows", vertices.size(),
      [&](size_t i) {
        const Index vertex = vertices[i], frame = paths.frame_of_point[vertex];
        grown[vertex] = paths.radii.empty() ? 0 : paths.radii[vertex];
        if (frame != kNone) grown[vertex] += paths.frames[frame].compute_bow(paths.x0[vertex], 1);
      },
      4096);
}

StepLimit compute_turning_collision_limit(const TurningPoints& paths, std::span<const double> grown,
                                          const PairStencils& pairs, double most_kept) {
  const trace::Scope scope("contact.step_limit");
  double earliest = 1;
  const auto look_at = [&](PairKind kind, const std::vector<PairStencil>& list) {
    earliest = std::min(earliest, find_earliest(kind, list, paths, grown, earliest, most_kept));
  };
  look_at(PairKind::PointTriangle, pairs.vertex_vertex);
  look_at(PairKind::PointTriangle, pairs.vertex_edge);
  look_at(PairKind::PointTriangle, pairs.vertex_face);
  look_at(PairKind::EdgeEdge, pairs.edge_edge);
  if (earliest >= 1) return {};
  return {earliest, LimitCause::Collision};
}

}  // namespace marrow
