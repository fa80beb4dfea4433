#include <marrow/collision.h>

#include "core/float_scope.h"
#include "exec/parallel.h"
#include "geometry/ccd/ccd.h"

namespace marrow::api {

double find_contact_time(const CollisionQuery& query, const CollisionOptions& options) {
  const FloatScope floats;
  CcdQuery own;
  own.kind = query.kind == PairKind::EdgeEdge ? marrow::PairKind::EdgeEdge : marrow::PairKind::PointTriangle;
  for (size_t i = 0; i < 4; ++i) {
    own.x0[i] = marrow::Vec3(query.x0[i][0], query.x0[i][1], query.x0[i][2]);
    own.x1[i] = marrow::Vec3(query.x1[i][0], query.x1[i][1], query.x1[i][2]);
    own.r0[i] = own.r1[i] = query.radii[i];
  }
  CcdOptions wanted;
  wanted.tolerance = options.tolerance;
  wanted.min_separation = options.min_separation;
  return detect_collision(own, wanted).toi;
}

std::vector<double> find_contact_times(std::span<const CollisionQuery> queries,
                                       const CollisionOptions& options) {
  std::vector<double> times(queries.size());
  exec::parallel_for("library.ccd", queries.size(),
                     [&](size_t i) { times[i] = find_contact_time(queries[i], options); });
  return times;
}

}  // namespace marrow::api
