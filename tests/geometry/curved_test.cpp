#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geometry/curved/bernstein.h"
#include "geometry/curved/curved_mesh.h"
#include "geometry/curved/jacobian_path.h"
#include "geometry/curved/lagrange.h"
#include "geometry/curved/quadrature.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

Vec4 random_place(std::mt19937& random) {
  std::exponential_distribution<double> part(1);
  const Vec4 lambda(part(random), part(random), part(random), part(random));
  return lambda / lambda.sum();
}

// The determinant of ∂x/∂ξ at a place.
double compute_det(const LagrangeBasis& basis, std::span<const Vec3> nodes, const Vec4& lambda) {
  const auto gradients = basis.gradients(lambda);
  Mat3 J = Mat3::Zero();
  for (size_t k = 0; k < nodes.size(); ++k) J += nodes[k] * gradients.row(static_cast<Index>(k));
  return J.determinant();
}

Points make_noisy_tet(const LagrangeBasis& basis, double noise, std::mt19937& random) {
  std::uniform_real_distribution<double> move(-noise, noise);
  Points nodes;
  for (size_t k = 0; k < basis.size(); ++k) {
    nodes.push_back(basis.place_of(k).tail<3>() + Vec3(move(random), move(random), move(random)));
  }
  return nodes;
}

TEST(Lattice, has_gmshs_order) {
  const auto expect = [](int order, const std::vector<std::string>& words) {
    const auto lattice = list_lattice(order);
    ASSERT_EQ(lattice.size(), words.size());
    for (size_t k = 0; k < words.size(); ++k) {
      for (size_t i = 0; i < 4; ++i) EXPECT_EQ(lattice[k][i], words[k][i] - '0') << order << " " << k;
    }
  };
  expect(2, {"2000", "0200", "0020", "0002", "1100", "0110", "1010", "1001", "0011", "0101"});
  expect(3, {"3000", "0300", "0030", "0003", "2100", "1200", "0210", "0120", "1020", "2010",
             "1002", "2001", "0012", "0021", "0102", "0201", "1110", "1101", "1011", "0111"});
  expect(4, {"4000", "0400", "0040", "0004", "3100", "2200", "1300", "0310", "0220", "0130", "1030", "2020",
             "3010", "1003", "2002", "3001", "0013", "0022", "0031", "0103", "0202", "0301", "2110", "1120",
             "1210", "2101", "1201", "1102", "2011", "1012", "1021", "0112", "0211", "0121", "1111"});
  EXPECT_EQ(list_vtk_order(2), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 9, 8}));
  EXPECT_EQ(list_vtk_order(3),
            (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 10, 15, 14, 13, 12, 17, 19, 18, 16}));
}

TEST(Lagrange, is_one_at_its_node_and_sums_to_one) {
  std::mt19937 random(1);
  for (int order = 1; order <= kMostOrder; ++order) {
    const LagrangeBasis basis(order);
    EXPECT_EQ(basis.size(), static_cast<size_t>(count_lattice(order)));
    for (size_t k = 0; k < basis.size(); ++k) {
      const VecX w = basis.weights(basis.place_of(k));
      EXPECT_LT((w - VecX::Unit(w.size(), static_cast<Index>(k))).cwiseAbs().maxCoeff(), 1e-14);
    }
    for (int trial = 0; trial < 20; ++trial) {
      const Vec4 lambda = random_place(random);
      EXPECT_NEAR(basis.weights(lambda).sum(), 1, 1e-13);
      const auto gradients = basis.gradients(lambda);
      EXPECT_LT(gradients.colwise().sum().cwiseAbs().maxCoeff(), 1e-12);
      for (int j = 1; j < 4; ++j) {
        constexpr double kStep = 1e-6;
        Vec4 ahead = lambda, behind = lambda;
        ahead[j] += kStep, ahead[0] -= kStep, behind[j] -= kStep, behind[0] += kStep;
        const VecX slope = (basis.weights(ahead) - basis.weights(behind)) / (2 * kStep);
        EXPECT_LT((slope - gradients.col(j - 1)).cwiseAbs().maxCoeff(), 1e-7);
      }
    }
  }
}

