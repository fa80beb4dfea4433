#include "preprocess/medial/tessellate_medial.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "exec/parallel.h"
#include "geometry/medial/medial_shape.h"
#include "mesh/surface.h"
#include "preprocess/medial/simplify_medial.h"

namespace marrow {
namespace {

int count_pieces(double length, double spacing, int least) {
  return std::clamp(static_cast<int>(std::ceil(length / spacing)), least, 400);
}

// A grid of rows × columns quads; place gives a point for the two fractions. Quads become two triangles.
void add_patch(int rows, int columns, const std::function<Vec3(double, double)>& place, Mesh& mesh) {
  const Index first = static_cast<Index>(mesh.points.size());
  for (int i = 0; i <= rows; ++i) {
    for (int j = 0; j <= columns; ++j) {
      mesh.points.push_back(place(static_cast<double>(i) / rows, static_cast<double>(j) / columns));
    }
  }
  const auto at = [&](int i, int j) { return first + i * (columns + 1) + j; };
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
}

void add_sphere(const Vec3& c, double r, double spacing, Mesh& mesh) {
  const double pi = std::numbers::pi;
  const int rows = count_pieces(pi * r, spacing, 6);
  add_patch(
      rows, 2 * rows,
      [&](double u, double v) -> Vec3 {
        const double height = pi * u, angle = 2 * pi * v;
        return c + r * Vec3(std::sin(height) * std::cos(angle), std::sin(height) * std::sin(angle),
                            std::cos(height));
      },
      mesh);
}

void add_cone(const Vec4& a, const Vec4& b, double spacing, Mesh& mesh) {
  const Vec3 step = (b - a).head<3>();
  const double length = step.norm(), rise = b[3] - a[3];
  if (length <= std::abs(rise)) return;  // one ball holds the other
  const Vec3 e = step / length, side = e.unitOrthogonal(), other = e.cross(side);
  const double slope = rise / length, across = std::sqrt(1 - slope * slope);
  const double turn = 2 * std::numbers::pi;
  const int columns = count_pieces(turn * std::max(a[3], b[3]), spacing, 12);
  add_patch(
      count_pieces(length, spacing, 1), columns,
      [&](double u, double v) -> Vec3 {
        const Vec3 n = -slope * e - across * (std::cos(turn * v) * side - std::sin(turn * v) * other);
        return ((1 - u) * a + u * b).head<3>() + ((1 - u) * a[3] + u * b[3]) * n;
      },
      mesh);
}

void add_slab(const std::array<Vec4, 3>& balls, double spacing, Mesh& mesh) {
  std::array<Vec3, 2> normals;
  if (!find_slab_normals(balls, normals)) return;
  for (int side = 0; side < 2; ++side) {
    std::array<Vec3, 3> corners;
    for (int i = 0; i < 3; ++i) corners[i] = balls[i].head<3>() + balls[i][3] * normals[side];
    if (side == 1) std::swap(corners[1], corners[2]);
    const double longest = std::max({(corners[1] - corners[0]).norm(), (corners[2] - corners[1]).norm(),
                                     (corners[0] - corners[2]).norm()});
    const int n = count_pieces(longest, spacing, 1);
    // Rows run from corner 0; row i has i pieces.
    const Index first = static_cast<Index>(mesh.points.size());
    const auto at = [&](int i, int j) { return first + i * (i + 1) / 2 + j; };
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= i; ++j) {
        const double u = static_cast<double>(i - j) / n, v = static_cast<double>(j) / n;
        mesh.points.push_back((1 - u - v) * corners[0] + u * corners[1] + v * corners[2]);
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        if (j < i) mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
}

}  // namespace

Mesh tessellate_primitives(const Mesh& medial, double spacing) {
  const auto ball = [&](Index i) -> Vec4 {
    Vec4 q;
    q << medial.points[i], medial.radii[i];
    return q;
  };
  Mesh mesh;
  for (size_t i = 0; i < medial.points.size(); ++i)
    add_sphere(medial.points[i], medial.radii[i], spacing, mesh);
  std::vector<Edge> edges = medial.edges;
  for (Edge& e : edges) std::sort(e.begin(), e.end());
  const std::vector<Edge> sides = unique_edges(medial.triangles);
  edges.insert(edges.end(), sides.begin(), sides.end());
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const Edge& e : edges) add_cone(ball(e[0]), ball(e[1]), spacing, mesh);
  for (const Triangle& t : medial.triangles) add_slab({ball(t[0]), ball(t[1]), ball(t[2])}, spacing, mesh);
  return mesh;
}

Mesh tessellate_medial(const Mesh& medial, double spacing) {
  const Mesh all = tessellate_primitives(medial, spacing);
  const MedialShape shape(medial);
  std::vector<std::uint8_t> is_outer(all.triangles.size(), 0);
  exec::parallel_for("medial.tessellate", all.triangles.size(), [&](size_t t) {
    const Triangle& v = all.triangles[t];
    const Vec3 center = (all.points[v[0]] + all.points[v[1]] + all.points[v[2]]) / 3;
    // The chord of a curved piece lies a little below the surface.
    double edge2 = 0;
    for (int i = 0; i < 3; ++i) {
      edge2 = std::max(edge2, (all.points[v[i]] - all.points[v[(i + 1) % 3]]).squaredNorm());
    }
    is_outer[t] = shape.is_below(center, -0.1 * std::sqrt(edge2)) ? 0 : 1;
  });
  Mesh outer;
  std::vector<Index> numbers(all.points.size(), kNone);
  for (size_t t = 0; t < all.triangles.size(); ++t) {
    if (is_outer[t] == 0) continue;
    Triangle kept = all.triangles[t];
    for (Index& v : kept) {
      if (numbers[v] == kNone) {
        numbers[v] = static_cast<Index>(outer.points.size());
        outer.points.push_back(all.points[v]);
      }
      v = numbers[v];
    }
    outer.triangles.push_back(kept);
  }
  return outer;
}

}  // namespace marrow
