#include "preprocess/medial/medial_shape.h"

#include <algorithm>

#include "geometry/distance/gap.h"
#include "mesh/surface.h"

namespace marrow {

std::vector<MedialPrimitive> list_primitives(const Mesh& medial) {
  std::vector<MedialPrimitive> primitives;
  std::vector<std::uint8_t> is_used(medial.points.size(), 0);
  for (const Triangle& t : medial.triangles) {
    primitives.push_back({t, 3});
    for (const Index v : t) is_used[v] = 1;
  }
  const std::vector<Edge> sides = unique_edges(medial.triangles);
  for (const Edge& e : medial.edges) {
    const Edge sorted = {std::min(e[0], e[1]), std::max(e[0], e[1])};
    if (std::binary_search(sides.begin(), sides.end(), sorted)) continue;
    primitives.push_back({{e[0], e[1], e[1]}, 2});
    for (const Index v : e) is_used[v] = 1;
  }
  for (Index v = 0; v < static_cast<Index>(medial.points.size()); ++v) {
    if (is_used[v] == 0) primitives.push_back({{v, v, v}, 1});
  }
  return primitives;
}

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

}  // namespace marrow
