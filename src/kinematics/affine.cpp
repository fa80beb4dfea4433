#include <Eigen/Eigenvalues>
#include <cmath>

#include "kinematics/body.h"

namespace marrow {
namespace {

// Along every axis a body counts as at least this fraction of its widest axis wide. Otherwise the distances
// of its nodes, and the mass that resists flattening, would vanish.
constexpr double kThinnest = 1e-4;

// Principal axes as columns, and the radius of gyration along each.
struct PrincipalFrame {
  Mat3 axes = Mat3::Identity();
  Vec3 lengths = Vec3::Ones();
};

PrincipalFrame compute_frame(const MassProperties& properties) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(properties.second / properties.mass);
  PrincipalFrame frame;
  frame.axes = eigen.eigenvectors();
  if (frame.axes.determinant() < 0) frame.axes.col(0) *= -1;
  frame.lengths = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
  frame.lengths = frame.lengths.cwiseMax(kThinnest * frame.lengths.maxCoeff());
  return frame;
}

}  // namespace

Eigen::Matrix<double, 3, 4> list_tetrahedron() {
  const double s = 1 / std::sqrt(3.0);
  Eigen::Matrix<double, 3, 4> corners;
  corners << s, s, -s, -s, s, -s, s, -s, s, -s, -s, s;
  return corners;
}

Points add_four_points(Body body, const MassProperties& properties, Kinematics& kinematics) {
  const PrincipalFrame frame = compute_frame(properties);
  const Eigen::Matrix<double, 3, 4> corners = list_tetrahedron();
  Points nodes;
  for (Index k = 0; k < 4; ++k) {
    const Vec3 u = corners.col(k);
    nodes.push_back(properties.center + frame.axes * (std::sqrt(3.0) * frame.lengths.cwiseProduct(u)));
  }
  std::vector<Triplet> weights, masses;
  for (size_t i = 0; i < body.rest.points.size(); ++i) {
    const Vec3 y = (frame.axes.transpose() * (body.rest.points[i] - properties.center))
                       .cwiseQuotient(std::sqrt(3.0) * frame.lengths);
    for (Index k = 0; k < 4; ++k) {
      weights.push_back({static_cast<Index>(i), k, 0.25 + 0.75 * corners.col(k).dot(y)});
    }
  }
  for (Index k = 0; k < 4; ++k) masses.push_back({k, k, properties.mass / 4});
  body.W = build_scalar_matrix(static_cast<Index>(body.rest.points.size()), 4, weights);
  body.mass = build_scalar_matrix(4, 4, masses);
  append_body(std::move(body), kinematics);
  return nodes;
}

Points add_affine_body(const std::string& name, Mesh surface, const MassProperties& properties,
                       Index material, Kinematics& kinematics) {
  Body body;
  body.name = name;
  body.kind = BodyKind::Affine;
  body.rest = std::move(surface);
  const Index first = kinematics.node_count;
  Points nodes = add_four_points(std::move(body), properties, kinematics);
  // The only element is the tetrahedron of the nodes, with the volume of the whole body.
  add_tet_elements(nodes, {Tet{0, 1, 2, 3}}, build_identity(4), first, material, kinematics.elements);
  kinematics.elements.volumes.back() = properties.volume;
  kinematics.affine_elements.push_back(kinematics.elements.count() - 1);
  return nodes;
}

}  // namespace marrow
