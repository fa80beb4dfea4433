#include "potentials/contact/friction.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

#include "exec/parallel.h"
#include "linalg/outer_products.h"
#include "potentials/contact/barrier_ramp.h"

namespace marrow {
namespace {

// True for the nodes of an affine or rigid body, and of one medial handle, affine or quadratic: the first
// four are the corners of a tetrahedron.
bool is_frame(std::span<const Index> nodes) { return nodes.size() == 4 || nodes.size() == 10; }

}  // namespace

FrictionFunction compute_friction_function(double y, double epsilon) {
  if (y >= epsilon) return {y, 1 / y, 0};
  const double t = y / epsilon;
  return {y * t * (1 - t / 3) + epsilon / 3, (2 - t) / epsilon, 2 * (1 - t) / epsilon};
}

double compute_normal_force(const Contact& contact, const ContactPoints& points, double kappa) {
  const double slope = contact.barrier.first;
  double force = -2 * kappa * contact.multiplicity * slope * contact.point.c.norm() / contact.s_hat;
  if (contact.threshold > 0) {
    const PairBalls balls = gather_balls(contact.vertices, 4, points.x, points.radii);
    force *= compute_ramp(contact, balls);
  }
  return force;
}

Friction::Friction(const ContactModel& model, const NodeMap& map, std::vector<Index> bodies)
    : model_(model), map_(map), bodies_(std::move(bodies)) {
  stencils_.set({}, map);
}

void Friction::set_start(VecX start, double epsilon) {
  start_ = std::move(start);
  epsilon_ = epsilon;
}

namespace {

// The normal forces of contacts, none of them negative. Weighting by area subtracts forces where a vertex is
// nearer to two triangles than to their edge. Friction of a negative force would not be bounded below, so
// what a vertex subtracts is taken off its other forces on that body, in proportion.
std::vector<double> compute_pressing_forces(const ContactState& at, const std::vector<Index>& bodies,
                                            double kappa) {
  std::vector<double> forces(at.contacts.size());
  exec::parallel_for("friction.forces", forces.size(),
                     [&](size_t k) { forces[k] = compute_normal_force(at.contacts[k], at.points(), kappa); });
  struct Sums {
    double pressing = 0, taken_off = 0;
  };
  std::map<IndexPair, Sums> sums;  // by vertex and the other body
  const auto key_of = [&](const Contact& contact) {
    return IndexPair{contact.vertices[0], bodies[static_cast<size_t>(vertices_of(contact).back())]};
  };
  for (size_t k = 0; k < forces.size(); ++k) {
    if (forces[k] < 0) sums[key_of(at.contacts[k])].taken_off -= forces[k];
  }
  if (sums.empty()) return forces;
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t k = 0; k < forces.size(); ++k) {
      const auto found = at.contacts[k].shape.front == 1 ? sums.find(key_of(at.contacts[k])) : sums.end();
      if (found == sums.end()) continue;
      if (pass == 0) {
        found->second.pressing += std::max(forces[k], 0.0);
        continue;
      }
      const auto [pressing, taken_off] = found->second;
      forces[k] = forces[k] > 0 ? forces[k] * std::max(0.0, 1 - taken_off / pressing) : 0;
    }
  }
  return forces;
}

}  // namespace

void Friction::set_contacts(const ContactState& at, double kappa) {
  contacts_.clear();
  const std::vector<double> forces = compute_pressing_forces(at, bodies_, kappa);
  std::vector<const Contact*> with_friction;
  std::vector<std::span<const Index>> vertices;
  for (size_t k = 0; k < at.contacts.size(); ++k) {
    const Contact& contact = at.contacts[k];
    const std::span<const Index> corners = vertices_of(contact);
    const double mu = model_.friction_between(bodies_[corners.front()], bodies_[corners.back()]);
    const double length = contact.point.c.norm();
    if (!(mu > 0) || !(length > 0)) continue;
    contacts_.push_back(
        {contact.point.c / length, mu * forces[k], contact.vertices, contact.point.w, corners.size()});
    with_friction.push_back(&contact);
    vertices.push_back(corners);
  }
  stencils_.set(vertices, map_);
  stencil_of_.resize(contacts_.size());
  for (size_t s = 0; s < stencils_.group.stencil_count(); ++s) {
    for (const Index k : stencils_.contacts_of(s)) stencil_of_[k] = static_cast<Index>(s);
  }
  offsets_ = {0};
  for (const Index s : stencil_of_) {
    offsets_.push_back(offsets_.back() + static_cast<Index>(stencils_.group.nodes_of(s).size()));
  }
  weights_.resize(offsets_.back());
  exec::parallel_for("friction.weights", contacts_.size(), [&](size_t k) {
    map_.pull(vertices[k], with_friction[k]->point.w, stencils_.group.nodes_of(stencil_of_[k]),
              std::span(weights_).subspan(offsets_[k], offsets_[k + 1] - offsets_[k]));
    if (!at.radii.empty() && !map_.is_identity()) add_arms(at.n, *with_friction[k], at.radii, k);
  });
}

