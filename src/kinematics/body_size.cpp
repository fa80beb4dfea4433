#include "kinematics/body_size.h"

#include <algorithm>
#include <limits>

#include "kinematics/node_path.h"

namespace marrow {
namespace {

// A body is flat if its smallest extent is less than this fraction of the middle one: its faces are wide
// enough that nothing slides around them.
constexpr double kFlat = 0.1;

// The most triangles that are tried for the directions of the extents.
constexpr size_t kTriedTriangles = 64;

// Evenly chosen triangles of the body, or faces of its tets if it has no triangles.
std::vector<Triangle> sample_triangles(const Mesh& mesh) {
  std::vector<Triangle> some;
  const size_t count = mesh.triangles.empty() ? mesh.tets.size() : mesh.triangles.size();
  const size_t stride = std::max<size_t>(1, count / kTriedTriangles);
  for (size_t k = 0; k < count; k += stride) {
    if (!mesh.triangles.empty()) {
      some.push_back(mesh.triangles[k]);
    } else {
      const Tet& t = mesh.tets[k];
      some.insert(some.end(), {Triangle{t[0], t[1], t[2]}, Triangle{t[0], t[2], t[3]}});
    }
  }
  return some;
}

double measure_along(const Points& points, const Vec3& axis) {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const Vec3& x : points) {
    least = std::min(least, axis.dot(x));
    most = std::max(most, axis.dot(x));
  }
  return most - least;
}

// The smallest width of the body along the normal of a face, and the smallest width across that normal and an
// edge. These directions turn with the body; its principal axes would not if they are not unique.
struct Extents {
  double width = std::numeric_limits<double>::infinity();
  double across = std::numeric_limits<double>::infinity();
};

Extents measure_extents(const Mesh& mesh) {
  Extents extents;
  Vec3 axis = Vec3::UnitY();
  const std::vector<Triangle> triangles = sample_triangles(mesh);
  const auto edge = [&](const Triangle& t, size_t k) -> Vec3 {
    return mesh.points[t[(k + 1) % 3]] - mesh.points[t[k]];
  };
  for (const Triangle& t : triangles) {
    const Vec3 normal = edge(t, 0).cross(edge(t, 1)).stableNormalized();
    if (normal.isZero(0)) continue;
    const double width = measure_along(mesh.points, normal);
    if (!(width < extents.width)) continue;
    extents.width = width;
    axis = normal;
  }
  for (const Triangle& t : triangles) {
    for (size_t k = 0; k < 3; ++k) {
      const Vec3 side = axis.cross(edge(t, k)).stableNormalized();
      if (!side.isZero(0)) extents.across = std::min(extents.across, measure_along(mesh.points, side));
    }
  }
  return extents;
}

}  // namespace

BodySize measure_body(const Body& body, const VecX& nodes) {
  BodySize size;
  size.half_width = std::numeric_limits<double>::infinity();
  const Vec3 center = compute_mean(nodes, body.first_node, body.node_count);
  double radius = 0;  // of the farthest node
  for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
    radius = std::max(radius, (nodes.segment<3>(3 * i) - center).norm());
  }
  const double thickness = body.radii.empty() ? 0 : *std::max_element(body.radii.begin(), body.radii.end());
  for (const Vec3& x : body.rest.points) size.radius = std::max(size.radius, (x - center).norm());
  size.radius += thickness;
  if (radius > 0) size.node_ratio = std::max(1.0, size.radius / radius);
  const bool is_loose = body.rest.triangles.empty() && body.rest.edges.empty() && body.rest.tets.empty();
  if (body.is_obstacle() || is_loose) return size;
  const bool is_wire = body.rest.triangles.empty() && body.rest.tets.empty();
  if (is_wire) {
    size.half_width = size.radius;
    return size;
  }
  const Extents extents = measure_extents(body.rest);
  const bool is_flat = extents.width + 2 * thickness < kFlat * extents.across;
  size.half_width = 0.5 * (is_flat ? extents.across : extents.width) + thickness;
  return size;
}

}  // namespace marrow
