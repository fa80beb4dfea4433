#include "output/gltf/part.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <map>

namespace marrow {
namespace {

// The parts of one mode, one per body that has any of these simplices.
template <class Simplex>
void add_parts(std::vector<GltfPart>& parts, GltfMode mode, const std::vector<Simplex>& simplices,
               const std::vector<Index>& body_of, size_t body_count) {
  std::vector<GltfPart> by_body(body_count);
  std::vector<Index> vertex_of(body_of.size(), kNone);
  for (const Simplex& simplex : simplices) {
    const auto body = static_cast<size_t>(body_of[static_cast<size_t>(simplex[0])]);
    GltfPart& part = by_body[body];
    part.body = static_cast<Index>(body);
    part.mode = mode;
    for (const Index point : simplex) {
      Index& vertex = vertex_of[static_cast<size_t>(point)];
      if (vertex == kNone) {
        vertex = static_cast<Index>(part.points.size());
        part.points.push_back(point);
      }
      part.corners.push_back(static_cast<std::uint32_t>(vertex));
    }
  }
  for (GltfPart& part : by_body) {
    part.ranges = {{kNone, 0, part.corners.size()}};
    if (!part.points.empty()) parts.push_back(std::move(part));
  }
}

// Gives the vertices of a body's triangles its texture coordinates; a point with several gets a vertex for
// each.
void add_texture(const OutputTexture& texture, GltfPart& part) {
  if (3 * texture.corners.size() != part.corners.size()) return;
  std::map<std::pair<Index, Index>, std::uint32_t> vertices;  // by point and texture point
  const std::vector<Index> points = std::move(part.points);
  part.points.clear();
  for (size_t c = 0; c < part.corners.size(); ++c) {
    const Index point = points[part.corners[c]], at = texture.corners[c / 3][c % 3];
    const auto [known, is_new] =
        vertices.emplace(std::pair(point, at), static_cast<std::uint32_t>(part.points.size()));
    part.corners[c] = known->second;
    if (!is_new) continue;
    part.points.push_back(point);
    if (at == kNone) {
      part.texture.push_back({0, 0});
    } else {
      const auto& [u, v] = texture.points[static_cast<size_t>(at)];
      part.texture.push_back({static_cast<float>(u), static_cast<float>(1 - v)});
    }
  }
}

// Puts triangles of the same material next to each other.
void sort_by_material(const OutputTexture& texture, GltfPart& part) {
  if (3 * texture.material_of.size() != part.corners.size()) return;
  std::vector<std::uint32_t> sorted;
  part.ranges.clear();
  for (Index material = kNone; material < static_cast<Index>(texture.materials.size()); ++material) {
    GltfRange range{material, sorted.size(), 0};
    for (size_t t = 0; t < texture.material_of.size(); ++t) {
      if (texture.material_of[t] != material) continue;
      const auto corner = part.corners.begin() + static_cast<std::ptrdiff_t>(3 * t);
      sorted.insert(sorted.end(), corner, corner + 3);
    }
    range.count = sorted.size() - range.first;
    if (range.count > 0) part.ranges.push_back(range);
  }
  part.corners = std::move(sorted);
}

// For each vertex the first one of the same point.
std::vector<size_t> find_first_vertices(const GltfPart& part) {
  std::vector<size_t> first(part.points.size());
  std::map<Index, size_t> known;
  for (size_t v = 0; v < first.size(); ++v) {
    first[v] = part.texture.empty() ? v : known.emplace(part.points[v], v).first->second;
  }
  return first;
}

}  // namespace

std::vector<GltfPart> build_parts(const OutputTopology& topology) {
  const std::vector<Index> body_of = compute_body_of_points(topology);
  std::vector<std::array<Index, 1>> loose;
  for (const Index point : find_loose_points(topology)) loose.push_back({point});
  std::vector<GltfPart> parts;
  add_parts(parts, GltfMode::Triangles, topology.triangles, body_of, topology.bodies.size());
  for (GltfPart& part : parts) {
    const auto& texture = topology.bodies[static_cast<size_t>(part.body)].texture;
    if (!texture) continue;
    add_texture(*texture, part);
    sort_by_material(*texture, part);
  }
  add_parts(parts, GltfMode::Lines, topology.edges, body_of, topology.bodies.size());
  add_parts(parts, GltfMode::Vertices, loose, body_of, topology.bodies.size());
  std::stable_sort(parts.begin(), parts.end(),
                   [](const GltfPart& a, const GltfPart& b) { return a.body < b.body; });
  return parts;
}

std::vector<Vec3f> compute_positions(const GltfPart& part, const Points& points, const Points& origins) {
  std::vector<Vec3f> positions;
  positions.reserve(part.points.size());
  for (const Index id : part.points) {
    const auto point = static_cast<size_t>(id);
    positions.push_back(
        (origins.empty() ? points[point] : Vec3(points[point] - origins[point])).cast<float>());
  }
  return positions;
}

std::vector<Vec3f> compute_normals(const GltfPart& part, const Points& points) {
  // Vertices of one point share a normal: a seam of the texture is no edge.
  const std::vector<size_t> first = find_first_vertices(part);
  Points sums(part.points.size(), Vec3::Zero());
  for (size_t i = 0; i + 2 < part.corners.size(); i += 3) {
    const std::array<size_t, 3> corner = {part.corners[i], part.corners[i + 1], part.corners[i + 2]};
    const auto at = [&](int k) {
      return points[static_cast<size_t>(part.points[corner[static_cast<size_t>(k)]])];
    };
    const Vec3 twice_area = (at(1) - at(0)).cross(at(2) - at(0));
    for (const size_t vertex : corner) sums[first[vertex]] += twice_area;
  }
  for (size_t v = 0; v < sums.size(); ++v) sums[v] = sums[first[v]];
  std::vector<Vec3f> normals;
  normals.reserve(sums.size());
  for (const Vec3& sum : sums) {
    const double length = sum.stableNorm();
    normals.push_back((length > 0 ? Vec3(sum / length) : Vec3::UnitY()).cast<float>());
  }
  return normals;
}

}  // namespace marrow
