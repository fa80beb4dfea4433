#include "preprocess/surface_samples.h"

#include <algorithm>
#include <cmath>

#include "geometry/surface.h"

namespace marrow {
namespace {

// Numbers in [0, 1) from a counter (SplitMix64).
class Sequence {
 public:
  explicit Sequence(std::uint64_t seed) : state_(seed) {}
  double next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

Vec3 cross_of(const Points& points, const Triangle& t) {
  return (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
}

}  // namespace

double compute_surface_area(const Points& points, const std::vector<Triangle>& triangles) {
  double area = 0;
  for (const Triangle& t : triangles) area += cross_of(points, t).norm() / 2;
  return area;
}

std::vector<SurfaceSample> sample_by_area(const Points& points, const std::vector<Triangle>& triangles,
                                          int count, std::uint64_t seed) {
  std::vector<SurfaceSample> samples;
  samples.reserve(static_cast<size_t>(count) + 1);
  Sequence random(seed);
  const double share = compute_surface_area(points, triangles) / count;
  double due = share * random.next(), passed = 0;
  for (const Triangle& t : triangles) {
    const Vec3 n = cross_of(points, t);
    passed += n.norm() / 2;
    for (; due < passed; due += share) {
      const double root = std::sqrt(random.next()), split = random.next();
      const Vec3 x = (1 - root) * points[t[0]] + root * ((1 - split) * points[t[1]] + split * points[t[2]]);
      samples.push_back({x, n.normalized()});
    }
  }
  return samples;
}

Points sample_by_spacing(const Points& points, const std::vector<Triangle>& triangles, double spacing) {
  std::vector<std::uint8_t> is_used(points.size(), 0);
  for (const Triangle& t : triangles) {
    for (const Index v : t) is_used[v] = 1;
  }
  Points samples;
  for (size_t i = 0; i < points.size(); ++i) {
    if (is_used[i] != 0) samples.push_back(points[i]);
  }
  Sequence random(7);
  for (const Edge& e : unique_edges(triangles)) {
    const int pieces = static_cast<int>(std::ceil((points[e[1]] - points[e[0]]).norm() / spacing));
    for (int i = 1; i < pieces; ++i) {
      const double s = (i + 0.3 * (random.next() - 0.5)) / pieces;
      samples.push_back((1 - s) * points[e[0]] + s * points[e[1]]);
    }
  }
  // Inside a triangle: the inner points of a regular cut into pieces along its longest edge.
  for (const Triangle& t : triangles) {
    double longest = 0;
    for (int i = 0; i < 3; ++i) {
      longest = std::max(longest, (points[t[(i + 1) % 3]] - points[t[i]]).norm());
    }
    const int pieces = static_cast<int>(std::ceil(longest / spacing));
    for (int i = 1; i < pieces; ++i) {
      for (int j = 1; i + j < pieces; ++j) {
        const double u = (i + 0.3 * (random.next() - 0.5)) / pieces;
        const double v = (j + 0.3 * (random.next() - 0.5)) / pieces;
        samples.push_back((1 - u - v) * points[t[0]] + u * points[t[1]] + v * points[t[2]]);
      }
    }
  }
  return samples;
}

Mesh cut_triangles(const Points& points, const std::vector<Triangle>& triangles, double length) {
  Mesh pieces;
  pieces.points = points;
  std::vector<Triangle> left(triangles.rbegin(), triangles.rend());
  while (!left.empty()) {
    const Triangle t = left.back();
    left.pop_back();
    const auto length_of = [&](int i) {
      return (pieces.points[t[(i + 1) % 3]] - pieces.points[t[i]]).squaredNorm();
    };
    const int longest = length_of(0) >= std::max(length_of(1), length_of(2)) ? 0
                        : length_of(1) >= length_of(2)                       ? 1
                                                                             : 2;
    if (length_of(longest) <= length * length) {
      pieces.triangles.push_back(t);
      continue;
    }
    const Index a = t[longest], b = t[(longest + 1) % 3], c = t[(longest + 2) % 3];
    const auto middle = static_cast<Index>(pieces.points.size());
    pieces.points.push_back(0.5 * (pieces.points[a] + pieces.points[b]));
    left.push_back({middle, b, c});
    left.push_back({a, middle, c});
  }
  return pieces;
}

}  // namespace marrow
