#include "geometry/medial/primitives.h"

#include <algorithm>

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

MedialBalls make_balls(const MedialPrimitive& primitive, const Mesh& medial) {
  MedialBalls balls;
  balls.count = primitive.count;
  for (size_t i = 0; i < 3; ++i) {
    const auto v = static_cast<size_t>(primitive.vertices[i]);
    balls.x[i] = medial.points[v];
    balls.r[i] = medial.radii[v];
  }
  return balls;
}

}  // namespace marrow
