#include "potentials/friction.h"

#include <cmath>

#include "exec/parallel.h"
#include "geometry/mollifier.h"
#include "potentials/barrier_function.h"

namespace marrow {

FrictionFunction compute_friction_function(double y, double epsilon) {
  if (y >= epsilon) return {y, 1 / y, 0};
  const double t = y / epsilon;
  return {y * t * (1 - t / 3) + epsilon / 3, (2 - t) / epsilon, 2 * (1 - t) / epsilon};
}

double compute_normal_force(const Contact& contact, const ContactPoints& points, double kappa) {
  const double slope = compute_barrier_function(contact.squared() / contact.s_hat).first;
  double force = -2 * kappa * contact.multiplicity * slope * contact.point.c.norm() / contact.s_hat;
  if (contact.threshold > 0) {
    const PairBalls balls = gather_balls(contact.vertices, 4, points.x, points.radii);
    force *= compute_mollifier(balls, contact.threshold).value;
  }
  return force;
}

Friction::Friction(const ContactModel& model, std::vector<Index> bodies, Index node_count)
    : model_(model), bodies_(std::move(bodies)), node_count_(node_count) {
  group_.set_stencils({0}, {}, node_count);
}

void Friction::set_start(VecX start, double epsilon) {
  start_ = std::move(start);
  epsilon_ = epsilon;
}

void Friction::set_contacts(const std::vector<Contact>& contacts, const ContactPoints& points, double kappa) {
  contacts_.clear();
  std::vector<Index> offsets = {0}, nodes;
  for (const Contact& contact : contacts) {
    const Index a = bodies_[contact.vertices[0]];
    const Index b = bodies_[contact.vertices[contact.shape.count - 1]];
    const double mu = model_.friction_between(a, b);
    const double length = contact.point.c.norm();
    if (!(mu > 0) || !(length > 0)) continue;
    contacts_.push_back({contact.vertices, contact.shape.count, contact.point.w, contact.point.c / length,
                         mu * compute_normal_force(contact, points, kappa)});
    nodes.insert(nodes.end(), contact.vertices.begin(), contact.vertices.begin() + contact.shape.count);
    offsets.push_back(static_cast<Index>(nodes.size()));
  }
  group_.set_stencils(std::move(offsets), std::move(nodes), node_count_);
}

Vec3 Friction::compute_sliding(const FrictionContact& contact, const VecX& n) const {
  Vec3 u = Vec3::Zero();
  for (int i = 0; i < contact.count; ++i) {
    const Index at = 3 * contact.vertices[i];
    u += contact.w[i] * (n.segment<3>(at) - start_.segment<3>(at));
  }
  return u - contact.normal.dot(u) * contact.normal;
}

double Friction::compute_value(const VecX& n) const {
  return exec::parallel_sum("friction.value", contacts_.size(), [&](size_t k) {
    const double y = compute_sliding(contacts_[k], n).norm();
    return contacts_[k].strength * compute_friction_function(y, epsilon_).value;
  });
}

void Friction::add_gradient(const VecX& n, double weight, VecX& g) {
  exec::parallel_for("friction.gradient", contacts_.size(), [&](size_t k) {
    const FrictionContact& contact = contacts_[k];
    const Vec3 u = compute_sliding(contact, n);
    const FrictionFunction f = compute_friction_function(u.norm(), epsilon_);
    const std::span<Vec3> local = group_.gradient_of(k);
    for (int i = 0; i < contact.count; ++i) {
      local[i] = (weight * contact.strength * f.over_y * contact.w[i]) * u;
    }
  });
  group_.add_gradient(g);
}

const StencilGroup* Friction::update_hessian(const VecX& n, double weight) {
  exec::parallel_for("friction.hessian", contacts_.size(), [&](size_t k) {
    const FrictionContact& contact = contacts_[k];
    const Vec3 u = compute_sliding(contact, n);
    const double y = u.norm();
    const FrictionFunction f = compute_friction_function(y, epsilon_);
    // Across the sliding direction f₁/y, along it f₁′: both are not negative.
    Mat3 H = f.over_y * (Mat3::Identity() - contact.normal * contact.normal.transpose());
    if (y > 0) H += (f.second - f.over_y) * (u / y) * (u / y).transpose();
    H *= weight * contact.strength;
    const std::span<Mat3> blocks = group_.blocks_of(k);
    size_t at = 0;
    for (int i = 0; i < contact.count; ++i) {
      for (int j = i; j < contact.count; ++j) blocks[at++] = (contact.w[i] * contact.w[j]) * H;
    }
  });
  return &group_;
}

}  // namespace marrow
