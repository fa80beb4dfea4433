// Places of points in curved tets, and the weights by which points follow them.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "geometry/curved/inverse_map.h"
#include "geometry/curved/jacobian_path.h"
#include "geometry/curved/place_points.h"
#include "geometry/distance/nearest_point.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

Vec4 pick_place(std::mt19937& random) {
  std::exponential_distribution<double> part(1);
  const Vec4 lambda(part(random), part(random), part(random), part(random));
  return lambda / lambda.sum();
}

Vec3 pick_point(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> at(-reach, reach);
  return {at(random), at(random), at(random)};
}

// A tet of noisy nodes that does not turn over.
Points bend_tet(const LagrangeBasis& basis, double noise, std::mt19937& random) {
  const JacobianPath path(basis.order());
  for (;;) {
    Points nodes;
    for (size_t k = 0; k < basis.size(); ++k)
      nodes.push_back(basis.place_of(k).tail<3>() + pick_point(random, noise));
    if (path.bound(nodes, 2).low > 0.05) return nodes;
  }
}

Vec3 evaluate(const LagrangeBasis& basis, const Points& nodes, const Vec4& lambda) {
  const VecX w = basis.weights(lambda);
  Vec3 x = Vec3::Zero();
  for (size_t k = 0; k < nodes.size(); ++k) x += w[static_cast<Index>(k)] * nodes[k];
  return x;
}

class InverseMaps : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, InverseMaps, testing::Values(1, 2, 3, 4));

TEST_P(InverseMaps, find_points_of_bent_tets_and_certify_them) {
  std::mt19937 random(5);
  const InverseMap map(GetParam());
  for (int trial = 0; trial < 60; ++trial) {
    const Points nodes = bend_tet(map.basis(), 0.12 / GetParam(), random);
    for (int i = 0; i < 20; ++i) {
      const Vec4 lambda = pick_place(random);
      const InverseMap::Place place = map.find(nodes, evaluate(map.basis(), nodes, lambda));
      EXPECT_TRUE(place.is_inside);
      EXPECT_LT((place.lambda - lambda).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

TEST_P(InverseMaps, find_the_nearest_place_for_points_outside) {
  std::mt19937 random(6);
  const InverseMap map(GetParam());
  const LagrangeBasis samples(16);
  for (int trial = 0; trial < 20; ++trial) {
    const Points nodes = bend_tet(map.basis(), 0.12 / GetParam(), random);
    Points places;
    for (size_t k = 0; k < samples.size(); ++k)
      places.push_back(evaluate(map.basis(), nodes, samples.place_of(k)));
    for (int i = 0; i < 20; ++i) {
      const Vec3 y = Vec3::Constant(0.25) + pick_point(random, 1);
      double least = 10;
      for (const Vec3& x : places) least = std::min(least, (x - y).norm());
      const InverseMap::Place place = map.find(nodes, y);
      EXPECT_LE(place.distance, least + 1e-12);
      EXPECT_GE(place.lambda.minCoeff(), 0);
      EXPECT_NEAR((place.point - y).norm(), place.distance, 1e-12);
      if (least > 0.2) {
        EXPECT_FALSE(place.is_inside);
      }
    }
  }
}

TEST(NearestPoint, of_a_tet_is_the_nearest_of_its_sampled_points) {
  std::mt19937 random(7);
  const LagrangeBasis samples(12);
  for (int trial = 0; trial < 200; ++trial) {
    std::array<Vec3, 4> tet;
    for (Vec3& x : tet) x = pick_point(random, 1);
    const Vec3 y = pick_point(random, 1.5);
    const auto at = [&](const Vec4& w) {
      return Vec3(w[0] * tet[0] + w[1] * tet[1] + w[2] * tet[2] + w[3] * tet[3]);
    };
    double least = 10;
    for (size_t k = 0; k < samples.size(); ++k) least = std::min(least, (at(samples.place_of(k)) - y).norm());
    const Vec4 nearest = find_nearest_weights(y, tet);
    EXPECT_GE(nearest.minCoeff(), 0);
    EXPECT_NEAR(nearest.sum(), 1, 1e-12);
    EXPECT_LE((at(nearest) - y).norm(), least + 1e-9);
    EXPECT_GE((at(nearest) - y).norm(), least - 0.35);
  }
}

// Points in and around a block whose tets are bent, by their nodes and as straight tets.
TEST_P(InverseMaps, weights_of_points_sum_to_one_and_affine_motions_are_exact) {
  std::mt19937 random(8);
  const Mesh block = build_shape(BoxShape{.size = {2, 1, 1}, .cells_x = 2, .cells_y = 1, .cells_z = 1});
  const LagrangeBasis basis(GetParam());
  Mat3 A;
  A << 1.2, 0.1, 0, -0.2, 0.9, 0.3, 0.1, 0, 1.1;
  for (const bool is_straight : {true, false}) {
    CurvedMesh mesh = raise_order(block.points, block.tets, GetParam());
    if (!is_straight) {
      for (Vec3& x : mesh.nodes) x.y() += 0.1 * std::sin(2 * x.x());
    }
    Points points;
    for (int i = 0; i < 200; ++i) points.push_back(pick_point(random, 1.3));
    const std::vector<PointPlace> places = place_points(points, mesh, is_straight);
    int outside = 0;
    for (size_t i = 0; i < points.size(); ++i) {
      const std::span<const Index> nodes = mesh.nodes_of(static_cast<size_t>(places[i].tet));
      const VecX w = weigh_place(basis, places[i]);
      Vec3 x = Vec3::Zero(), moved = Vec3::Zero();
      for (size_t k = 0; k < nodes.size(); ++k) {
        const Vec3& n = mesh.nodes[static_cast<size_t>(nodes[k])];
        x += w[static_cast<Index>(k)] * n;
        moved += w[static_cast<Index>(k)] * (A * n + Vec3(1, 2, 3));
      }
      EXPECT_NEAR(w.sum(), 1, 1e-10);
      EXPECT_LT((x - points[i]).norm(), 1e-9);
      EXPECT_LT((moved - (A * points[i] + Vec3(1, 2, 3))).norm(), 1e-8);
      // Outside exactly where the block's own box says so.
      const Vec3& y = points[i];
      const double shift = is_straight || GetParam() == 1 ? 0 : 0.1 * std::sin(2 * y.x());
      const double beyond =
          std::max({std::abs(y.x()) - 1, std::abs(y.y() - shift) - 0.5, std::abs(y.z()) - 0.5});
      if (is_straight && beyond > 1e-9) {
        const Vec3 over = (y.cwiseAbs() - Vec3(1, 0.5, 0.5)).cwiseMax(0);
        EXPECT_NEAR(places[i].distance, over.norm(), 1e-9);
        ++outside;
      }
      if (is_straight && beyond < -1e-9) {
        EXPECT_EQ(places[i].distance, 0);
      }
    }
    if (is_straight) {
      EXPECT_GT(outside, 50);
    }
  }
}

}  // namespace
}  // namespace marrow
