// Continuous collision detection: when do two simplices that move straight first touch? Never later than they
// do.
#pragma once

#include <span>
#include <vector>

#include <marrow/types.h>

namespace marrow {
MARROW_PUBLIC_NAMESPACE {
  enum class PairKind { PointTriangle, EdgeEdge };

  // Four points that move from x0 to x1: the point and the triangle, or the two edges.
  struct CollisionQuery {
    PairKind kind = PairKind::EdgeEdge;
    std::array<Vec3, 4> x0 = {}, x1 = {};
    std::array<double, 4> radii = {};  // of balls around them, in between linear [m]
  };

  struct CollisionOptions {
    double tolerance = 1e-6;    // a gap below this counts as contact [m]
    double min_separation = 0;  // contact means a gap of this much [m]
  };

  // The time of the first contact in [0, 1], or infinity. One time per query.
  double find_contact_time(const CollisionQuery& query, const CollisionOptions& options = {});
  std::vector<double> find_contact_times(std::span<const CollisionQuery> queries,
                                         const CollisionOptions& options = {});

}  // MARROW_PUBLIC_NAMESPACE
}  // namespace marrow
