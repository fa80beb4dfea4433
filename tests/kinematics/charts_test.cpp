// The charts of rigid bodies: derivatives by finite differences, and ways that stay rigid.
#include "kinematics/charts.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

#include "math/rotation.h"

namespace marrow {
namespace {

// A soft tet, a rigid tet, another rigid one; a quadratic energy that couples all nodes.
struct Trio {
  Kinematics kinematics;
  VecX n;
  MatX K;
  VecX target;

  Trio() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
    Mesh tet;
    tet.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tet.tets = {{0, 1, 2, 3}};
    const MassProperties properties = compute_mass_properties(tet, 1000, 0);
    Points all = add_soft_body("soft", tet, 1000, MassKind::Lumped, 0, kinematics);
    for (const char* name : {"one", "two"}) {
      const Points nodes = add_rigid_body(name, tet, properties, kinematics);
      all.insert(all.end(), nodes.begin(), nodes.end());
    }
    n.resize(36);
    for (Index i = 0; i < 12; ++i) n.segment<3>(3 * i) = all[i];
    MatX A(36, 36);
    for (Index i = 0; i < 36; ++i) {
      for (Index j = 0; j < 36; ++j) A(i, j) = uniform(random);
    }
    K = A.transpose() * A / 36;
    target.resize(36);
    for (Index i = 0; i < 12; ++i) target.segment<3>(3 * i) = all[i] + 0.3 * vector();
  }

  double value(const VecX& at) const { return 0.5 * (at - target).dot(K * (at - target)); }
  VecX gradient(const VecX& at) const { return K * (at - target); }

  BlockMatrix hessian() const {
    BlockMatrix H;
    H.pattern.column_offsets = {0};
    H.pattern.version = 1;
    for (Index j = 0; j < 12; ++j) {
      for (Index i = j; i < 12; ++i) {
        H.pattern.rows.push_back(i);
        H.blocks.push_back(K.block<3, 3>(3 * i, 3 * j));
      }
      H.pattern.column_offsets.push_back(static_cast<Index>(H.pattern.rows.size()));
    }
    return H;
  }
};

}  // namespace

TEST(Charts, soft_nodes_are_their_own_unknowns) {
  Kinematics kinematics;
  Mesh tet;
  tet.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  tet.tets = {{0, 1, 2, 3}};
  add_soft_body("soft", tet, 1000, MassKind::Lumped, 0, kinematics);
  EXPECT_TRUE(Charts(kinematics).is_identity());
  EXPECT_EQ(Charts(kinematics).unknown_count(), 4);
}

TEST(Charts, gradient_and_hessian_are_derivatives_along_the_chart) {
  const Trio trio;
  Charts charts(trio.kinematics);
  ASSERT_EQ(charts.unknown_count(), 8);
  const VecX g = trio.gradient(trio.n);
  const VecX reduced = charts.pull_gradient(trio.n, g);
  const auto value_at = [&](const VecX& u) { return trio.value(charts.make_path(trio.n, u).at(1)); };
  const double step = 1e-4;
  MatX by_differences(24, 24);
  for (Index i = 0; i < 24; ++i) {
    const VecX e = step * VecX::Unit(24, i);
    EXPECT_NEAR(reduced[i], (value_at(e) - value_at(-e)) / (2 * step), 1e-6);
    for (Index j = 0; j < 24; ++j) {
      const VecX f = step * VecX::Unit(24, j);
      by_differences(i, j) =
          (value_at(e + f) - value_at(e - f) - value_at(f - e) + value_at(-e - f)) / (4 * step * step);
    }
  }
  // With inertia enough that nothing is clamped, the pulled Hessian is the true one.
  charts.set_inertia(1e6);
  BlockMatrix H;
  charts.pull_hessian(trio.n, g, trio.hessian(), H);
  EXPECT_LT((to_dense(H) - by_differences).norm(), 1e-5 * by_differences.norm());
}

TEST(Charts, the_hessian_is_positive_semi_definite_whatever_the_forces) {
  Trio trio;
  Charts charts(trio.kinematics);
  charts.set_inertia(0);
  for (const double strength : {-100.0, 100.0}) {
    BlockMatrix H;
    charts.pull_hessian(trio.n, strength * trio.n, trio.hessian(), H);
    const Eigen::SelfAdjointEigenSolver<MatX> eigen(to_dense(H));
    EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-10 * eigen.eigenvalues().maxCoeff());
  }
}

TEST(Charts, ways_keep_the_shape_and_parts_lie_on_the_whole) {
  const Trio trio;
  const Charts charts(trio.kinematics);
  VecX u = VecX::LinSpaced(24, -1, 2);
  const NodePath path = charts.make_path(trio.n, u);
  ASSERT_EQ(path.turns.size(), 2u);
  EXPECT_EQ(path.at(0), trio.n);
  for (const double alpha : {0.1, 0.5, 1.0}) {
    const VecX n = path.at(alpha);
    for (Index i = 4; i < 8; ++i) {
      for (Index j = 4; j < i; ++j) {
        const double before = (trio.n.segment<3>(3 * i) - trio.n.segment<3>(3 * j)).norm();
        EXPECT_NEAR((n.segment<3>(3 * i) - n.segment<3>(3 * j)).norm(), before, 1e-14);
      }
    }
    EXPECT_LT((path.cut(alpha).at(1) - n).norm(), 1e-14);
    EXPECT_LT((path.cut(0.5).at(2 * alpha) - n).norm(), 1e-13);
  }
  // The direction is where the way starts to.
  const VecX ahead = (path.at(1e-7) - trio.n) / 1e-7;
  EXPECT_LT((ahead - path.direction).norm(), 1e-5);
}

TEST(Charts, what_is_locked_stays_and_the_rest_moves_as_without_the_others) {
  Trio trio;
  Body& body = trio.kinematics.bodies[1];
  body.is_locked = {false, true, false, true, true, false};  // y, and turning about x and y
  Charts charts(trio.kinematics);
  const VecX g = trio.gradient(trio.n);
  const VecX reduced = charts.pull_gradient(trio.n, g);
  charts.set_inertia(1e6);
  BlockMatrix H;
  charts.pull_hessian(trio.n, g, trio.hessian(), H);
  const MatX matrix = to_dense(H);
  const VecX u = -matrix.ldlt().solve(reduced);
  const Index first = 12;  // of the body's unknowns, after the four nodes of the soft one
  for (const Index k : {1, 3, 4}) {
    EXPECT_EQ(reduced[first + k], 0);
    EXPECT_EQ(u[first + k], 0);
  }
  EXPECT_NE(u[first], 0);
  EXPECT_NE(u[first + 5], 0);
  // The others solve the system without the locked rows and columns of the free one.
  body.is_locked = {};
  Charts free(trio.kinematics);
  free.set_inertia(1e6);
  BlockMatrix full;
  free.pull_hessian(trio.n, g, trio.hessian(), full);
  VecX rest = to_dense(full) * u + free.pull_gradient(trio.n, g);
  for (const Index k : {1, 3, 4}) rest[first + k] = 0;
  EXPECT_LT(rest.norm(), 1e-9 * reduced.norm());
  // The body turns about z alone, and its centre keeps y.
  const VecX n = charts.make_path(trio.n, u).at(1);
  for (Index i = 4; i < 8; ++i) EXPECT_NEAR(n[3 * i + 2] - trio.n[3 * i + 2], u[first + 2], 1e-12);
}

}  // namespace marrow
