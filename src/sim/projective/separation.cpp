#include "sim/projective/separation.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/disjoint_sets.h"

namespace marrow {
namespace {

// A way out that is farther than this from where the triangles should go is none: cos of the angle. [D34]
constexpr double kAlong = 0.3;

// A curve that encloses less than this, over its length squared (a circle: 1/4π), encloses nothing. [D34]
constexpr double kLeastArea = 1e-3;

using Corners = std::array<Vec3, 3>;

Corners list_corners(const Points& x, const Triangle& t) {
  return {x[static_cast<size_t>(t[0])], x[static_cast<size_t>(t[1])], x[static_cast<size_t>(t[2])]};
}

double overlap_along(const Corners& a, const Corners& b, const Vec3& u) {
  return std::max({u.dot(b[0]), u.dot(b[1]), u.dot(b[2])}) -
         std::min({u.dot(a[0]), u.dot(a[1]), u.dot(a[2])});
}

Vec3 normal_of(const Corners& a) { return (a[1] - a[0]).cross(a[2] - a[0]).normalized(); }

// Where triangles meet: up to two points are enough.
struct Piercings {
  std::array<Vec3, 6> at;
  size_t count = 0;

  Vec3 middle() const {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 0; i < count; ++i) sum += at[i];
    return sum / static_cast<double>(count);
  }
};

// Adds the points in which edges of a go through b.
void add_piercings(const Corners& a, const Corners& b, Piercings& found) {
  const Vec3 normal = (b[1] - b[0]).cross(b[2] - b[0]);
  for (size_t k = 0; k < 3; ++k) {
    const Vec3 &p = a[k], &q = a[(k + 1) % 3];
    const double from = normal.dot(p - b[0]), to = normal.dot(q - b[0]);
    if ((from > 0) == (to > 0)) continue;
    const Vec3 z = p + from / (from - to) * (q - p);
    bool is_inside = true;
    for (size_t i = 0; i < 3; ++i) {
      is_inside = is_inside && (b[(i + 1) % 3] - b[i]).cross(z - b[i]).dot(normal) >= 0;
    }
    if (!is_inside) continue;
    found.at[found.count++] = z;
  }
}

}  // namespace

Separation find_separation(const Points& x, const Crossing& crossing) {
  const Corners a = list_corners(x, crossing.a), b = list_corners(x, crossing.b);
  Separation found;
  const double length = crossing.way.norm();
  if (!(length > 0)) return found;
  const Vec3 way = crossing.way / length;
  found.direction = way;
  found.depth = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vec3& axis) {
    const double size = axis.norm();
    if (!(size > 0)) return;
    const Vec3 u = (axis.dot(way) > 0 ? 1 : -1) / size * axis;
    if (u.dot(way) < kAlong) return;
    const double depth = overlap_along(a, b, u);
    if (!(depth < found.depth)) return;
    found.direction = u;
    found.depth = depth;
  };
  consider((a[1] - a[0]).cross(a[2] - a[0]));
  consider((b[1] - b[0]).cross(b[2] - b[0]));
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) consider((a[(i + 1) % 3] - a[i]).cross(b[(j + 1) % 3] - b[j]));
  }
  if (found.depth == std::numeric_limits<double>::infinity()) found.depth = overlap_along(a, b, way);
  Piercings piercings;
  add_piercings(a, b, piercings);
  add_piercings(b, a, piercings);
  const Vec3 middle = piercings.count > 0 ? piercings.middle() : Vec3((a[0] + a[1] + a[2]) / 3);
  found.weights_a = find_closest_weights(middle, a[0], a[1], a[2]);
  found.weights_b = find_closest_weights(middle, b[0], b[1], b[2]);
  return found;
}

void find_ways_by_area(const Points& x, std::vector<Crossing>& crossings) {
  // Crossings of the same two bodies with a common triangle belong together.
  DisjointSets sets(crossings.size());
  std::map<std::pair<Triangle, Index>, size_t> first;
  for (size_t i = 0; i < crossings.size(); ++i) {
    const Crossing& c = crossings[i];
    sets.join(first.try_emplace({c.a, c.body_b}, i).first->second, i);
    sets.join(first.try_emplace({c.b, c.body_a}, i).first->second, i);
  }
  std::vector<Vec3> areas(crossings.size(), Vec3::Zero());
  std::vector<double> lengths(crossings.size(), 0);
  for (size_t i = 0; i < crossings.size(); ++i) {
    const size_t set = sets.find(i);
    const Crossing& c = crossings[i];
    // Set i's bodies may be named the other way round; a of the first is a of all.
    const bool is_turned = c.body_a != crossings[set].body_a;
    const Corners a = list_corners(x, c.a), b = list_corners(x, c.b);
    Piercings piercings;
    add_piercings(a, b, piercings);
    add_piercings(b, a, piercings);
    if (piercings.count < 2) continue;
    Vec3 from = piercings.at[0], to = piercings.at[1];
    if ((to - from).dot(normal_of(a).cross(normal_of(b))) < 0) std::swap(from, to);
    const Vec3& origin = x[static_cast<size_t>(crossings[set].a[0])];
    areas[set] += (is_turned ? -0.5 : 0.5) * (from - origin).cross(to - origin);
    lengths[set] += (to - from).norm();
  }
  for (size_t i = 0; i < crossings.size(); ++i) {
    Crossing& c = crossings[i];
    const size_t set = sets.find(i);
    const bool encloses = areas[set].norm() > kLeastArea * lengths[set] * lengths[set];
    if (encloses) {
      c.way = (c.body_a == crossings[set].body_a ? -1 : 1) * areas[set];
    } else {
      c.way = normal_of(list_corners(x, c.b)) - normal_of(list_corners(x, c.a));
    }
  }
}

}  // namespace marrow
