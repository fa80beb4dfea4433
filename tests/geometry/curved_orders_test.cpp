// Curved meshes with nodes of another order, and the bound on the distance between the triangles that collide
// and the curved surface.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <numbers>
#include <random>

#include "geometry/curved/mesh_order.h"
#include "geometry/curved/quadrature.h"
#include "geometry/curved/surface_deviation.h"
#include "geometry/curved_ball.h"

namespace marrow {
namespace {

Vec3 place_in(const CurvedMesh& mesh, size_t tet, const Vec4& lambda) {
  const VecX w = LagrangeBasis(mesh.order).weights(lambda);
  Vec3 x = Vec3::Zero();
  const std::span<const Index> nodes = mesh.nodes_of(tet);
  for (size_t k = 0; k < nodes.size(); ++k) {
    x += w[static_cast<Index>(k)] * mesh.nodes[static_cast<size_t>(nodes[k])];
  }
  return x;
}

double volume_of(const CurvedMesh& mesh) {
  const LagrangeBasis basis(mesh.order);
  double volume = 0;
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    for (const QuadraturePoint& point : make_tet_quadrature(12)) {
      const auto gradients = basis.gradients(point.lambda);
      Mat3 J = Mat3::Zero();
      for (size_t k = 0; k < basis.size(); ++k) {
        J += mesh.nodes[static_cast<size_t>(mesh.nodes_of(t)[k])] * gradients.row(static_cast<Index>(k));
      }
      volume += point.weight * J.determinant() / 6;
    }
  }
  return volume;
}

Vec4 draw_place(std::mt19937& random) {
  std::exponential_distribution<double> part(1);
  const Vec4 lambda(part(random), part(random), part(random), part(random));
  return lambda / lambda.sum();
}

}  // namespace

TEST(ChangedOrder, a_higher_order_has_the_same_tets) {
  std::mt19937 random(3);
  for (int from = 1; from <= 4; ++from) {
    const CurvedMesh mesh = test::make_curved_ball(from);
    for (int to = from; to <= 4; ++to) {
      const CurvedMesh changed = change_order(mesh, to);
      EXPECT_EQ(changed.order, to);
      EXPECT_EQ(changed.nodes.size(), test::make_curved_ball(to).nodes.size());  // shared by neighbours
      EXPECT_EQ(find_torn_tets(changed)[0], kNone);
      for (int sample = 0; sample < 50; ++sample) {
        const size_t t = random() % mesh.tet_count();
        const Vec4 lambda = draw_place(random);
        EXPECT_LE((place_in(changed, t, lambda) - place_in(mesh, t, lambda)).norm(), 1e-14);
      }
    }
  }
}

TEST(ChangedOrder, a_lower_order_interpolates) {
  const CurvedMesh ball = test::make_curved_ball(4);
  const double exact = volume_of(ball);
  double before = 1e300;
  for (int order = 1; order <= 3; ++order) {
    const CurvedMesh changed = change_order(ball, order);
    const LagrangeBasis basis(order);
    for (size_t t = 0; t < ball.tet_count(); ++t) {
      for (size_t k = 0; k < basis.size(); ++k) {
        const Vec3& node = changed.nodes[static_cast<size_t>(changed.nodes_of(t)[k])];
        EXPECT_LE((node - place_in(ball, t, basis.place_of(k))).norm(), 1e-14);
      }
    }
    const double error = std::abs(volume_of(changed) - exact);
    EXPECT_LT(error, 0.7 * before);
    before = error;
  }
  EXPECT_NEAR(volume_of(change_order(ball, 1)), 4.0 / 3, 1e-14);  // the octahedron
  EXPECT_NEAR(exact, 4 * std::numbers::pi / 3, 0.1);
}

TEST(ChangedOrder, leaves_out_unused_nodes_and_finds_torn_tets) {
  CurvedMesh mesh = test::make_curved_ball(3);
  const size_t used = mesh.nodes.size();
  mesh.nodes.insert(mesh.nodes.begin(), Vec3(9, 9, 9));
  for (Index& node : mesh.tets) ++node;
  const CurvedMesh changed = change_order(mesh, 3);
  EXPECT_EQ(changed.nodes.size(), used);
  EXPECT_NEAR(volume_of(changed), volume_of(mesh), 1e-14);
  // Another node at the same place: the tets are apart there.
  const size_t last = mesh.tet_count() - 1;
  Index& node = mesh.tets[last * 20 + 4];  // on the edge from the centre to a corner
  mesh.nodes.push_back(mesh.nodes[static_cast<size_t>(node)]);
  node = static_cast<Index>(mesh.nodes.size()) - 1;
  EXPECT_EQ(find_torn_tets(mesh)[1], static_cast<Index>(last));
}

TEST(SurfaceDeviation, bounds_the_distance_and_falls_with_the_square_of_the_cells) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> move(-0.1, 0.1);
  for (int order = 2; order <= 4; ++order) {
    CurvedMesh mesh = test::make_curved_ball(order);
    for (Vec3& x : mesh.nodes) x += Vec3(move(random), move(random), move(random));
    for (const int cells : {1, 2, 4, 8}) {
      const double bound = bound_surface_deviation(mesh, cells);
      const CutBoundary cut = cut_boundary(mesh, cells);
      double farthest = 0;
      for (const Triangle& triangle : cut.triangles) {
        std::array<Vec4, 3> lambdas;
        std::array<Vec3, 3> corners;
        const CurvedPlace& first = cut.points[static_cast<size_t>(triangle[0])];
        bool is_one_tet = true;  // points on edges may be listed by a neighbour
        for (size_t c = 0; c < 3; ++c) {
          const CurvedPlace& place = cut.points[static_cast<size_t>(triangle[c])];
          is_one_tet = is_one_tet && place.tet == first.tet;
          lambdas[c] = place.lambda;
          corners[c] = place_in(mesh, static_cast<size_t>(place.tet), place.lambda);
        }
        for (int sample = 0; is_one_tet && sample < 20; ++sample) {
          Vec4 share = draw_place(random);
          share /= share.head<3>().sum();
          Vec4 lambda = Vec4::Zero();
          Vec3 flat = Vec3::Zero();
          for (size_t c = 0; c < 3; ++c) {
            lambda += share[static_cast<Index>(c)] * lambdas[c];
            flat += share[static_cast<Index>(c)] * corners[c];
          }
          farthest =
              std::max(farthest, (place_in(mesh, static_cast<size_t>(first.tet), lambda) - flat).norm());
        }
      }
      EXPECT_LE(farthest, bound) << order << " " << cells;
      EXPECT_GE(farthest, 0.2 * bound) << order << " " << cells;  // it is not far from the truth
      if (cells == 8) {
        EXPECT_NEAR(bound_surface_deviation(mesh, 16) / bound, 0.25, 0.05);
        EXPECT_EQ(choose_surface_cells(mesh, bound, 1, 64), 8);
        EXPECT_EQ(choose_surface_cells(mesh, bound, 12, 64), 12);
        EXPECT_EQ(choose_surface_cells(mesh, bound, 1, 7), 0);
      }
    }
  }
}

TEST(SurfaceDeviation, of_straight_tets_is_rounding) {
  const CurvedMesh straight = change_order(test::make_curved_ball(1), 4);
  EXPECT_LE(bound_surface_deviation(straight, 1), 1e-14);
  EXPECT_EQ(bound_surface_deviation(test::make_curved_ball(1), 1), 0);
}

}  // namespace marrow
