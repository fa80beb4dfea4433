#include "potentials/friction.h"

#include <algorithm>
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

Friction::Friction(const ContactModel& model, const NodeMap& map, std::vector<Index> bodies)
    : model_(model), map_(map), bodies_(std::move(bodies)) {
  group_.set_stencils({0}, {}, map.node_count());
}

void Friction::set_start(VecX start, double epsilon) {
  start_ = std::move(start);
  epsilon_ = epsilon;
}

void Friction::set_contacts(const std::vector<Contact>& contacts, const ContactPoints& points, double kappa) {
  contacts_.clear();
  weights_.clear();
  offsets_ = {0};
  std::vector<Index> nodes;
  for (const Contact& contact : contacts) {
    const std::span<const Index> vertices =
        std::span(contact.vertices).first(static_cast<size_t>(contact.shape.count));
    const double mu = model_.friction_between(bodies_[vertices.front()], bodies_[vertices.back()]);
    const double length = contact.point.c.norm();
    if (!(mu > 0) || !(length > 0)) continue;
    contacts_.push_back({contact.point.c / length, mu * compute_normal_force(contact, points, kappa)});
    const size_t start = nodes.size();
    map_.append_nodes(vertices, nodes);
    weights_.resize(nodes.size());
    map_.pull(vertices, contact.point.w, std::span(nodes).subspan(start), std::span(weights_).subspan(start));
    offsets_.push_back(static_cast<Index>(nodes.size()));
  }
  group_.set_stencils(offsets_, std::move(nodes), map_.node_count());
}

std::span<const double> Friction::weights_of(size_t contact) const {
  return {weights_.data() + offsets_[contact], weights_.data() + offsets_[contact + 1]};
}

Vec3 Friction::compute_sliding(size_t contact, const VecX& n) const {
  const std::span<const Index> nodes = group_.nodes_of(contact);
  const std::span<const double> w = weights_of(contact);
  Vec3 u = Vec3::Zero();
  for (size_t i = 0; i < nodes.size(); ++i) {
    u += w[i] * (n.segment<3>(3 * nodes[i]) - start_.segment<3>(3 * nodes[i]));
  }
  const Vec3& normal = contacts_[contact].normal;
  return u - normal.dot(u) * normal;
}

double Friction::compute_value(const VecX& n) const {
  return exec::parallel_sum("friction.value", contacts_.size(), [&](size_t k) {
    const double y = compute_sliding(k, n).norm();
    return contacts_[k].strength * compute_friction_function(y, epsilon_).value;
  });
}

void Friction::add_gradient(const VecX& n, double weight, VecX& g) {
  exec::parallel_for("friction.gradient", contacts_.size(), [&](size_t k) {
    const Vec3 u = compute_sliding(k, n);
    const FrictionFunction f = compute_friction_function(u.norm(), epsilon_);
    const std::span<Vec3> local = group_.gradient_of(k);
    const std::span<const double> w = weights_of(k);
    for (size_t i = 0; i < local.size(); ++i) {
      local[i] = (weight * contacts_[k].strength * f.over_y * w[i]) * u;
    }
  });
  group_.add_gradient(g);
}

const StencilGroup* Friction::update_hessian(const VecX& n, double weight) {
  exec::parallel_for("friction.hessian", contacts_.size(), [&](size_t k) {
    const LaggedContact& contact = contacts_[k];
    const Vec3 u = compute_sliding(k, n);
    const double y = u.norm();
    const FrictionFunction f = compute_friction_function(y, epsilon_);
    // Across the sliding direction f₁/y, along it f₁′: both are not negative. A contact that slides has no
    // curvature along its way, and Newton may throw it far beyond the turning point: the secant's share of
    // f₁/y, with which the energy is bounded from above, holds it back.
    const double along = std::max(f.second, secant_share_ * f.over_y);
    Mat3 H = f.over_y * (Mat3::Identity() - contact.normal * contact.normal.transpose());
    if (y > 0) H += (along - f.over_y) * (u / y) * (u / y).transpose();
    H *= weight * contact.strength;
    const std::span<Mat3> blocks = group_.blocks_of(k);
    const std::span<const double> w = weights_of(k);
    size_t at = 0;
    for (size_t i = 0; i < w.size(); ++i) {
      for (size_t j = i; j < w.size(); ++j) blocks[at++] = (w[i] * w[j]) * H;
    }
  });
  return &group_;
}

}  // namespace marrow
