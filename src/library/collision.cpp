#include <fmt/format.h>
#include <marrow/collision.h>

#include <cmath>

#include "core/float_scope.h"
#include "exec/parallel.h"
#include "geometry/ccd/ccd.h"

namespace marrow::api {
namespace {

void require_not_negative(double value, const char* what) {
  if (std::isfinite(value) && value >= 0) return;
  throw InputError(fmt::format("find_contact_time: {} must be finite and 0 or above, not {}", what, value));
}

void check_query(const CollisionQuery& query) {
  for (size_t i = 0; i < 4; ++i) {
    require_not_negative(query.radii[i], "CollisionQuery::radii");
    for (size_t c = 0; c < 3; ++c) {
      if (std::isfinite(query.x0[i][c]) && std::isfinite(query.x1[i][c])) continue;
      throw InputError(fmt::format("find_contact_time: point {} of the query is not finite", i));
    }
  }
}

CcdOptions make_options(const CollisionOptions& options) {
  require_not_negative(options.tolerance, "CollisionOptions::tolerance");
  require_not_negative(options.min_separation, "CollisionOptions::min_separation");
  CcdOptions own;
  own.tolerance = options.tolerance;
  own.min_separation = options.min_separation;
  return own;
}

double compute_time(const CollisionQuery& query, const CcdOptions& options) {
  const FloatScope floats;
  CcdQuery own;
  own.kind = query.kind == PairKind::EdgeEdge ? marrow::PairKind::EdgeEdge : marrow::PairKind::PointTriangle;
  for (size_t i = 0; i < 4; ++i) {
    own.x0[i] = marrow::Vec3(query.x0[i][0], query.x0[i][1], query.x0[i][2]);
    own.x1[i] = marrow::Vec3(query.x1[i][0], query.x1[i][1], query.x1[i][2]);
    own.r0[i] = own.r1[i] = query.radii[i];
  }
  return detect_collision(own, options).toi;
}

}  // namespace

double find_contact_time(const CollisionQuery& query, const CollisionOptions& options) {
  const CcdOptions own = make_options(options);
  check_query(query);
  return compute_time(query, own);
}

std::vector<double> find_contact_times(std::span<const CollisionQuery> queries,
                                       const CollisionOptions& options) {
  const CcdOptions own = make_options(options);
  for (const CollisionQuery& query : queries) check_query(query);
  std::vector<double> times(queries.size());
  exec::parallel_for("library.ccd", queries.size(),
                     [&](size_t i) { times[i] = compute_time(queries[i], own); });
  return times;
}

}  // namespace marrow::api
