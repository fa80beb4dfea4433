// Bodies without forces: straight where soft, turning with constant angular momentum where stiff.
#include "kinematics/free_flight.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace marrow {
namespace {

// A box of three different edges, as a stiff body, and its nodes.
struct Flyer {
  Kinematics kinematics;
  VecX n, v;
  std::vector<char> is_fixed = {0, 0, 0, 0};

  explicit Flyer(BodyKind kind, const Vec3& omega) {
    Mesh box;
    for (int i = 0; i < 8; ++i)
      box.points.push_back({i & 1 ? 0.5 : -0.5, i & 2 ? 0.15 : -0.15, i & 4 ? 0.05 : -0.05});
    box.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const MassProperties properties = compute_mass_properties(box, 1000, 0);
    const Points nodes = kind == BodyKind::Rigid ? add_rigid_body("box", box, properties, kinematics)
                                                 : add_affine_body("box", box, properties, 0, kinematics);
    n.resize(12);
    v.resize(12);
    for (Index i = 0; i < 4; ++i) {
      n.segment<3>(3 * i) = nodes[i];
      v.segment<3>(3 * i) = Vec3(1, 2, 3) + omega.cross(nodes[i]);
    }
  }

  Vec3 momentum() const {
    Vec3 center = Vec3::Zero(), sum = Vec3::Zero();
    for (Index i = 0; i < 4; ++i) center += n.segment<3>(3 * i) / 4;
    for (Index i = 0; i < 4; ++i) {
      sum += Vec3(n.segment<3>(3 * i) - center).cross(Vec3(v.segment<3>(3 * i)));
    }
    return sum;
  }
  // Of the middle axis, which is unstable.
  Vec3 middle_axis() const {
    Points x;
    compute_points(kinematics, n, x);
    return (x[2] - x[0]).normalized();
  }
  void fly(double h) {
    Prediction prediction = predict_inertial(kinematics, is_fixed, n, v, h);
    n = prediction.nodes;
    v = prediction.velocities;
  }
};

}  // namespace

TEST(FreeFlight, keeps_angular_momentum_and_energy_and_tumbles_about_the_middle_axis) {
  for (const BodyKind kind : {BodyKind::Affine, BodyKind::Rigid}) {
    Flyer flyer(kind, {0.01, 8, 0.01});
    const Vec3 before = flyer.momentum(), axis = flyer.middle_axis();
    const double energy = flyer.v.squaredNorm();
    double least = 1;
    for (int step = 0; step < 400; ++step) {
      flyer.fly(0.01);
      least = std::min(least, axis.dot(flyer.middle_axis()));
    }
    EXPECT_LT((flyer.momentum() - before).norm(), 1e-10 * before.norm());
    EXPECT_NEAR(flyer.v.squaredNorm() / energy, 1, 1e-5);
    EXPECT_LT(least, -0.9);  // it has turned over, as Dzhanibekov saw
    for (Index i = 0; i < 4; ++i) {
      for (Index j = 0; j < i; ++j) {
        const Flyer fresh(kind, Vec3::Zero());
        EXPECT_NEAR((flyer.n.segment<3>(3 * i) - flyer.n.segment<3>(3 * j)).norm(),
                    (fresh.n.segment<3>(3 * i) - fresh.n.segment<3>(3 * j)).norm(), 1e-11);
      }
    }
  }
}

TEST(FreeFlight, held_bodies_go_straight) {
  Flyer flyer(BodyKind::Affine, {0, 5, 0});
  flyer.is_fixed = {0, 1, 0, 0};
  const VecX expected = flyer.n + 0.1 * flyer.v;
  flyer.fly(0.1);
  EXPECT_EQ(flyer.n, expected);
}

TEST(FreeFlight, rigid_velocities_keep_both_momenta) {
  Flyer flyer(BodyKind::Rigid, {1, 2, 3});
  flyer.v += VecX::LinSpaced(12, -1, 1);
  const Vec3 before = flyer.momentum();
  Vec3 sum = Vec3::Zero(), after = Vec3::Zero();
  for (Index i = 0; i < 4; ++i) sum += flyer.v.segment<3>(3 * i);
  make_velocities_rigid(flyer.kinematics.bodies[0], flyer.n, flyer.v);
  for (Index i = 0; i < 4; ++i) after += flyer.v.segment<3>(3 * i);
  EXPECT_LT((after - sum).norm(), 1e-13);
  EXPECT_LT((flyer.momentum() - before).norm(), 1e-13);
  // Distances do not change to first order.
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < i; ++j) {
      EXPECT_NEAR((flyer.n.segment<3>(3 * i) - flyer.n.segment<3>(3 * j))
                      .dot(flyer.v.segment<3>(3 * i) - flyer.v.segment<3>(3 * j)),
                  0, 1e-13);
    }
  }
}

TEST(FreeFlight, a_body_that_is_held_stands_still) {
  // 2.5 rad a step: the chord between where it would be and where it is says little of the turn.
  for (const BodyKind kind : {BodyKind::Rigid, BodyKind::Affine}) {
    Flyer flyer(kind, {0, 0, 25});
    const double h = 0.1, before = flyer.momentum().norm();
    for (int step = 0; step < 5; ++step) {
      const Prediction prediction = predict_inertial(flyer.kinematics, flyer.is_fixed, flyer.n, flyer.v, h);
      flyer.v = update_velocities(flyer.kinematics, flyer.is_fixed, prediction, {1 / h, 1 / h}, flyer.n);
      EXPECT_LT(flyer.momentum().norm(), before);
    }
    EXPECT_LT(flyer.momentum().norm(), 1e-4 * before);
    EXPECT_LT(flyer.v.norm(), 1e-3);
  }
}

TEST(FreeFlight, strain_is_no_spin_and_dies_out) {
  Flyer flyer(BodyKind::Affine, {0, 0, 25});
  const Flyer plain = flyer;
  for (Index i = 0; i < 4; ++i) flyer.v[3 * i] += 0.1 * flyer.n[3 * i];
  const double h = 0.1;
  // Shape forces take the strain away in a step: the body is where the plain one is.
  const Prediction prediction = predict_inertial(flyer.kinematics, flyer.is_fixed, flyer.n, flyer.v, h);
  const Prediction expected = predict_inertial(plain.kinematics, plain.is_fixed, plain.n, plain.v, h);
  const VecX v =
      update_velocities(flyer.kinematics, flyer.is_fixed, prediction, {1 / h, 1 / h}, expected.nodes);
  EXPECT_LT((v - expected.velocities).norm(), 1e-2 * expected.velocities.norm());
}

}  // namespace marrow
