#include "geometry/medial/medial_shape.h"

#include <algorithm>

#include "geometry/distance/gap.h"

namespace marrow {

MedialShape::MedialShape(const Mesh& medial) : medial_(medial), primitives_(list_primitives(medial)) {
  update();
}

void MedialShape::update() {
  boxes_.assign(primitives_.size(), {});
  largest_.assign(primitives_.size(), 0);
  for (size_t p = 0; p < primitives_.size(); ++p) {
    for (const Index i : primitives_[p].vertices) {
      boxes_[p].extend(medial_.points[i]);
      largest_[p] = std::max(largest_[p], medial_.radii[i]);
    }
  }
}

MedialPoint MedialShape::find_in_primitive(Index primitive, const Vec3& x) const {
  const auto& v = primitives_[primitive].vertices;
  PairBalls balls;
  balls.x = {x, medial_.points[v[0]], medial_.points[v[1]], medial_.points[v[2]]};
  balls.r = {0, medial_.radii[v[0]], medial_.radii[v[1]], medial_.radii[v[2]]};
  const PairPoint point = find_gap(PairKind::PointTriangle, balls);
  const double length = point.c.norm();
  return {primitive,
          {-point.w[1], -point.w[2], -point.w[3]},
          length > 0 ? Vec3(point.c / length) : Vec3(Vec3::Zero()),
          point.compute_gap()};
}

MedialPoint MedialShape::find_nearest(const Vec3& x) const {
  MedialPoint best;
  for (Index p = 0; p < static_cast<Index>(primitives_.size()); ++p) {
    if (bound_gap(p, x) >= best.gap) continue;
    const MedialPoint point = find_in_primitive(p, x);
    if (point.gap < best.gap) best = point;
  }
  return best;
}

bool MedialShape::is_below(const Vec3& x, double gap) const {
  // The spheres themselves are quickly asked.
  for (size_t i = 0; i < medial_.points.size(); ++i) {
    if ((x - medial_.points[i]).norm() - medial_.radii[i] < gap) return true;
  }
  for (Index p = 0; p < static_cast<Index>(primitives_.size()); ++p) {
    if (bound_gap(p, x) < gap && find_in_primitive(p, x).gap < gap) return true;
  }
  return false;
}

BestPrimitive find_best_primitive(const std::array<Vec3, 3>& corners, const MedialShape& shape) {
  BestPrimitive best;
  for (Index p = 0; p < static_cast<Index>(shape.primitives().size()); ++p) {
    double bound = -std::numeric_limits<double>::infinity(), need = bound;
    for (const Vec3& x : corners) bound = std::max(bound, shape.bound_gap(p, x));
    if (bound >= best.need) continue;
    for (const Vec3& x : corners) need = std::max(need, shape.find_in_primitive(p, x).gap);
    if (need < best.need) best = {p, need};
  }
  return best;
}

}  // namespace marrow
