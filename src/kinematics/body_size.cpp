#include "kinematics/body_size.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

#include "kinematics/node_path.h"

namespace marrow {
namespace {

// A body is flat if its smallest extent is less than this part of the middle one: its faces are wide enough
// that nothing slides around them.
constexpr double kFlat = 0.1;

// Ascending.
Vec3 measure_extents(const Points& points) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& x : points) mean += x / static_cast<double>(points.size());
  Mat3 moments = Mat3::Zero();
  for (const Vec3& x : points) moments += (x - mean) * (x - mean).transpose();
  const Mat3 axes = Eigen::SelfAdjointEigenSolver<Mat3>(moments).eigenvectors();
  Eigen::AlignedBox3d box;
  for (const Vec3& x : points) box.extend(Vec3(axes.transpose() * x));
  Vec3 extents = box.sizes();
  std::sort(extents.data(), extents.data() + 3);
  return extents;
}

}  // namespace

BodySize measure_body(const Body& body, const VecX& nodes) {
  BodySize size;
  size.half_width = std::numeric_limits<double>::infinity();
  const Vec3 center = compute_mean(nodes, body.first_node, body.node_count);
  double radius = 0;  // of nodes
  for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
    radius = std::max(radius, (nodes.segment<3>(3 * i) - center).norm());
  }
  const double thickness = body.radii.empty() ? 0 : *std::max_element(body.radii.begin(), body.radii.end());
  for (const Vec3& x : body.rest.points) size.radius = std::max(size.radius, (x - center).norm());
  size.radius += thickness;
  if (radius > 0) size.node_ratio = std::max(1.0, size.radius / radius);
  const bool is_loose = body.rest.triangles.empty() && body.rest.edges.empty() && body.rest.tets.empty();
  if (body.is_obstacle() || is_loose) return size;
  const Vec3 extents = measure_extents(body.rest.points) + Vec3::Constant(2 * thickness);
  const bool is_wire = body.rest.triangles.empty() && body.rest.tets.empty();
  const bool is_flat = extents[0] < kFlat * extents[1];
  size.half_width = 0.5 * (is_wire ? extents[2] : is_flat ? extents[1] : extents[0]);
  return size;
}

}  // namespace marrow
