#include "preprocess/volume/curve_tets.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geometry/curved/jacobian_path.h"
#include "kinematics/elements/curved_elements.h"
#include "preprocess/solids.h"
#include "preprocess/volume/tet_mesher.h"

namespace marrow {
namespace {

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
    EXPECT_EQ(find_invalid_tet(mesh), kNone);
    if (order == 1) {
      before = report.deviation;
      EXPECT_GT(before, 0.05);
      continue;
    }
    EXPECT_LT(report.deviation, 0.2 * report.straight_deviation) << order;
    double volume = 0;
    for (const TetMass& tet : compute_tet_masses(mesh, false)) volume += tet.volume;
    const double ball = 4.0 / 3 * std::numbers::pi * 0.125;
    EXPECT_NEAR(volume, ball, 0.02 * ball) << order;
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
  for (int order = 2; order <= 4; ++order) {
    CurvedTetsReport report;
    const CurvedMesh mesh = curve_tets(coarse, tree, order, report);
    EXPECT_EQ(find_invalid_tet(mesh), kNone);
    EXPECT_GE(report.least_jacobian, 0.2);
    EXPECT_LT(report.held_back, report.boundary_nodes);
    EXPECT_LE(report.deviation, report.straight_deviation);
  }
}

}  // namespace
}  // namespace marrow
