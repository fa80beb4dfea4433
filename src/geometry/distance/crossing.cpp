#include "geometry/distance/crossing.h"

#include "math/jet.h"

namespace marrow {
namespace {

using Vec9 = Eigen::Matrix<double, 9, 1>;
using Mat9 = Eigen::Matrix<double, 9, 9>;

// C₁, C₂, C₃ and R₁, R₂, R₃ of closest.h.
struct Axes {
  std::array<Vec3, 3> C;
  std::array<double, 3> R;

  double product(int i, int j) const {
    const auto a = static_cast<size_t>(i), b = static_cast<size_t>(j);
    return C[a].dot(C[b]) - R[a] * R[b];
  }
};

Axes make_axes(const PairBalls& balls) {
  return {{balls.x[1] - balls.x[0], balls.x[2] - balls.x[3], balls.x[0] - balls.x[2]},
          {balls.r[1] - balls.r[0], balls.r[3] - balls.r[2], balls.r[0] + balls.r[2]}};
}

// The products A, B, C, D, E are those of these pairs of axes.
constexpr int kProducts[5][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}};

// u and v.
template <class T>
std::array<T, 2> find_crossing(const std::array<T, 5>& z) {
  const T delta = z[0] * z[2] - z[1] * z[1];
  return {(z[1] * z[4] - z[2] * z[3]) / delta, (z[1] * z[3] - z[0] * z[4]) / delta};
}

template <class T>
T fade(const T& t) {
  const T product = t * (T(1) - t);
  return 30.0 * (product * product);
}

// e as mollifier.h has it, from the products: q = a²/(ε b).
Jet<5> ramp(const std::array<Jet<5>, 5>& z, const std::array<double, 3>& R, double threshold) {
  using J = Jet<5>;
  const J a = z[0] * z[2] - z[1] * z[1];
  const J p = z[0] + J(R[0] * R[0]), q = z[2] + J(R[1] * R[1]), t = z[1] + J(R[0] * R[1]);
  const J b = p * q - t * t;
  const J share = (1 / threshold) * (a * a / b);
  return share.value < 1 ? share * (J(2) - share) : J(1);
}

}  // namespace

double compute_crossing(const PairBalls& balls, double threshold) {
  const double mollifier = compute_mollifier(balls, threshold).value;
  if (!(mollifier > 0)) return 0;
  const Axes axes = make_axes(balls);
  std::array<double, 5> z;
  for (size_t k = 0; k < 5; ++k) z[k] = axes.product(kProducts[k][0], kProducts[k][1]);
  const auto [u, v] = find_crossing(z);
  if (!(u > 0 && u < 1 && v > 0 && v < 1)) return 0;
  return fade(u) * fade(v) * mollifier;
}

MollifierDerivatives compute_crossing_derivatives(const PairBalls& balls, double threshold) {
  const Axes axes = make_axes(balls);
  std::array<Jet<5>, 5> z;
  for (int k = 0; k < 5; ++k) {
    z[static_cast<size_t>(k)] = Jet<5>::make_variable(k, axes.product(kProducts[k][0], kProducts[k][1]));
  }
  const auto [u, v] = find_crossing(z);
  const Jet<5> T = fade(u) * fade(v) * ramp(z, axes.R, threshold);

  // From the products to the axes: each is bilinear in them.
  Eigen::Matrix<double, 9, 5> dz = Eigen::Matrix<double, 9, 5>::Zero();
  Mat9 hessian = Mat9::Zero();
  for (int k = 0; k < 5; ++k) {
    const int i = kProducts[k][0], j = kProducts[k][1];
    dz.block<3, 1>(3 * i, k) += axes.C[static_cast<size_t>(j)];
    dz.block<3, 1>(3 * j, k) += axes.C[static_cast<size_t>(i)];
    hessian.block<3, 3>(3 * i, 3 * j) += T.first[k] * Mat3::Identity();
    hessian.block<3, 3>(3 * j, 3 * i) += T.first[k] * Mat3::Identity();
  }
  hessian += dz * T.second * dz.transpose();

  // From the axes to the balls.
  Eigen::Matrix<double, 9, 12> J = Eigen::Matrix<double, 9, 12>::Zero();
  const int balls_of[3][2] = {{1, 0}, {2, 3}, {0, 2}};
  for (int k = 0; k < 3; ++k) {
    J.block<3, 3>(3 * k, 3 * balls_of[k][0]) += Mat3::Identity();
    J.block<3, 3>(3 * k, 3 * balls_of[k][1]) -= Mat3::Identity();
  }
  return {T.value, J.transpose() * (dz * T.first), J.transpose() * hessian * J};
}

}  // namespace marrow