TEST(TetQuadrature, integrates_all_monomials_of_its_degree) {
  for (int degree = 1; degree <= 12; ++degree) {
    const auto rule = make_tet_quadrature(degree);
    for (const LatticePoint4& a : list_lattice(degree)) {
      double sum = 0, exact = 6;  // a₀! a₁! a₂! a₃! 3!/(n + 3)!
      for (const auto& point : rule) {
        EXPECT_GT(point.weight, 0);
        EXPECT_GT(point.lambda.minCoeff(), 0);
        double value = point.weight;
        for (int i = 0; i < 4; ++i) value *= std::pow(point.lambda[i], a[static_cast<size_t>(i)]);
        sum += value;
      }
      for (const int part : a) exact *= std::tgamma(part + 1);
      exact /= std::tgamma(degree + 4);
      EXPECT_NEAR(sum, exact, 1e-13 + 1e-11 * exact) << degree;
    }
  }
}

TEST(Bernstein, coefficients_of_halves_bound_the_same_polynomial) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-1, 1);
  for (int order = 1; order <= kMostOrder; ++order) {
    const LagrangeBasis basis(order);
    VecX nodal(static_cast<Index>(basis.size()));
    for (double& x : nodal) x = value(random);
    const VecX coefficients = make_control_matrix(order) * nodal;
    for (int trial = 0; trial < 50; ++trial) {
      const double f = basis.weights(random_place(random)).dot(nodal);
      EXPECT_GE(f, coefficients.minCoeff() - 1e-12);
      EXPECT_LE(f, coefficients.maxCoeff() + 1e-12);
    }
    for (const MatX& half : make_halving_matrices(order)) {
      EXPECT_GE(half.minCoeff(), 0);
      EXPECT_EQ((half.rowwise().sum().array() - 1).abs().maxCoeff(), 0);
    }
  }
}

// At the ends of many ways, sampled determinants; every certified way must be free of inversions.
TEST(JacobianPath, never_lets_an_element_turn_over) {
  std::mt19937 random(7);
  for (int order = 1; order <= kMostOrder; ++order) {
    const LagrangeBasis basis(order);
    const JacobianPath path(order);
    int limited = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const Points start = make_noisy_tet(basis, 0.03 / (order * order), random);
      const Points move = make_noisy_tet(basis, 0.8 / order, random);
      Points direction = move;
      for (size_t k = 0; k < move.size(); ++k) direction[k] -= start[k];
      const double t = path.find_limit(start, direction, 0);
      ASSERT_GT(t, 0);
      limited += t < 1;
      double first_bad = 2;
      for (int sample = 0; sample < 400; ++sample) {
        Vec4 lambda = random_place(random);
        if (sample < 4) lambda = Vec4::Unit(sample);
        for (int k = 0; k <= 32; ++k) {
          const double s = k / 32.0;
          Points nodes = start;
          for (size_t n = 0; n < nodes.size(); ++n) nodes[n] += s * direction[n];
          if (compute_det(basis, nodes, lambda) <= 0) first_bad = std::min(first_bad, s);
        }
      }
      EXPECT_LT(t, first_bad) << order << " " << trial;
    }
    EXPECT_GT(limited, 5) << order;
  }
}

