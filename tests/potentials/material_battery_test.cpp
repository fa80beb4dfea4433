// One battery for every material: stress and Hessian by differences, linearisation, frame indifference, equal
// stretches, inversion.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "math/svd3.h"
#include "potentials/materials/laws.h"

namespace marrow {
namespace {

using Mat9 = Eigen::Matrix<double, 9, 9>;

struct Case {
  MaterialModel model;
  bool is_guarded;  // against flat elements, as in bodies
};

class MaterialBattery : public ::testing::TestWithParam<Case> {
 protected:
  Material material = make_material(GetParam().model, 1e5, 0.4);

  template <class Function>
  auto visit_law(const Function& f) const {
    return GetParam().is_guarded ? visit_guarded_material(material, f) : visit_material(material, f);
  }

  double energy(const Mat3& F) const {
    return visit_law([&](const auto& m) { return m.energy(F); });
  }
  Mat3 stress(const Mat3& F) const {
    return visit_law([&](const auto& m) { return m.stress(F); });
  }
  // The 9×9 Hessian rebuilt from its form in the stretches, not projected.
  Mat9 hessian(const Mat3& F) const {
    const Svd3 svd = compute_svd3(F);
    const StretchHessian h = visit_law([&](const auto& m) { return m.stretch_hessian(svd.s); });
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
  // Deformations of finite energy: laws with a limiting stretch allow fewer.
  std::vector<Mat3> samples() const {
    std::vector<Mat3> list = draw_samples();
    std::erase_if(list, [&](const Mat3& F) { return !std::isfinite(energy(F)); });
    EXPECT_GE(list.size(), 20u) << "too few samples have a finite energy to show anything";
    return list;
  }
  static std::vector<Mat3> draw_samples() {
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    std::vector<Mat3> list = {
        Mat3::Identity(), 1.5 * Mat3::Identity(), Vec3(0.3, 1, 2).asDiagonal().toDenseMatrix(),
        Vec3(0.05, 0.05, 1).asDiagonal().toDenseMatrix(), Vec3(0.3, 0.5, 0.4).asDiagonal().toDenseMatrix()};
    while (list.size() < 60) {
      Mat3 F = Mat3::Identity();
      for (int k = 0; k < 9; ++k) F(k) += 0.5 * normal(random);
      if (F.determinant() > 0.05) list.push_back(F);
    }
    return list;
  }
  // Inverted elements, away from where their rotation is not defined.
  static std::vector<Mat3> inverted_samples() {
    std::mt19937 random(12);
    std::normal_distribution<double> normal;
    std::vector<Mat3> list = {Vec3(1, 1, -0.5).asDiagonal().toDenseMatrix(),
                              Vec3(2, 0.7, 0).asDiagonal().toDenseMatrix()};
    while (list.size() < 30) {
      Mat3 F = Mat3::Identity();
      for (int k = 0; k < 9; ++k) F(k) += 0.5 * normal(random);
      const Vec3 s = compute_svd3(F).s;
      if (F.determinant() < -0.01 && s[1] + s[2] > 0.3) list.push_back(F);
    }
    return list;
  }
  bool has_barrier() const { return GetParam().is_guarded || has_inversion_barrier(GetParam().model); }

  void check_stress(const Mat3& F) const {
    Mat3 difference;
    const double h = 1e-4 * std::max(std::abs(compute_svd3(F).s[2]), 0.05);
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

  void check_hessian(const Mat3& F) const {
    Mat9 difference;
    const double h = 1e-4 * std::max(std::abs(compute_svd3(F).s[2]), 0.05);
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
};

}  // namespace

// A strain of 1e-9 costs 1e-18 of the stiffness: the energy is the work of the stress on the way, to many
// digits.
TEST_P(MaterialBattery, small_strains_keep_their_digits) {
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, -2, 2).normalized()).toRotationMatrix();
  Mat3 direction;
  direction << 0.3, 0.2, -0.5, 0.2, -0.7, 0.1, -0.5, 0.1, 0.9;
  for (const double size : {1e-2, 1e-4, 1e-6}) {
    const Mat3 E = size * direction;
    const double whole = energy(R * (Mat3::Identity() + E)), half = energy(R * (Mat3::Identity() + 0.5 * E));
    const double linear =
        material.lame_mu * E.squaredNorm() + 0.5 * material.lame_lambda * E.trace() * E.trace();
    // Third-order terms, and what rounding of F itself does to a strain of this size.
    EXPECT_NEAR(whole / linear, 1, 8 * size + 1e-15 / size) << size;
    EXPECT_NEAR(half / whole, 0.25, 2 * size + 1e-15 / size) << size;
  }
  // The same energy where small strains end.
  for (const double size : {0.0330, 0.0345, 0.0360}) {
    const Mat3 below = Mat3::Identity() + size * direction,
               above = Mat3::Identity() + (size + 1e-9) * direction;
    const double slope = stress(below).cwiseProduct(direction).sum();
    EXPECT_NEAR(energy(above) - energy(below), slope * 1e-9, 1e-5 * slope * 1e-9 + 1e-14 * 1e5) << size;
  }
}

TEST_P(MaterialBattery, stress_is_the_derivative_of_the_energy) {
  for (const Mat3& F : samples()) check_stress(F);
}

TEST_P(MaterialBattery, hessian_is_the_derivative_of_the_stress) {
  for (const Mat3& F : samples()) check_hessian(F);
}

TEST_P(MaterialBattery, nearly_equal_stretches_are_as_exact_as_equal_ones) {
  for (const double gap : {0.0, 1e-15, 1e-12, 1e-9, 1e-6}) {
    const Vec3 s(1.3 + gap, 1.3, 1.3 - gap);
    const auto h = visit_law([&](const auto& m) { return m.stretch_hessian(s); });
    const auto equal = visit_law([&](const auto& m) { return m.stretch_hessian(Vec3::Constant(1.3)); });
    const double size = equal.scaling.norm();
    EXPECT_LE((h.scaling - equal.scaling).norm(), (1e-12 + 100 * gap) * size);
    EXPECT_LE((h.twist - equal.twist).norm(), (1e-12 + 100 * gap) * size);
    EXPECT_LE((h.flip - equal.flip).norm(), (1e-12 + 100 * gap) * size);
    // Isotropy: where stretches are equal, flip is the derivative along their difference.
    EXPECT_NEAR(equal.flip[0], equal.scaling(0, 0) - equal.scaling(0, 1), 1e-12 * size);
  }
}

TEST_P(MaterialBattery, rest_is_the_least_energy_nearby) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const double size : {1e-4, 1e-2, 0.1}) {
    Mat3 F = Mat3::Identity();
    for (int k = 0; k < 9; ++k) F(k) += size * normal(random);
    EXPECT_GT(energy(F), 0);
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

TEST_P(MaterialBattery, flat_and_inverted_elements_cost_infinitely_much_or_have_exact_derivatives) {
  if (has_barrier()) {
    EXPECT_TRUE(std::isinf(energy(Vec3(1, 1, 0).asDiagonal().toDenseMatrix())));
    EXPECT_TRUE(std::isinf(energy(Vec3(1, 1, -1).asDiagonal().toDenseMatrix())));
    EXPECT_GT(energy(Vec3(1, 1, 1e-30).asDiagonal().toDenseMatrix()),
              energy(Vec3(1, 1, 1e-3).asDiagonal().toDenseMatrix()));
    return;
  }
  for (const Mat3& F : inverted_samples()) {
    check_stress(F);
    check_hessian(F);
  }
  // Even where the rotation is not defined nothing is infinite.
  for (const Vec3& s : {Vec3(1, 1, -1), Vec3(1, 0, 0), Vec3(0, 0, 0)}) {
    const auto h = visit_law([&](const auto& m) { return m.stretch_hessian(s); });
    EXPECT_TRUE(h.scaling.allFinite() && h.twist.allFinite() && h.flip.allFinite());
    EXPECT_TRUE(stress(s.asDiagonal().toDenseMatrix()).allFinite());
  }
}

std::vector<Case> list_cases() {
  std::vector<Case> cases;
  for (const MaterialModel model :
       {MaterialModel::NeoHookean, MaterialModel::StableNeoHookean, MaterialModel::FixedCorotated,
        MaterialModel::StVenantKirchhoff, MaterialModel::LinearCorotated, MaterialModel::MooneyRivlin,
        MaterialModel::ArrudaBoyce}) {
    cases.push_back({model, false});
    if (!has_inversion_barrier(model)) cases.push_back({model, true});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Materials, MaterialBattery, ::testing::ValuesIn(list_cases()), [](const auto& c) {
  return std::string(enum_name(c.param.model)) + (c.param.is_guarded ? "_guarded" : "");
});

TEST(Materials, the_share_of_the_second_invariant_and_the_locking_stretch_shape_the_response) {
  // Pure shear deformation at constant volume: Ī₁ = Ī₂ for plane strain, so use uniaxial stretch.
  const auto axial = [](Material material, double stretch) {
    const double side = 1 / std::sqrt(stretch);
    const Mat3 F = Vec3(stretch, side, side).asDiagonal();
    const Mat3 P = visit_material(material, [&](const auto& m) { return m.stress(F); });
    // The pressure that an incompressible bar needs to have free sides drops out of P₀ − P₁ s₁/s₀.
    return P(0, 0) - P(1, 1) * side / stretch;
  };
  Material mooney = make_material(MaterialModel::MooneyRivlin, 3e6, 0.499);
  const double mu = mooney.lame_mu;
  for (const double share : {0.0, 0.3, 1.0}) {
    mooney.mooney_share = share;
    // Nominal stress of an incompressible bar: 2 (s − s⁻²)(C₁ + C₂/s).
    for (const double s : {0.6, 1.5, 3.0}) {
      const double expected = mu * (s - 1 / (s * s)) * (1 - share + share / s);
      EXPECT_NEAR(axial(mooney, s), expected, 1e-9 * std::abs(expected));
    }
  }
  Material arruda = make_material(MaterialModel::ArrudaBoyce, 3e6, 0.499);
  arruda.locking_stretch = 1e6;
  EXPECT_NEAR(axial(arruda, 2), mu * (2 - 0.25), 1e-6 * mu);  // never locks: neo-Hookean
  arruda.locking_stretch = 1.5;
  EXPECT_GT(axial(arruda, 2.5), 2.5 * mu * (2.5 - 0.16));
}

}  // namespace marrow
