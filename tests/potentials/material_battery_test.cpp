// One battery for every material: stress and Hessian by differences, linearisation, frame indifference,
// inversion.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "math/svd3.h"
#include "potentials/material.h"

namespace marrow {
namespace {

using Mat9 = Eigen::Matrix<double, 9, 9>;

class MaterialBattery : public ::testing::TestWithParam<MaterialModel> {
 protected:
  Material material = make_material(GetParam(), 1e5, 0.4);

  double energy(const Mat3& F) const {
    return visit_material(material, [&](const auto& m) { return m.energy(F); });
  }
  Mat3 stress(const Mat3& F) const {
    return visit_material(material, [&](const auto& m) { return m.stress(F); });
  }
  // The 9×9 Hessian rebuilt from its form in the stretches, not projected.
  Mat9 hessian(const Mat3& F) const {
    const Svd3 svd = compute_svd3(F);
    const StretchHessian h =
        visit_material(material, [&](const auto& m) { return m.stretch_hessian(svd.s); });
    Mat9 H = Mat9::Zero();
    const auto vec = [](const Mat3& A) { return Eigen::Map<const Eigen::Matrix<double, 9, 1>>(A.data()); };
    for (int i = 0; i < 3; ++i) {
      const Mat3 Di = svd.U.col(i) * svd.V.col(i).transpose();
      for (int j = 0; j < 3; ++j) {
        const Mat3 Dj = svd.U.col(j) * svd.V.col(j).transpose();
        H += h.scaling(i, j) * vec(Di) * vec(Dj).transpose();
      }
      const int a = (i + 1) % 3, b = (i + 2) % 3;
      const Mat3 ab = svd.U.col(a) * svd.V.col(b).transpose(), ba = svd.U.col(b) * svd.V.col(a).transpose();
      const Mat3 twist = (ab - ba) / std::sqrt(2.0), flip = (ab + ba) / std::sqrt(2.0);
      H += h.twist[i] * vec(twist) * vec(twist).transpose() + h.flip[i] * vec(flip) * vec(flip).transpose();
    }
    return H;
  }
  static std::vector<Mat3> samples() {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    std::vector<Mat3> list = {Mat3::Identity(), 1.5 * Mat3::Identity(),
                              Vec3(0.3, 1, 2).asDiagonal().toDenseMatrix(),
                              Vec3(0.05, 0.05, 1).asDiagonal().toDenseMatrix()};
    while (list.size() < 60) {
      Mat3 F = Mat3::Identity();
      for (int k = 0; k < 9; ++k) F(k) += 0.5 * normal(random);
      if (F.determinant() > 0.05) list.push_back(F);
    }
    return list;
  }
};

}  // namespace

TEST_P(MaterialBattery, stress_is_the_derivative_of_the_energy) {
  for (const Mat3& F : samples()) {
    Mat3 difference;
    const double h = 1e-4 * compute_svd3(F).s[2];
    for (int k = 0; k < 9; ++k) {
      const auto E = [&](double t) {
        Mat3 G = F;
        G(k) += t;
        return energy(G);
      };
      difference(k) = (8 * (E(h) - E(-h)) - (E(2 * h) - E(-2 * h))) / (12 * h);
    }
    EXPECT_LE((stress(F) - difference).norm(), 1e-7 * (stress(F).norm() + material.lame_mu)) << F;
  }
}

TEST_P(MaterialBattery, hessian_is_the_derivative_of_the_stress) {
  for (const Mat3& F : samples()) {
    Mat9 difference;
    const double h = 1e-4 * compute_svd3(F).s[2];
    for (int k = 0; k < 9; ++k) {
      const auto P = [&](double t) {
        Mat3 G = F;
        G(k) += t;
        return stress(G);
      };
      const Mat3 column = (8 * (P(h) - P(-h)) - (P(2 * h) - P(-2 * h))) / (12 * h);
      difference.col(k) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(column.data());
    }
    EXPECT_LE((hessian(F) - difference).norm(), 1e-6 * difference.norm()) << F;
  }
}

TEST_P(MaterialBattery, rest_is_free_of_stress_and_linearises_to_lame) {
  EXPECT_EQ(energy(Mat3::Identity()), 0);
  EXPECT_LE(stress(Mat3::Identity()).norm(), 1e-12 * material.lame_mu);
  Mat3 strain;
  strain << 1, 2, 3, 2, -1, 0.5, 3, 0.5, 2;
  strain *= 1e-6;
  const Mat3 expected =
      2 * material.lame_mu * strain + material.lame_lambda * strain.trace() * Mat3::Identity();
  EXPECT_LE((stress(Mat3::Identity() + strain) - expected).norm(), 1e-4 * expected.norm());
}

TEST_P(MaterialBattery, energy_does_not_see_rotations) {
  const Mat3 R = Eigen::AngleAxisd(1.1, Vec3(3, -1, 2).normalized()).toRotationMatrix();
  for (const Mat3& F : samples()) {
    EXPECT_NEAR(energy(R * F), energy(F), 1e-10 * (energy(F) + material.lame_mu));
    EXPECT_NEAR(energy(F * R), energy(F), 1e-10 * (energy(F) + material.lame_mu));
    EXPECT_LE((stress(R * F) - R * stress(F)).norm(), 1e-10 * (stress(F).norm() + material.lame_mu));
  }
}

TEST_P(MaterialBattery, flat_and_inverted_elements_cost_infinitely_much) {
  EXPECT_TRUE(std::isinf(energy(Vec3(1, 1, 0).asDiagonal().toDenseMatrix())));
  EXPECT_TRUE(std::isinf(energy(Vec3(1, 1, -1).asDiagonal().toDenseMatrix())));
  EXPECT_GT(energy(Vec3(1, 1, 1e-30).asDiagonal().toDenseMatrix()),
            energy(Vec3(1, 1, 1e-3).asDiagonal().toDenseMatrix()));
}

INSTANTIATE_TEST_SUITE_P(Materials, MaterialBattery, ::testing::Values(MaterialModel::NeoHookean),
                         [](const auto& c) { return std::string(enum_name(c.param)); });

}  // namespace marrow
