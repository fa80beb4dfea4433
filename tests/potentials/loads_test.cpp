// Given forces and pressure: the battery, and what they add up to.
#include "math/psd.h"
#include "math/rotation.h"
#include "mesh/shapes.h"
#include "mesh/surface.h"
#include "potential_battery.h"
#include "potentials/force.h"
#include "potentials/pressure.h"

namespace marrow {
namespace {

using battery::random_vector;

// A sphere of tets, and the same carried by an affine map (W with four nodes).
struct Ball {
  Kinematics kinematics;
  VecX nodes;

  explicit Ball(double radius) {
    Mesh mesh = build_shape(SphereShape{.radius = radius, .resolution = 2});
    mesh.triangles = extract_surface(mesh.tets);
    const Points points = add_soft_body("ball", mesh, 1000, MassKind::Lumped, 0, kinematics);
    nodes.resize(3 * static_cast<Index>(points.size()));
    for (size_t i = 0; i < points.size(); ++i) nodes.segment<3>(3 * static_cast<Index>(i)) = points[i];
  }
};

double volume_of(const Mesh& mesh) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    sum += mesh.points[t[0]].dot(mesh.points[t[1]].cross(mesh.points[t[2]])) / 6;
  }
  return sum;
}

}  // namespace

TEST(Loads, a_torque_turns_masses_as_one) {
  VecX n(12);
  n << 0, 0, 0, 3, 0, 0, 0, 2, 0, 1, 1, 4;
  NodalLoad load = {{0, 1, 2, 3}, {1, 2, 3, 4}, VectorExpression(Vec3(3, -2, 5)), true};
  Loads loads({load}, n);
  loads.set_time(0, n);
  const VecX g = battery::gradient_of(loads, n);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (Index i = 0; i < 4; ++i) {
    force -= g.segment<3>(3 * i);
    torque -= Vec3(n.segment<3>(3 * i)).cross(Vec3(g.segment<3>(3 * i)));
  }
  EXPECT_LT(force.norm(), 1e-12);
  EXPECT_LT((torque - Vec3(3, -2, 5)).norm(), 1e-12);
  // Accelerations f/m do not stretch: (a_i − a_j) · (x_i − x_j) = 0.
  for (Index i = 1; i < 4; ++i) {
    const Vec3 a = g.segment<3>(3 * i) / load.weights[i] - g.segment<3>(0) / load.weights[0];
    EXPECT_NEAR(a.dot(Vec3(n.segment<3>(3 * i) - n.segment<3>(0))), 0, 1e-12);
  }
}

TEST(Loads, pass_the_battery_and_follow_their_formula) {
  const Ball ball(1);
  const Index count = ball.kinematics.node_count;
  Loads loads({{{0, 3}, {0.5, 0.25}, VectorExpression(Expression("2*t"), Expression(1), Expression(0))},
               {{3}, {1}, VectorExpression(Vec3(0, 0, 4))}},
              ball.nodes);
  loads.set_time(3, ball.nodes);
  battery::check_all(loads, ball.nodes + random_vector(3 * count, 0.1, 1), {1, 1e-8}, true);
  const VecX g = battery::gradient_of(loads, ball.nodes);
  EXPECT_EQ(Vec3(g.segment<3>(0)), Vec3(-3, -0.5, 0));
  EXPECT_EQ(Vec3(g.segment<3>(9)), Vec3(-1.5, -0.25, -4));
  EXPECT_EQ(loads.compute_value(ball.nodes), 0);
}

TEST(Pressure, passes_the_battery_at_every_scale_and_far_from_the_origin) {
  for (const double radius : {1e-3, 1.0, 1e3}) {
    for (const double offset : {0.0, 10.0}) {
      const Ball ball(radius);
      Pressure pressure(ball.kinematics, {0, Expression("100 + t")});
      pressure.set_time(2);
      VecX n = ball.nodes + Vec3(offset * radius, 0, 0).replicate(ball.kinematics.node_count, 1);
      n += random_vector(static_cast<Index>(n.size()), 0.05 * radius, 2);
      battery::check_all(pressure, n, {radius, 1e-7}, false);
    }
  }
}

