#include "preprocess/volume/surface_samples.h"

#include <algorithm>
#include <cmath>

#include "mesh/surface.h"

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

void add_vertex_samples(const Points& points, const std::vector<Triangle>& triangles, double spacing,
                        std::vector<SpacedSample>& samples) {
  Points normals(points.size(), Vec3::Zero());
  std::vector<double> longest(points.size(), -1);  // of the edges; −1: the point is not used
  for (const Triangle& t : triangles) {
    const Vec3 n = cross_of(points, t).stableNormalized();
    for (int i = 0; i < 3; ++i) {
      const Index v = t[i];
      const Vec3 a = points[t[(i + 1) % 3]] - points[v], b = points[t[(i + 2) % 3]] - points[v];
      normals[v] += std::atan2(a.cross(b).norm(), a.dot(b)) * n;
      longest[v] = std::max({longest[v], a.norm(), b.norm()});
    }
  }
  for (size_t i = 0; i < points.size(); ++i) {
    if (longest[i] < 0) continue;
    samples.push_back({points[i], normals[i].stableNormalized(), std::min(longest[i], spacing)});
  }
}

void add_edge_samples(const Points& points, const std::vector<Triangle>& triangles, double spacing,
                      Sequence& random, std::vector<SpacedSample>& samples) {
  const std::vector<Edge> edges = unique_edges(triangles);
  Points normals(edges.size(), Vec3::Zero());
  for (const Triangle& t : triangles) {
    const Vec3 n = cross_of(points, t).stableNormalized();
    for (int i = 0; i < 3; ++i) {
      const Edge e = {std::min(t[i], t[(i + 1) % 3]), std::max(t[i], t[(i + 1) % 3])};
      normals[static_cast<size_t>(std::lower_bound(edges.begin(), edges.end(), e) - edges.begin())] += n;
    }
  }
  for (size_t k = 0; k < edges.size(); ++k) {
    const Vec3 &a = points[edges[k][0]], &b = points[edges[k][1]];
    const int pieces = static_cast<int>(std::ceil((b - a).norm() / spacing));
    for (int i = 1; i < pieces; ++i) {
      const double s = (i + 0.3 * (random.next() - 0.5)) / pieces;
      samples.push_back({(1 - s) * a + s * b, normals[k].stableNormalized(), spacing});
    }
  }
}

// Rows along a triangle's longest edge, as far apart as in a regular grid, with points spaced along them.
void add_triangle_samples(const Points& points, const std::vector<Triangle>& triangles, double spacing,
                          Sequence& random, std::vector<SpacedSample>& samples) {
  for (const Triangle& t : triangles) {
    const auto length_of = [&](int i) { return (points[t[(i + 1) % 3]] - points[t[i]]).norm(); };
    int first = 0;
    for (const int i : {1, 2}) first = length_of(i) > length_of(first) ? i : first;
    const Vec3 &a = points[t[first]], &b = points[t[(first + 1) % 3]], &c = points[t[(first + 2) % 3]];
    const Vec3 n = cross_of(points, t);
    const double longest = length_of(first), height = n.norm() / std::max(longest, 1e-300);
    const int rows = static_cast<int>(std::ceil(height / (std::sqrt(0.75) * spacing)));
    for (int j = 1; j < rows; ++j) {
      const double left = static_cast<double>(rows - j) / rows;  // of the longest edge, in this row
      const int pieces = static_cast<int>(std::ceil(left * longest / spacing));
      for (int i = 1; i < pieces; ++i) {
        const double v = (j + 0.3 * (random.next() - 0.5)) / rows;
        const double u = (1 - v) * (i + 0.3 * (random.next() - 0.5)) / pieces;
        samples.push_back({(1 - u - v) * a + u * b + v * c, n.stableNormalized(), spacing});
      }
    }
  }
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

std::vector<SpacedSample> sample_by_spacing(const Points& points, const std::vector<Triangle>& triangles,
                                            double spacing) {
  std::vector<SpacedSample> samples;
  add_vertex_samples(points, triangles, spacing, samples);
  Sequence random(7);
  add_edge_samples(points, triangles, spacing, random, samples);
  add_triangle_samples(points, triangles, spacing, random, samples);
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
