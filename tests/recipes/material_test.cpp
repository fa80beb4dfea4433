#include <gtest/gtest.h>

#include <cmath>

#include "math/svd3.h"
#include "potentials/materials/isochoric.h"

namespace marrow {
namespace {

// [recipe
// Yeoh's rubber: f = C₁ (Ī₁ − 3) + C₂ (Ī₁ − 3)² in the form of isochoric.h. It stiffens when stretched.
struct Yeoh : Isochoric<Yeoh> {
  double c1, c2;
  double bulk;

  MARROW_HD Yeoh(double lame_mu, double lame_lambda, double stiffening)
      : c1(0.5 * lame_mu), c2(stiffening * c1), bulk(lame_lambda + 2.0 / 3 * lame_mu) {}

  // a = Ī₁ − 3; f, ∂f/∂Ī₁, ∂f/∂Ī₂, ∂²f/∂Ī₁²
  MARROW_HD Distortion distortion(double a, double) const {
    return {c1 * a + c2 * a * a, c1 + 2 * c2 * a, 0, 2 * c2};
  }
};
// recipe]

TEST(Recipe, a_material_has_the_derivatives_it_claims) {
  const Yeoh yeoh(4e4, 1e5, 0.3);
  Mat3 F;
  F << 1.2, 0.1, -0.2, 0.05, 0.8, 0.3, 0.1, -0.1, 1.4;
  const Mat3 P = yeoh.stress(F);
  const double h = 1e-5;
  for (int k = 0; k < 9; ++k) {
    Mat3 up = F, down = F;
    up(k) += h;
    down(k) -= h;
    EXPECT_NEAR((yeoh.energy(up) - yeoh.energy(down)) / (2 * h), P(k), 1e-6 * P.norm());
  }
  // Along the principal stretches, ∂P/∂s.
  const Svd3 svd = compute_svd3(F);
  const StretchHessian H = yeoh.stretch_hessian(svd.s);
  for (int j = 0; j < 3; ++j) {
    Vec3 up = svd.s, down = svd.s;
    up[j] += h;
    down[j] -= h;
    const Vec3 column =
        (yeoh.stress(up.asDiagonal()).diagonal() - yeoh.stress(down.asDiagonal()).diagonal()) / (2 * h);
    EXPECT_LT((column - H.scaling.col(j)).norm(), 1e-6 * H.scaling.norm());
  }
}

TEST(Recipe, a_material_at_rest_is_stress_free_and_linear_with_the_given_constants) {
  const double mu = 4e4, lambda = 1e5;
  const Yeoh yeoh(mu, lambda, 0.3);
  EXPECT_LT(yeoh.stress(Mat3::Identity()).norm(), 1e-9 * mu);
  Mat3 strain;
  strain << 1, 0.3, 0, 0.3, -0.5, 0.2, 0, 0.2, 0.4;
  const double h = 1e-6;
  const Mat3 P = yeoh.stress(Mat3::Identity() + h * strain) / h;
  EXPECT_LT((P - 2 * mu * strain - lambda * strain.trace() * Mat3::Identity()).norm(), 1e-4 * P.norm());
}

}  // namespace
}  // namespace marrow