// And the limit is not much shorter than it must be.
TEST(JacobianPath, goes_nearly_as_far_as_possible) {
  std::mt19937 random(9);
  for (int order = 2; order <= kMostOrder; ++order) {
    const LagrangeBasis basis(order);
    const JacobianPath path(order);
    std::vector<double> shares;
    for (int trial = 0; trial < 30; ++trial) {
      const Points start = make_noisy_tet(basis, 0, random);
      Points direction = make_noisy_tet(basis, 0.8, random);
      for (size_t k = 0; k < start.size(); ++k) direction[k] -= start[k];
      const double t = path.find_limit(start, direction, 0);
      double first_bad = 1;
      for (int sample = 0; sample < 2000; ++sample) {
        Vec4 lambda = random_place(random);
        if (sample < 4) lambda = Vec4::Unit(sample);
        if (sample >= 4 && sample % 3 == 1) lambda[sample % 4] = 0;
        lambda /= lambda.sum();
        double low = 0, high = first_bad;
        for (int k = 0; k < 12; ++k) {  // det is positive at 0; a sign change is a bound from above
          const double s = 0.5 * (low + high);
          Points nodes = start;
          for (size_t n = 0; n < nodes.size(); ++n) nodes[n] += s * direction[n];
          (compute_det(basis, nodes, lambda) > 0 ? low : high) = s;
        }
        if (high < first_bad) first_bad = high;
      }
      shares.push_back(t / first_bad);
      EXPECT_LE(t, first_bad + 1e-3);
    }
    std::sort(shares.begin(), shares.end());
    EXPECT_GT(shares[shares.size() / 2], 0.9) << order;
  }
}

TEST(JacobianPath, keeps_a_share_and_refuses_what_is_turned_over) {
  std::mt19937 random(4);
  for (int order = 1; order <= kMostOrder; ++order) {
    const LagrangeBasis basis(order);
    const JacobianPath path(order);
    const Points start = make_noisy_tet(basis, 0, random);
    // Flattened along z: det falls as 1 − t.
    Points direction;
    for (const Vec3& x : start) direction.emplace_back(0, 0, -x.z());
    EXPECT_NEAR(path.find_limit(start, direction, 0.1), 0.9, 2e-3);
    EXPECT_NEAR(path.find_limit(start, direction, 0), 1, 2e-3);
    Points mirrored = start;
    for (Vec3& x : mirrored) x.z() = -x.z();
    EXPECT_EQ(path.find_limit(mirrored, Points(start.size(), Vec3::Zero()), 0), 0);
    const auto bounds = path.bound(start, 0);
    EXPECT_NEAR(bounds.low, 1, 1e-10);
    EXPECT_NEAR(bounds.high, 1, 1e-10);
  }
}

// Far away and rotated, the same answer.
TEST(JacobianPath, does_not_depend_on_place) {
  std::mt19937 random(11);
  const LagrangeBasis basis(3);
  const JacobianPath path(3);
  for (int trial = 0; trial < 20; ++trial) {
    Points start = make_noisy_tet(basis, 0.02, random), direction = make_noisy_tet(basis, 0.3, random);
    const double t = path.find_limit(start, direction, 0.1);
    for (Vec3& x : start) x += Vec3(1000, -2000, 500);
    EXPECT_NEAR(path.find_limit(start, direction, 0.1), t, 2e-3);
  }
}

TEST(CurvedMesh, shares_nodes_and_closes_the_boundary) {
  SphereShape shape;
  shape.resolution = 2;
  const Mesh mesh = build_shape(shape);
  for (int order = 1; order <= kMostOrder; ++order) {
    const CurvedMesh curved = raise_order(mesh.points, mesh.tets, order);
    EXPECT_EQ(curved.tet_count(), mesh.tets.size());
    const LagrangeBasis basis(order);
    for (int cells = 1; cells <= 5; ++cells) {
      const CutBoundary cut = cut_boundary(curved, cells);
      EXPECT_EQ(cut.triangles.size(), mesh.triangles.size() * static_cast<size_t>(cells * cells));
      Points points;
      for (const CurvedPlace& place : cut.points) {
        const VecX w = basis.weights(place.lambda);
        Vec3 x = Vec3::Zero();
        for (size_t k = 0; k < basis.size(); ++k) {
          x += w[static_cast<Index>(k)] *
               curved.nodes[static_cast<size_t>(curved.nodes_of(static_cast<size_t>(place.tet))[k])];
        }
        points.push_back(x);
      }
      Mesh surface;
      surface.points = points;
      surface.triangles = cut.triangles;
      EXPECT_NO_THROW(check_closed_surface(surface, "cut"));
      EXPECT_NEAR(compute_enclosed_volume(points, cut.triangles),
                  compute_enclosed_volume(mesh.points, mesh.triangles), 1e-12);
    }
  }
}

}  // namespace
}  // namespace marrow
