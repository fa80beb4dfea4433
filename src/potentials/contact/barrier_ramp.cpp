#include "potentials/contact/barrier_ramp.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "potentials/contact/barrier_projection.h"

namespace marrow {
namespace {

using Four = std::array<Vec3, 4>;
using Mat2 = Eigen::Matrix2d;

double dot(const Four& a, const Four& b) {
  return a[0].dot(b[0]) + a[1].dot(b[1]) + a[2].dot(b[2]) + a[3].dot(b[3]);
}

// An orthonormal basis of two vectors a and b. If b depends on a, R(1, 1) is 0.
struct Frame {
  std::array<Four, 2> q;
  Mat2 R = Mat2::Zero();  // [a b] = [q₀ q₁] R
};

// b depends on a if less than this fraction of b is orthogonal to a. [derived: above the rounding of the
// subtraction]
constexpr double kDependent = 1e-12;

Frame make_frame(const Four& a, const Four& b) {
  Frame frame = {{a, b}};
  frame.R(0, 0) = std::sqrt(dot(a, a));
  const double inverse = frame.R(0, 0) > 0 ? 1 / frame.R(0, 0) : 0;
  for (Vec3& part : frame.q[0]) part *= inverse;
  frame.R(0, 1) = dot(frame.q[0], b);
  for (size_t i = 0; i < 4; ++i) frame.q[1][i] -= frame.R(0, 1) * frame.q[0][i];
  const double rest = std::sqrt(dot(frame.q[1], frame.q[1]));
  if (!(rest > kDependent * std::sqrt(dot(b, b)))) return frame;
  frame.R(1, 1) = rest;
  for (Vec3& part : frame.q[1]) part /= rest;
  return frame;
}

// The positive part of [a b] N [a b]ᵀ.
void add_rank_two(const Four& a, const Four& b, const Mat2& N, LocalFactor& factor) {
  const Frame frame = make_frame(a, b);
  const Mat2 S = frame.R * N * frame.R.transpose();
  const double mean = (S(0, 0) + S(1, 1)) / 2, half = (S(0, 0) - S(1, 1)) / 2;
  const double root = std::sqrt(half * half + S(0, 1) * S(0, 1));
  // The eigenvector of mean + root; the other one is orthogonal to it.
  Vec2 z = half >= 0 ? Vec2(half + root, S(0, 1)) : Vec2(S(0, 1), root - half);
  const double length = z.norm();
  z = length > 0 ? Vec2(z / length) : Vec2(1, 0);
  for (const double sign : {1.0, -1.0}) {
    const double eigenvalue = mean + sign * root;
    if (!(eigenvalue > 0)) break;
    const double scale = std::sqrt(eigenvalue);
    const Vec2 y = sign > 0 ? Vec2(scale * z) : Vec2(-scale * z[1], scale * z[0]);
    Four& r = factor.add();
    for (size_t i = 0; i < 4; ++i) r[i] = y[0] * frame.q[0][i] + y[1] * frame.q[1][i];
  }
}

LocalFactor factorize_level_ramp(const Contact& contact, const PairBalls& balls, double scale) {
  const LevelRamp e = compute_level_ramp(balls, contact.threshold);
  const PairPoint& point = contact.point;
  const BarrierFunction& b = contact.barrier;
  const double b0 = scale * b.value, b1 = scale * b.first / contact.s_hat,
               b2 = scale * b.second / (contact.s_hat * contact.s_hat);
  const double norm2 = point.c.squaredNorm(), length = e.m.norm();
  const Vec3 along = e.C1.normalized();
  const Vec3 across = length > 0 ? Vec3(e.m / length) : Vec3(along.unitOrthogonal());

  LocalFactor factor;
  Four df;
  for (size_t i = 0; i < 4; ++i) df[i] = 2 * point.w[i] * point.c;
  Mat2 N;
  N(0, 0) = e.value * std::max(0.0, b2 + b1 / (2 * norm2));
  N(0, 1) = N(1, 0) = 2 * length * b1 * e.first;
  N(1, 1) = 4 * length * length * b0 * e.second + 2 * b0 * e.first;
  add_rank_two(df, e.pull(across), N, factor);

  const double turning = std::sqrt(2 * b0 * e.first);
  Four& r = factor.add();
  r = e.pull(along.cross(across));
  for (Vec3& part : r) part *= turning;

  const SchurFactor schur = compute_schur_factor(point, make_directions(contact.shape, balls, point.region));
  const ProjectedFactor tangential = compute_projected_factor(point, schur, 4);
  const double sliding = std::sqrt(std::max(0.0, -2 * b1 * e.value));
  for (int k = 0; k < tangential.count; ++k) {
    Four& t = factor.add();
    for (size_t i = 0; i < 4; ++i) t[i] = sliding * tangential.r[static_cast<size_t>(k)][i];
  }
  return factor;
}

}  // namespace

double compute_ramp(const Contact& contact, const PairBalls& balls) {
  return contact.is_crossing ? compute_crossing(balls, contact.threshold)
                             : compute_mollifier(balls, contact.threshold).value;
}

Mat12 compute_ramp_hessian(const Contact& contact, const PairBalls& balls) {
  const MollifierDerivatives e = contact.is_crossing
                                     ? compute_crossing_derivatives(balls, contact.threshold)
                                     : compute_mollifier_derivatives(balls, contact.threshold);
  const BarrierFunction& b = contact.barrier;
  const SchurFactor schur =
      compute_schur_factor(contact.point, make_directions(contact.shape, balls, contact.point.region));
  const Vec12 df = compute_squared_gradient(contact.point);
  const Mat12 d2f = compute_squared_hessian(contact.point, schur);
  const double b1 = b.first / contact.s_hat, b2 = b.second / (contact.s_hat * contact.s_hat);
  const Mat12 cross = b1 * df * e.gradient.transpose();
  return e.value * (b2 * df * df.transpose() + b1 * d2f) + b.value * e.hessian + cross + cross.transpose();
}

LocalFactor factorize_positive_part(const Mat12& H) {
  const Eigen::SelfAdjointEigenSolver<Mat12> eigen(H);
  LocalFactor factor;
  for (int k = 0; k < 12; ++k) {
    if (!(eigen.eigenvalues()[k] > 0)) continue;
    const Vec12 column = std::sqrt(eigen.eigenvalues()[k]) * eigen.eigenvectors().col(k);
    Four& r = factor.add();
    for (int i = 0; i < 4; ++i) r[static_cast<size_t>(i)] = column.segment<3>(3 * i);
  }
  return factor;
}

LocalFactor factorize_ramp(const Contact& contact, const PairBalls& balls, double scale) {
  return !contact.is_crossing && is_level(balls)
             ? factorize_level_ramp(contact, balls, scale)
             : factorize_positive_part(scale * compute_ramp_hessian(contact, balls));
}

}  // namespace marrow
