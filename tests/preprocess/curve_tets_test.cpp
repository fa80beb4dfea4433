#include "preprocess/volume/curve_tets.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "geometry/curved/jacobian_path.h"
#include "geometry/curved/quadrature.h"
#include "preprocess/solids.h"
#include "preprocess/volume/tet_mesher.h"

namespace marrow {
namespace {

std::vector<Vec3> gather(const CurvedMesh& mesh, size_t tet) {
  std::vector<Vec3> nodes;
  for (const Index node : mesh.nodes_of(tet)) nodes.push_back(mesh.nodes[static_cast<size_t>(node)]);
  return nodes;
}

// Whether every tet is positive everywhere, by bounds.
bool is_valid(const CurvedMesh& mesh) {
  const JacobianPath path(mesh.order);
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    if (!(path.bound(gather(mesh, t), 3).low > 0)) return false;
  }
  return true;
}

double compute_volume(const CurvedMesh& mesh) {
  const LagrangeBasis basis(mesh.order);
  double volume = 0;
  for (const QuadraturePoint& q : make_tet_quadrature(3 * (mesh.order - 1))) {
    const auto gradients = basis.gradients(q.lambda);
    for (size_t t = 0; t < mesh.tet_count(); ++t) {
      const std::vector<Vec3> nodes = gather(mesh, t);
      Mat3 J = Mat3::Zero();
      for (size_t k = 0; k < nodes.size(); ++k) J += nodes[k] * gradients.row(static_cast<Index>(k));
      volume += q.weight * J.determinant() / 6;
    }
  }
  return volume;
}

// A coarse ball whose boundary goes to a fine one.
TEST(CurveTets, follow_the_true_surface_better_with_every_order) {
  const Mesh fine = make_surface(SphereShape{.radius = 0.5, .resolution = 16});
  const TriangleTree tree(fine.points, fine.triangles);
  const Mesh coarse = build_shape(SphereShape{.radius = 0.5, .resolution = 1});
  double before = 1;
  for (int order = 1; order <= 4; ++order) {
    CurvedTetsReport report;
    const CurvedMesh mesh = curve_tets(coarse, tree, order, report);
    EXPECT_EQ(report.held_back, 0u);
    EXPECT_GE(report.least_jacobian, 0.2);
    EXPECT_TRUE(is_valid(mesh));
    if (order == 1) {
      before = report.deviation;
      EXPECT_GT(before, 0.05);
      continue;
    }
    EXPECT_LT(report.deviation, 0.2 * report.straight_deviation) << order;
    const double ball = 4.0 / 3 * std::numbers::pi * 0.125;
    EXPECT_NEAR(compute_volume(mesh), ball, 0.02 * ball) << order;
    EXPECT_LE(report.deviation, before);
    before = 1.5 * report.deviation;  // the fine ball has facets of its own
  }
}

// Sharp ears, where the boundary cannot go all the way without tets turning over.
TEST(CurveTets, are_valid_where_the_surface_is_too_bent_for_them) {
  const Mesh torus = make_surface(TorusShape{.ring_radius = 0.3, .tube_radius = 0.1});
  const TriangleTree tree(torus.points, torus.triangles);
  TetMesherOptions options;
  options.size = 0.25;
  options.deviation = 0.08;
  const Mesh coarse = mesh_solid(torus, "torus", options);
  for (int order = 2; order <= 3; ++order) {
    CurvedTetsReport report;
    const CurvedMesh mesh = curve_tets(coarse, tree, order, report);
    EXPECT_TRUE(is_valid(mesh));
    EXPECT_GE(report.least_jacobian, 0.2);
    EXPECT_LT(report.held_back, report.boundary_nodes);
    EXPECT_LE(report.deviation, report.straight_deviation);
  }
}

}  // namespace
}  // namespace marrow
