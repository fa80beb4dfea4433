#include "preprocess/certificates/separating_plane.h"

#include <algorithm>
#include <cmath>

namespace marrow {
namespace {

constexpr int kMostSteps = 200;
constexpr double kLeastMargin = 1e-3;  // of unit directions; less is lost at the first deformation

void add_directions(const PatchTree& tree, const PatchPair& pair, Index node, double sign,
                    Points& directions) {
  const Vec3 origin = tree.rest[static_cast<size_t>(pair.shared[0])];
  Vec3 along = Vec3::Zero();
  if (pair.shared_count == 2) along = (tree.rest[static_cast<size_t>(pair.shared[1])] - origin).normalized();
  const PatchNode& n = tree.node(node);
  for (Index i = n.first; i < n.last; ++i) {
    for (const Index v : tree.triangles[static_cast<size_t>(i)]) {
      if (v == pair.shared[0] || v == pair.shared[1]) continue;
      const Vec3 way = tree.rest[static_cast<size_t>(v)] - origin;
      const Vec3 across = way - along.dot(way) * along;
      directions.push_back(sign * across / std::max(way.norm(), 1e-300));
    }
  }
}

}  // namespace

std::optional<Vec3> find_separating_normal(const PatchTree& tree, const PatchPair& pair) {
  Points directions;
  add_directions(tree, pair, pair.a, -1, directions);
  add_directions(tree, pair, pair.b, 1, directions);
  if (directions.empty()) return {};
  const auto find_lowest = [&](const Vec3& w) {
    return *std::min_element(directions.begin(), directions.end(),
                             [&](const Vec3& a, const Vec3& b) { return a.dot(w) < b.dot(w); });
  };
  Vec3 w = directions[0];
  for (int step = 0; step < kMostSteps; ++step) {
    const Vec3 lowest = find_lowest(w);
    const Vec3 way = w - lowest;
    const double length = way.squaredNorm();
    if (!(length > 0) || w.dot(way) <= 1e-6 * w.squaredNorm()) break;
    w -= std::clamp(w.dot(way) / length, 0.0, 1.0) * way;
  }
  const Vec3 normal = w.normalized();
  if (!(find_lowest(normal).dot(normal) > kLeastMargin)) return {};
  return normal;
}

}  // namespace marrow
