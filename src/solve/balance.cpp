#include "solve/balance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/parallel.h"

namespace marrow {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct BalanceRounding {
  // The rounding of a gradient, over |x| Σ H_ii: a few units for a node's position and for each of the
  // products that cancel. Below that no solve can balance forces. [D20]
  double gradient = 4 * std::numeric_limits<double>::epsilon();
  // The fraction of the moment of inertia that is added to its diagonal, so that bodies on a line can be
  // solved too. It changes only digits of a torque beyond the twelfth. [safety net: no division by 0]
  double least_moment = 1e-12;
};
constexpr BalanceRounding kBalanceRounding;

// Force and torque about the mean of the nodes, without the locked components.
struct BodySum {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero(), center = Vec3::Zero();
  double square = 0;  // mean of |n − c|²
  double inside = 0;  // Σ |g|²/m
  Mat3 moments = Mat3::Zero();
};

BodySum sum_body(const BalancedBody& body, const std::vector<double>& masses, const VecX& n, const VecX& g) {
  BodySum sum;
  const Index end = body.first_node + body.node_count;
  for (Index i = body.first_node; i < end; ++i) sum.center += n.segment<3>(3 * i) / body.node_count;
  for (Index i = body.first_node; i < end; ++i) {
    const Vec3 r = n.segment<3>(3 * i) - sum.center, gi = g.segment<3>(3 * i);
    sum.force += gi;
    sum.torque += r.cross(gi);
    sum.square += r.squaredNorm() / body.node_count;
    sum.moments += body.mass / body.node_count * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    if (masses[i] > 0) sum.inside += gi.squaredNorm() / masses[i];
  }
  for (int k = 0; k < 3; ++k) {
    if (body.is_locked[static_cast<size_t>(k)]) sum.force[k] = 0;
    if (body.is_locked[static_cast<size_t>(k) + 3]) sum.torque[k] = 0;
  }
  return sum;
}

// The whole gradient of a rigid body is its force and torque: |F|²/m + T·I⁻¹T.
double measure_rigid(const BodySum& sum, double mass) {
  const Eigen::LDLT<Mat3> inertia(sum.moments +
                                  kBalanceRounding.least_moment * sum.moments.trace() * Mat3::Identity());
  return sum.force.squaredNorm() / mass + std::max(0.0, sum.torque.dot(inertia.solve(sum.torque)));
}

}  // namespace

Balance::Balance(std::vector<BalancedBody> bodies, double tolerance, VecX prediction,
                 std::vector<double> masses, double least_motion)
    : bodies_(std::move(bodies)),
      tolerance_(tolerance),
      floors_(bodies_.size(), 0),
      prediction_(std::move(prediction)),
      masses_(std::move(masses)),
      least_motion_(least_motion) {}

void Balance::update_floor(const VecX& n, const BlockMatrix& hessian) {
  exec::parallel_for("newton.floor", bodies_.size(), [&](size_t b) {
    const BalancedBody& body = bodies_[b];
    double stiffness = 0, reach = 0;
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
      stiffness += hessian.blocks[hessian.pattern.column_offsets[i]].trace();
      reach = std::max(reach, n.segment<3>(3 * i).lpNorm<Eigen::Infinity>());
    }
    floors_[b] = kBalanceRounding.gradient * reach * stiffness;
  });
}

double Balance::find_impulse(const BalancedBody& body, const VecX& n) const {
  if (body.impulse > 0) return body.impulse;
  double motion = 0;
  for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
    motion += (n.segment<3>(3 * i) - prediction_.segment<3>(3 * i)).norm() / body.node_count;
  }
  return body.mass * std::max(motion, least_motion_);
}

Imbalance Balance::assess(const VecX& n, const VecX& g) const {
  std::vector<Imbalance> of_bodies(bodies_.size());
  exec::parallel_for("newton.balance", bodies_.size(), [&](size_t b) {
    Imbalance& worst = of_bodies[b];
    const BalancedBody& body = bodies_[b];
    const BodySum sum = sum_body(body, masses_, n, g);
    const double impulse = find_impulse(body, n);
    const double allowed = std::max(tolerance_ * impulse, floors_[b]);
    const double radius = std::sqrt(sum.square);
    worst.body = std::max(worst.body, sum.force.norm() / allowed);
    if (radius > 0) worst.body = std::max(worst.body, sum.torque.norm() / (radius * allowed));
    if (!body.is_rigid && !body.has_node_masses) worst.inner = kInfinity;
    const double inside = std::sqrt(body.mass * (body.is_rigid ? measure_rigid(sum, body.mass) : sum.inside));
    worst.inner = std::max(worst.inner, inside / allowed);
  });
  Imbalance worst;
  for (const Imbalance& one : of_bodies) {
    worst.body = std::max(worst.body, one.body);
    worst.inner = std::max(worst.inner, one.inner);
  }
  if (is_static_) worst.inner = kInfinity;
  return worst;
}

double Balance::compute_promise(const VecX& n, const VecX& g, const VecX& step) const {
  if (is_static_) return 0;
  std::vector<double> promises(bodies_.size());
  exec::parallel_for("newton.promise", bodies_.size(), [&](size_t b) {
    const BalancedBody& body = bodies_[b];
    const Index first = 3 * body.first_node, count = 3 * body.node_count;
    const double promise = std::abs(g.segment(first, count).dot(step.segment(first, count)));
    const double impulse = find_impulse(body, n);
    promises[b] = promise * body.mass / (impulse * impulse);
  });
  double largest = 0;
  for (const double promise : promises) largest = std::max(largest, promise);
  return largest;
}

double Balance::find_largest_motion() const {
  double largest = 0;
  for (const BalancedBody& body : bodies_) largest = std::max(largest, body.impulse / body.mass);
  return largest;
}

double Balance::compute_velocity_error(const VecX& g, double rate) const {
  double largest = 0;
  for (const BalancedBody& body : bodies_) {
    Vec3 sum = Vec3::Zero();
    for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) sum += g.segment<3>(3 * i);
    largest = std::max(largest, rate * sum.norm() / body.mass);
  }
  return largest;
}

}  // namespace marrow