TEST(Pressure, is_minus_p_times_the_gain_of_volume) {
  const Ball ball(0.5);
  const double rest = volume_of(ball.kinematics.bodies[0].rest);
  Pressure pressure(ball.kinematics, {0, Expression(7)});
  EXPECT_NEAR(pressure.compute_value(ball.nodes), 0, 1e-12);
  EXPECT_NEAR(pressure.compute_value(2 * ball.nodes), -7 * 7 * rest, 1e-10);
  // It neither pushes nor turns a closed body.
  const VecX g = battery::gradient_of(pressure, ball.nodes);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (Index i = 0; i < g.size(); i += 3) {
    force += g.segment<3>(i);
    torque += Vec3(ball.nodes.segment<3>(i)).cross(Vec3(g.segment<3>(i)));
  }
  EXPECT_GT(g.norm(), 0.1);
  EXPECT_LE(force.norm(), 1e-12);
  EXPECT_LE(torque.norm(), 1e-12);
}

TEST(Pressure, hessian_is_the_sum_of_the_projected_ones_of_the_triangles) {
  const Ball ball(1);
  const double p = 5;
  Pressure pressure(ball.kinematics, {0, Expression(p)});
  const VecX n = ball.nodes + random_vector(static_cast<Index>(ball.nodes.size()), 0.1, 3);
  const std::vector<Triangle>& triangles = ball.kinematics.bodies[0].rest.triangles;
  Vec3 origin = Vec3::Zero();
  for (const Triangle& t : triangles) {
    for (const Index i : t) origin += n.segment<3>(3 * i) / (3.0 * static_cast<double>(triangles.size()));
  }
  // ∂²(x₀·(x₁ × x₂)) / ∂x_a ∂x_b = −[x_c]×, with a, b, c in turn.
  MatX expected = MatX::Zero(n.size(), n.size());
  for (const Triangle& t : triangles) {
    MatX H = MatX::Zero(9, 9);
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      const Mat3 block = p / 6 * cross_matrix(n.segment<3>(3 * t[c]) - origin);
      H.block<3, 3>(3 * a, 3 * b) = block;
      H.block<3, 3>(3 * b, 3 * a) = block.transpose();
    }
    H = project_psd(H);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) expected.block<3, 3>(3 * t[a], 3 * t[b]) += H.block<3, 3>(3 * a, 3 * b);
    }
  }
  const MatX actual = battery::hessian_of(pressure, n);
  EXPECT_GT(actual.norm(), 1);
  EXPECT_LT((actual - expected).norm(), 1e-12 * expected.norm());
}

TEST(Pressure, acts_through_the_weights_of_a_reduced_body) {
  Ball ball(1);
  Body body = ball.kinematics.bodies[0];
  std::vector<Triplet> triplets;
  for (size_t i = 0; i < body.rest.points.size(); ++i) {
    triplets.push_back({static_cast<Index>(i), 0, 1});
    for (int k = 0; k < 3; ++k) triplets.push_back({static_cast<Index>(i), 1 + k, body.rest.points[i][k]});
  }
  body.W = build_scalar_matrix(static_cast<Index>(body.rest.points.size()), 4, triplets);
  Kinematics reduced;
  append_body(body, reduced);
  Pressure pressure(reduced, {0, Expression(3)});
  VecX n(12);
  n << 1, 2, 3, 1.1, 0, 0, 0.1, 1, 0, 0, 0, 0.9;
  battery::check_all(pressure, n, {1, 1e-7}, false);
  EXPECT_NEAR(pressure.compute_value(n), -3 * (1.1 * 0.9 - 1) * volume_of(body.rest), 1e-10);
}

}  // namespace marrow
