#include "geometry/distance/mollifier.h"

namespace marrow {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

// A quantity of (C₁, C₂) with derivatives.
struct OfAxes {
  double value;
  Vec6 gradient;
  Mat6 hessian;
};

// PQ − T², by the formulas of the header; zero radii differences give |C₁×C₂|².
OfAxes compute_gram(const Vec3& C1, const Vec3& C2, double R1, double R2) {
  const double P = C1.squaredNorm() - R1 * R1, Q = C2.squaredNorm() - R2 * R2, T = C1.dot(C2) - R1 * R2;
  OfAxes a;
  a.value =
      C1.cross(C2).squaredNorm() - (R1 * C2 - R2 * C1).squaredNorm();  // = PQ − T², without cancellation
  a.gradient << 2 * Q * C1 - 2 * T * C2, 2 * P * C2 - 2 * T * C1;
  const Mat3 mixed = 4 * C1 * C2.transpose() - 2 * C2 * C1.transpose() - 2 * T * Mat3::Identity();
  a.hessian << 2 * Q * Mat3::Identity() - 2 * C2 * C2.transpose(), mixed, mixed.transpose(),
      2 * P * Mat3::Identity() - 2 * C1 * C1.transpose();
  return a;
}

// e(q) over the axes.
OfAxes compute_ramp(const OfAxes& a, const OfAxes& b, double threshold) {
  const double q = a.value / b.value * (a.value / threshold);
  const double ratio = a.value / b.value;
  const Vec6 dq = (2 * ratio * a.gradient - ratio * ratio * b.gradient) / threshold;
  const Mat6 cross = a.gradient * b.gradient.transpose();
  const Mat6 d2q = (2 / b.value * a.gradient * a.gradient.transpose() + 2 * ratio * a.hessian -
                    2 * ratio / b.value * (cross + cross.transpose()) - ratio * ratio * b.hessian +
                    2 * ratio * ratio / b.value * b.gradient * b.gradient.transpose()) /
                   threshold;
  return {q * (2 - q), (2 - 2 * q) * dq, (2 - 2 * q) * d2q - 2 * dq * dq.transpose()};
}

}  // namespace

MollifierDerivatives compute_mollifier_derivatives(const PairBalls& balls, double threshold) {
  const Vec3 C1 = balls.x[1] - balls.x[0], C2 = balls.x[2] - balls.x[3];
  const OfAxes a = compute_gram(C1, C2, balls.r[1] - balls.r[0], balls.r[3] - balls.r[2]);
  const OfAxes b = compute_gram(C1, C2, 0, 0);
  const OfAxes e = compute_ramp(a, b, threshold);
  // C₁ = x₁ − x₀, C₂ = x₂ − x₃.
  Eigen::Matrix<double, 6, 12> J = Eigen::Matrix<double, 6, 12>::Zero();
  J.block<3, 3>(0, 0) = -Mat3::Identity();
  J.block<3, 3>(0, 3) = Mat3::Identity();
  J.block<3, 3>(3, 6) = Mat3::Identity();
  J.block<3, 3>(3, 9) = -Mat3::Identity();
  return {e.value, J.transpose() * e.gradient, J.transpose() * e.hessian * J};
}

}  // namespace marrow