// Friction acts at the surface of the balls, not at their centres. Adds the weights of the arms from the
// centres to the surface.
void Friction::add_arms(const VecX& n, const Contact& contact, std::span<const double> radii, size_t k) {
  const std::span<const Index> vertices = vertices_of(contact);
  const std::span<const Index> nodes = stencils_.group.nodes_of(stencil_of_[k]);
  for (size_t i = 0; i < vertices.size(); ++i) {
    const double length = std::abs(contact.point.w[i]) * radii[vertices[i]];
    const std::span<const Index> frame = map_.nodes_of(vertices[i]);
    if (!(length > 0) || !is_frame(frame)) continue;
    const auto node = [&](size_t a) { return n.segment<3>(3 * frame[a]); };
    Mat3 sides;
    for (size_t a = 0; a < 3; ++a) sides.col(static_cast<Eigen::Index>(a)) = node(a + 1) - node(0);
    const Vec3 weights = sides.partialPivLu().solve(Vec3(-length * contacts_[k].normal));
    if (!weights.allFinite()) continue;
    for (size_t a = 0; a < 4; ++a) {
      const auto at = std::find(nodes.begin(), nodes.end(), frame[a]) - nodes.begin();
      weights_[static_cast<size_t>(offsets_[k] + at)] +=
          a == 0 ? -weights.sum() : weights[static_cast<Eigen::Index>(a - 1)];
    }
  }
}

std::span<const double> Friction::weights_of(size_t contact) const {
  return {weights_.data() + offsets_[contact], weights_.data() + offsets_[contact + 1]};
}

Vec3 Friction::compute_sliding(size_t contact, const VecX& n) const {
  const std::span<const Index> nodes = stencils_.group.nodes_of(stencil_of_[contact]);
  const std::span<const double> w = weights_of(contact);
  Vec3 u = Vec3::Zero();
  for (size_t i = 0; i < nodes.size(); ++i) {
    u += w[i] * (n.segment<3>(3 * nodes[i]) - start_.segment<3>(3 * nodes[i]));
  }
  const Vec3& normal = contacts_[contact].normal;
  return u - normal.dot(u) * normal;
}

Friction::ContactForce Friction::compute_force(size_t contact, const VecX& n) const {
  const LaggedContact& lagged = contacts_[contact];
  const Vec3 u = compute_sliding(contact, n);
  const double y = u.norm();
  return {.nodes = stencils_.group.nodes_of(stencil_of_[contact]),
          .vertices = std::span(lagged.vertices).first(lagged.count),
          .node_weights = weights_of(contact),
          .vertex_weights = std::span(lagged.weights).first(lagged.count),
          .gradient = lagged.strength * compute_friction_function(y, epsilon_).over_y * u,
          .strength = lagged.strength,
          .slid = y};
}

double Friction::compute_value(const VecX& n) const {
  return exec::parallel_sum("friction.value", contacts_.size(), [&](size_t k) {
    const double y = compute_sliding(k, n).norm();
    return contacts_[k].strength * compute_friction_function(y, epsilon_).value;
  });
}

void Friction::add_gradient(const VecX& n, double weight, VecX& g) {
  exec::parallel_for(
      "friction.gradient", stencils_.group.stencil_count(),
      [&](size_t s) {
        const std::span<Vec3> local = stencils_.group.gradient_of(s);
        std::fill(local.begin(), local.end(), Vec3::Zero());
        for (const Index k : stencils_.contacts_of(s)) {
          const Vec3 u = compute_sliding(k, n);
          const FrictionFunction f = compute_friction_function(u.norm(), epsilon_);
          const std::span<const double> w = weights_of(k);
          for (size_t i = 0; i < local.size(); ++i) {
            local[i] += (weight * contacts_[k].strength * f.over_y * w[i]) * u;
          }
        }
      },
      stencils_.grain());
  stencils_.group.add_gradient(g);
}

// The curvature is f₁/y across the sliding direction and f₁′ along it; neither is negative. A sliding contact
// has no curvature along its path, and a Newton step may go far beyond the point of reversal. A share of
// f₁/y, which majorises the energy, prevents that.
std::array<Vec3, 2> Friction::factorize_local_hessian(size_t contact, const VecX& n) const {
  const Vec3& normal = contacts_[contact].normal;
  const Vec3 u = compute_sliding(contact, n);
  const double y = u.norm();
  const FrictionFunction f = compute_friction_function(y, epsilon_);
  const double along = y > 0 ? std::max(f.second, majoriser_share_ * f.over_y) : f.over_y;
  const Vec3 direction = y > 0 ? Vec3(u / y) : normal.unitOrthogonal();
  const double strength = contacts_[contact].strength;
  return {std::sqrt(strength * along) * direction, std::sqrt(strength * f.over_y) * normal.cross(direction)};
}

const StencilGroup* Friction::update_hessian(const VecX& n, double weight) {
  exec::parallel_for(
      "friction.hessian", stencils_.group.stencil_count(),
      [&](size_t s) {
        thread_local OuterProducts sum;
        sum.start(stencils_.group.nodes_of(s).size());
        for (const Index k : stencils_.contacts_of(s)) {
          const std::span<const double> w = weights_of(k);
          for (const Vec3& r : factorize_local_hessian(k, n)) {
            const std::span<Vec3> column = sum.add_column();
            for (size_t i = 0; i < w.size(); ++i) column[i] = (std::sqrt(weight) * w[i]) * r;
          }
        }
        sum.write(stencils_.group.blocks_of(s));
      },
      stencils_.grain());
  return &stencils_.group;
}

}  // namespace marrow
