#include "math/svd3_batch.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "math/eigen3.h"
#include "math/psd.h"

namespace marrow {
namespace {

std::vector<Mat3> sample_matrices() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<Mat3> samples = {Mat3::Zero(),
                               Mat3::Identity(),
                               -Mat3::Identity(),
                               Vec3(1, 2, 3) * Vec3(4, 5, 6).transpose(),
                               Vec3(1, 1, -1).asDiagonal().toDenseMatrix(),
                               Vec3(1, 1e-9, 1e-18).asDiagonal().toDenseMatrix()};
  for (const double scale : {1e-150, 1e-8, 1.0, 1e8, 1e150}) {
    for (int i = 0; i < 200; ++i) {
      Mat3 F;
      for (int k = 0; k < 9; ++k) F(k) = normal(random);
      samples.push_back(scale * F);
      Mat3 flat = F;
      flat.col(2) = flat.col(0) + 1e-12 * flat.col(1);
      samples.push_back(scale * flat);
    }
  }
  return samples;
}

}  // namespace

TEST(Svd3, rebuilds_every_matrix_with_proper_rotations) {
  for (const Mat3& F : sample_matrices()) {
    const Svd3 svd = compute_svd3(F);
    const double scale = F.cwiseAbs().maxCoeff();
    const Mat3 rebuilt = svd.U * svd.s.asDiagonal() * svd.V.transpose();
    EXPECT_LE((rebuilt - F).cwiseAbs().maxCoeff(), 4e-15 * scale) << F;
    EXPECT_LE((svd.U.transpose() * svd.U - Mat3::Identity()).norm(), 1e-14) << F;
    EXPECT_LE((svd.V.transpose() * svd.V - Mat3::Identity()).norm(), 1e-14) << F;
    EXPECT_NEAR(svd.U.determinant(), 1, 1e-13) << F;
    EXPECT_NEAR(svd.V.determinant(), 1, 1e-13) << F;
    EXPECT_GE(svd.s[0], svd.s[1] - 1e-15 * scale);
    EXPECT_GE(svd.s[1], std::abs(svd.s[2]) - 1e-15 * scale);
  }
}

TEST(Svd3, has_the_same_bits_in_batches_on_every_instruction_set) {
  std::vector<Mat3> samples = sample_matrices();
  samples.push_back(Mat3::Zero());
  samples.push_back(Mat3::Constant(1));  // of rank one
  samples.push_back(Vec3(3, -2, 1).asDiagonal());
  for (const std::string& target : list_svd_targets()) {
    set_svd_target(target);
    for (const size_t count : {samples.size(), size_t{1}, size_t{5}}) {
      std::vector<Svd3> svds(count);
      compute_svds(std::span(samples).first(count), svds);
      for (size_t k = 0; k < count; ++k) {
        const Svd3 single = compute_svd3(samples[k]);
        ASSERT_EQ(svds[k].U, single.U) << target << "\n" << samples[k];
        ASSERT_EQ(svds[k].s, single.s) << target << "\n" << samples[k];
        ASSERT_EQ(svds[k].V, single.V) << target << "\n" << samples[k];
      }
    }
  }
  set_svd_target("");
}

TEST(Svd3, keeps_relative_accuracy_of_small_stretches) {
  const Mat3 R = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 s(1, 1e-6, 1e-12);
  const Svd3 svd = compute_svd3(R * s.asDiagonal());
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(svd.s[i] / s[i], 1, 1e-9);
}

TEST(Svd3, polar_rotation_is_the_nearest_rotation) {
  const Mat3 R = Eigen::AngleAxisd(2.5, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  Mat3 S;
  S << 2, 0.1, 0.2, 0.1, 1.5, -0.3, 0.2, -0.3, 1;
  EXPECT_LE((compute_polar_rotation(R * S) - R).norm(), 1e-14);
}

TEST(Eigen3, agrees_with_a_general_solver) {
  for (const Mat3& F : sample_matrices()) {
    const double scale = std::max(F.cwiseAbs().maxCoeff(), 1e-100);
    const Mat3 A = (F + F.transpose()) / scale;
    const Eigen3 e = compute_eigen3(A);
    EXPECT_LE((e.vectors * e.values.asDiagonal() * e.vectors.transpose() - A).norm(), 1e-14);
    Vec3 sorted = e.values;
    std::sort(sorted.begin(), sorted.end());
    const Eigen::SelfAdjointEigenSolver<Mat3> reference(A);
    EXPECT_LE((sorted - reference.eigenvalues()).norm(), 1e-13);
  }
}

TEST(Psd, projection_has_no_negative_eigenvalue_and_moves_nothing_else) {
  for (const Mat3& F : sample_matrices()) {
    const double scale = std::max(F.cwiseAbs().maxCoeff(), 1e-100);
    const Mat3 A = (F + F.transpose()) / scale;
    const Mat3 P = project_psd(A);
    const MatX general = project_psd(MatX(A));
    EXPECT_LE((P - general).norm(), 1e-13);
    EXPECT_GE(Eigen::SelfAdjointEigenSolver<Mat3>(P).eigenvalues().minCoeff(), -1e-14);
  }
  const Mat3 spd = Vec3(1, 2, 3).asDiagonal();
  EXPECT_EQ(project_psd(spd), spd);
}

}  // namespace marrow
