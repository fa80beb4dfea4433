#include "sim/model/pose.h"

#include <Eigen/Eigenvalues>

#include "math/rotation.h"
#include "math/svd3.h"

namespace marrow {
namespace {

// Below this share of the largest, a moment of a body counts as zero, as those across a straight wire do.
// [derived: rounding of moments leaves a few 2⁻⁵³ of the largest]
constexpr double kNoMoment = 1e-12;

// M of a body; that of equal points if it has no mass.
ScalarMatrix find_weights(const Body& body) {
  for (const double mass : body.mass.values) {
    if (mass > 0) return body.mass;
  }
  return build_identity(body.node_count);
}

VecX subtract_centre(const Body& body, const VecX& n, const Vec3& centre) {
  VecX r = n.segment(3 * body.first_node, 3 * body.node_count);
  for (Index i = 0; i < body.node_count; ++i) r.segment<3>(3 * i) -= centre;
  return r;
}

// Σ aᵢ bᵢᵀ.
Mat3 sum_products(const VecX& a, const VecX& b) {
  Mat3 sum = Mat3::Zero();
  for (Index i = 0; i < a.size(); i += 3) sum += Vec3(a.segment<3>(i)) * Vec3(b.segment<3>(i)).transpose();
  return sum;
}

// The rotation nearest to A; of directions without moment nothing is known, and the smallest one is taken.
Mat3 find_rotation(const Mat3& A) {
  const Svd3 svd = compute_svd3(A);
  if (!(svd.s[0] > 0)) return Mat3::Identity();
  if (svd.s[1] <= kNoMoment * svd.s[0]) return rotation_between(svd.V.col(0), svd.U.col(0));
  return svd.U * svd.V.transpose();
}

// ω with J ω = L; 0 about axes without moment of inertia.
Vec3 find_angular_velocity(const Mat3& moments, const Vec3& L) {
  const Mat3 J = moments.trace() * Mat3::Identity() - moments;
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(J);
  Vec3 omega = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = axes.eigenvectors().col(k);
    if (axes.eigenvalues()[k] > kNoMoment * axes.eigenvalues()[2]) {
      omega += axis.dot(L) / axes.eigenvalues()[k] * axis;
    }
  }
  return omega;
}

// Σ wᵢ aᵢ / Σ wᵢ with the row sums of the weights.
Vec3 compute_mean(const ScalarMatrix& weights, const VecX& a, double& total) {
  Vec3 sum = Vec3::Zero();
  total = 0;
  for (Index i = 0; i < weights.rows(); ++i) {
    double own = 0;
    for (Index k = weights.offsets[i]; k < weights.offsets[i + 1]; ++k) own += weights.values[k];
    sum += own * a.segment<3>(3 * i);
    total += own;
  }
  return sum / total;
}

}  // namespace

BodyPose compute_pose(const Body& body, const VecX& initial, const VecX& n, const VecX& v) {
  const ScalarMatrix weights = find_weights(body);
  const Index first = 3 * body.first_node, count = 3 * body.node_count;
  BodyPose pose;
  double total = 0;
  pose.centre = compute_mean(weights, n.segment(first, count), total);
  pose.velocity = compute_mean(weights, v.segment(first, count), total);
  if (!body.is_obstacle()) pose.mass = total;
  const VecX r = subtract_centre(body, n, pose.centre);
  VecX weighted;
  multiply(weights, r, weighted);
  const Vec3 start = compute_mean(weights, initial.segment(first, count), total);
  pose.rotation = find_rotation(sum_products(weighted, subtract_centre(body, initial, start)));

  VecX momenta;
  multiply(weights, v.segment(first, count), momenta);
  Vec3 L = Vec3::Zero();
  for (Index i = 0; i < count; i += 3) L += Vec3(r.segment<3>(i)).cross(Vec3(momenta.segment<3>(i)));
  pose.angular_velocity = find_angular_velocity(sum_products(weighted, r), L);
  return pose;
}

Vec3 compute_centre(const Body& body, const VecX& n) {
  double total = 0;
  return compute_mean(find_weights(body), n.segment(3 * body.first_node, 3 * body.node_count), total);
}

}  // namespace marrow
