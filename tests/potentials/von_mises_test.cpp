#include "potentials/elastic/von_mises.h"

#include <gtest/gtest.h>

#include "mesh/shapes.h"

namespace marrow {
namespace {

TEST(VonMises, of_simple_stresses) {
  EXPECT_NEAR(compute_von_mises(-7 * Mat3::Identity()), 0, 1e-12);  // pressure
  Mat3 stress = Mat3::Zero();
  stress(1, 1) = -5;
  EXPECT_NEAR(compute_von_mises(stress), 5, 1e-12);  // one axis
  stress.setZero();
  stress(0, 2) = stress(2, 0) = 2;
  EXPECT_NEAR(compute_von_mises(stress), std::sqrt(3.0) * 2, 1e-12);  // shear
}

// Two tets sharing a face, the second three times as large; and an obstacle.
class PointVonMises : public testing::Test {
 protected:
  PointVonMises() {
    Mesh rest;
    rest.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -3}};
    rest.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
    nodes_ = add_soft_body("a", rest, 1, MassKind::Lumped, 0, kinematics_);
    Mesh obstacle;
    obstacle.points = {{5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
    obstacle.triangles = {{0, 1, 2}};
    for (const Vec3& p : add_obstacle("b", obstacle, kinematics_)) nodes_.push_back(p);
  }

  std::vector<double> compute() const {
    VecX n(3 * static_cast<Index>(nodes_.size()));
    for (size_t i = 0; i < nodes_.size(); ++i) n.segment<3>(3 * static_cast<Index>(i)) = nodes_[i];
    return compute_point_von_mises(kinematics_, materials_, n);
  }

  Kinematics kinematics_;
  Points nodes_;
  const std::vector<Material> materials_ = {make_material(MaterialModel::NeoHookean, 1e4, 0.3)};
};

TEST_F(PointVonMises, nothing_at_rest_and_under_rotation) {
  const Eigen::AngleAxisd turn(1.0, Vec3(1, 2, 3).normalized());
  for (Vec3& p : nodes_) p = turn * p;
  for (const double value : compute()) EXPECT_NEAR(value, 0, 1e-9);
}

TEST_F(PointVonMises, small_stretch_follows_hooke) {
  // Along x by ε with the lateral contraction ν ε: the stress is E ε on one axis.
  const double strain = 1e-6;
  for (Vec3& p : nodes_) p = p.cwiseProduct(Vec3(1 + strain, 1 - 0.3 * strain, 1 - 0.3 * strain));
  const std::vector<double> values = compute();
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(values[i], 1e4 * strain, 1e-4 * 1e4 * strain);
  for (size_t i = 5; i < 8; ++i) EXPECT_EQ(values[i], 0);
}

TEST_F(PointVonMises, shared_points_take_the_mean_by_volume) {
  nodes_[3].z() = 1.2;  // strains the first tet alone
  const std::vector<double> values = compute();
  EXPECT_GT(values[3], 100);
  EXPECT_NEAR(values[4], 0, 1e-9);
  for (const size_t shared : {0, 1, 2}) EXPECT_NEAR(values[shared], values[3] / 4, 1e-9 * values[3]);
}

}  // namespace
}  // namespace marrow
