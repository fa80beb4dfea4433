#include "kinematics/elements/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "kinematics/elements/codimensional.h"
#include "mesh/mesh_summary.h"

namespace marrow {
namespace {

// ∫ 1, ∫ x and ∫ x xᵀ, taken about an origin near the body so that nothing cancels.
struct Moments {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  void add(const Moments& other) {
    volume += other.volume;
    first += other.first;
    second += other.second;
  }

  // Adds a simplex with corners x and this measure. Its moments follow from its corners and their mean.
  template <size_t N>
  void add_simplex(const std::array<Vec3, N>& x, double measure) {
    const auto n = static_cast<double>(N);
    Vec3 sum = Vec3::Zero();
    Mat3 squares = Mat3::Zero();
    for (const Vec3& corner : x) {
      sum += corner;
      squares += corner * corner.transpose();
    }
    volume += measure;
    first += measure / n * sum;
    second += measure / (n * (n + 1)) * (squares + sum * sum.transpose());
  }
};

template <size_t N>
std::array<Vec3, N> gather(const std::array<Index, N>& simplex, const Points& points, const Vec3& origin) {
  std::array<Vec3, N> x;
  for (size_t i = 0; i < N; ++i) x[i] = points[simplex[i]] - origin;
  return x;
}

// Sums the moments of the tets between the origin and the triangles, with signed volumes.
Moments compute_enclosed(const std::vector<Triangle>& triangles, const Points& points, const Vec3& origin) {
  Moments moments;
  for (const Triangle& triangle : triangles) {
    const auto x = gather(triangle, points, origin);
    moments.add_simplex(std::array<Vec3, 4>{Vec3::Zero(), x[0], x[1], x[2]},
                        compute_tet_volume(Vec3::Zero(), x[0], x[1], x[2]));
  }
  if (moments.volume >= 0) return moments;
  return {-moments.volume, -moments.first, -moments.second};
}

void add_plate(const std::array<Vec3, 3>& x, double thickness, Moments& moments) {
  const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
  const double twice_area = normal.norm();
  if (twice_area == 0) return;
  const double volume = 0.5 * twice_area * thickness;
  moments.add_simplex(x, volume);
  moments.second +=
      volume * thickness * thickness / 12 / (twice_area * twice_area) * normal * normal.transpose();
}

void add_wire(const std::array<Vec3, 2>& x, double diameter, Moments& moments) {
  const Vec3 along = x[1] - x[0];
  if (along.norm() == 0) return;
  const double volume = compute_cross_section(diameter) * along.norm();
  moments.add_simplex(x, volume);
  const Mat3 across = Mat3::Identity() - along * along.transpose() / along.squaredNorm();
  moments.second += volume * diameter * diameter / 16 * across;
}

void add_ball(const Vec3& x, double diameter, Moments& moments) {
  const double volume = std::numbers::pi / 6 * std::pow(diameter, 3);
  moments.add_simplex(std::array<Vec3, 1>{x}, volume);
  moments.second += volume * diameter * diameter / 20 * Mat3::Identity();
}

}  // namespace

bool is_closed_surface(const std::vector<Triangle>& triangles) {
  std::map<Edge, int> uses;
  for (const Triangle& triangle : triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const Index a = triangle[k], b = triangle[(k + 1) % 3];
      uses[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  for (const auto& [edge, balance] : uses) {
    if (balance != 0) return false;
  }
  return !triangles.empty();
}

namespace {

// Reorients the triangles, part by part, so that neighbours agree. Returns none unless every edge is in two
// triangles and all neighbours can agree.
std::vector<std::vector<Triangle>> orient_parts(const std::vector<Triangle>& triangles) {
  std::map<Edge, std::vector<size_t>> neighbours;
  for (size_t t = 0; t < triangles.size(); ++t) {
    for (size_t k = 0; k < 3; ++k) {
      const Index a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      neighbours[{std::min(a, b), std::max(a, b)}].push_back(t);
    }
  }
  for (const auto& [edge, around] : neighbours) {
    if (around.size() != 2) return {};
  }
  const auto runs_from = [](const Triangle& t, Index a, Index b) {
    return (t[0] == a && t[1] == b) || (t[1] == a && t[2] == b) || (t[2] == a && t[0] == b);
  };
  std::vector<Triangle> turned = triangles;
  std::vector<char> is_reached(triangles.size(), 0);
  std::vector<std::vector<Triangle>> parts;
  for (size_t seed = 0; seed < triangles.size(); ++seed) {
    if (is_reached[seed]) continue;
    std::vector<size_t> members = {seed};
    is_reached[seed] = 1;
    for (size_t m = 0; m < members.size(); ++m) {
      const Triangle triangle = turned[members[m]];
      for (size_t k = 0; k < 3; ++k) {
        const Index a = triangle[k], b = triangle[(k + 1) % 3];
        for (const size_t other : neighbours[{std::min(a, b), std::max(a, b)}]) {
          if (other == members[m]) continue;
          const bool agrees = !runs_from(turned[other], a, b);
          if (is_reached[other] && !agrees) return {};  // not orientable
          if (!agrees) std::swap(turned[other][1], turned[other][2]);
          if (!is_reached[other]) members.push_back(other);
          is_reached[other] = 1;
        }
      }
    }
    parts.emplace_back();
    for (const size_t m : members) parts.back().push_back(turned[m]);
  }
  return parts;
}

// The solids that triangles enclose; none if they are plates.
std::vector<std::vector<Triangle>> find_solids(const std::vector<Triangle>& triangles) {
  if (is_closed_surface(triangles)) return {triangles};
  return orient_parts(triangles);
}

}  // namespace

bool has_thin_parts(const Mesh& mesh) {
  const CodimensionalParts parts = find_codimensional_parts(mesh);
  const bool has_plates = !parts.triangles.empty() && find_solids(parts.triangles).empty();
  return has_plates || !parts.edges.empty() || !parts.points.empty();
}

MassProperties compute_mass_properties(const Mesh& mesh, double density, double thickness) {
  const CodimensionalParts parts = find_codimensional_parts(mesh);
  const Points& points = mesh.points;
  const Vec3 origin = points.front();
  const std::vector<std::vector<Triangle>> solids = find_solids(parts.triangles);
  Moments moments;
  for (const std::vector<Triangle>& solid : solids) moments.add(compute_enclosed(solid, points, origin));
  for (const Tet& tet : mesh.tets) {
    const auto x = gather(tet, points, origin);
    moments.add_simplex(x, compute_tet_volume(x[0], x[1], x[2], x[3]));
  }
  if (solids.empty()) {
    for (const Triangle& t : parts.triangles) add_plate(gather(t, points, origin), thickness, moments);
  }
  for (const Edge& edge : parts.edges) add_wire(gather(edge, points, origin), thickness, moments);
  for (const Index point : parts.points) add_ball(points[point] - origin, thickness, moments);

  MassProperties properties;
  properties.mass = density * moments.volume;
  properties.volume = moments.volume;
  if (!(moments.volume > 0)) return properties;
  const Vec3 mean = moments.first / moments.volume;
  properties.center = origin + mean;
  properties.second = density * (moments.second - moments.volume * mean * mean.transpose());
  return properties;
}

}  // namespace marrow
