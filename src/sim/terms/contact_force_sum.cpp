#include "sim/terms/contact_force_sum.h"

#include <algorithm>
#include <cmath>

#include "exec/buckets.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

// What a contact presses with.
struct Push {
  std::array<Vec3, 4> gradient;
  Vec3 middle = Vec3::Zero();
  double force = 0, gap = 0, slip = 0;
};

// Contacts of the barrier come first, then those of friction, which may be others.
class ContactForceSum {
 public:
  ContactForceSum(StepTerms& terms, const VecX& n, double scale, double h)
      : terms_(terms),
        map_(terms.contact.finder().map()),
        bodies_(terms.contact.finder().mesh().bodies),
        n_(n),
        scale_(scale),
        h_(h),
        at_(terms.contact.finder().find(n)),
        pushes_(at_->contacts.size()) {
    if (terms.contact.has_friction()) friction_.resize(terms.contact.friction().contact_count());
    compute_pushes();
    list_pairs();
  }

  ContactForces sum() {
    ContactForces forces;
    forces.pairs.resize(members_.offsets.size() - 1);
    exec::parallel_for(
        "forces.pairs", forces.pairs.size(), [&](size_t p) { sum_pair(p, forces.pairs[p]); }, 16);
    list_points(forces);
    sum_nodes(forces);
    return forces;
  }

 private:
  size_t source_count() const { return pushes_.size() + friction_.size(); }
  bool is_of_barrier(size_t source) const { return source < pushes_.size(); }
  std::span<const Index> vertices(size_t source) const {
    return is_of_barrier(source) ? vertices_of(at_->contacts[source])
                                 : friction_[source - pushes_.size()].vertices;
  }

  void compute_pushes() {
    const ContactPoints points = at_->points();
    const double kappa = terms_.contact.barrier().stiffness() / scale_;
    exec::parallel_for(
        "forces.pushes", pushes_.size(),
        [&](size_t k) {
          const Contact& pair = at_->contacts[k];
          Push& push = pushes_[k];
          push.gradient = compute_local_gradient(pair, points, kappa * pair.multiplicity);
          push.force = compute_normal_force(pair, points, kappa);
          push.gap = pair.point.compute_gap();
          Vec3 slid = Vec3::Zero();
          for (size_t i = 0; i < vertices_of(pair).size(); ++i) {
            const Index v = pair.vertices[i];
            const double weight = pair.point.w[i];
            push.middle += 0.5 * std::abs(weight) * points.x[static_cast<size_t>(v)];
            slid += weight * find_displacement(v);
          }
          const Vec3 normal = pair.point.c.stableNormalized();
          push.slip = push.force * (slid - normal.dot(slid) * normal).norm() / h_;
        },
        16);
    exec::parallel_for(
        "forces.friction", friction_.size(),
        [&](size_t k) { friction_[k] = terms_.contact.friction().compute_force(k, n_); }, 16);
  }

  // Finds the pairs of bodies, ascending, and the contacts of each in their order.
  void list_pairs() {
    struct Key {
      IndexPair bodies;
      Index source;
    };
    std::vector<Key> keys(source_count());
    exec::parallel_for("forces.keys", keys.size(), [&](size_t s) {
      const auto [a, b] = std::minmax(bodies_[static_cast<size_t>(vertices(s).front())],
                                      bodies_[static_cast<size_t>(vertices(s).back())]);
      keys[s] = {{a, b}, static_cast<Index>(s)};
    });
    exec::parallel_sort("forces.sort", keys, [](const Key& x, const Key& y) { return x.bodies < y.bodies; });
    pair_of_.resize(keys.size());
    members_.items.resize(keys.size());
    members_.offsets.clear();
    for (size_t k = 0; k < keys.size(); ++k) {
      if (k == 0 || keys[k].bodies != keys[k - 1].bodies) {
        members_.offsets.push_back(static_cast<Index>(k));
        bodies_of_pairs_.push_back(keys[k].bodies);
      }
      members_.items[k] = keys[k].source;
      pair_of_[static_cast<size_t>(keys[k].source)] = bodies_of_pairs_.size() - 1;
    }
    members_.offsets.push_back(static_cast<Index>(keys.size()));
  }

  void sum_pair(size_t p, ContactForces::Pair& pair) const {
    PairForces& sum = pair.sum;
    sum.a = bodies_of_pairs_[p][0];
    sum.b = bodies_of_pairs_[p][1];
    double strength = 0, slid = 0, sticking = 0;  // of friction: µ λ, times speed, of those that stick
    for (Index k = members_.offsets[p]; k < members_.offsets[p + 1]; ++k) {
      const auto source = static_cast<size_t>(members_.items[static_cast<size_t>(k)]);
      if (is_of_barrier(source)) {
        add_push(source, pair);
        continue;
      }
      const Friction::ContactForce& contact = friction_[source - pushes_.size()];
      const Vec3 force = -contact.gradient / scale_;
      for (size_t i = 0; i < contact.nodes.size(); ++i) {
        const Index node = contact.nodes[i];
        const bool is_on_a = terms_.node_bodies[static_cast<size_t>(node)] == sum.a;
        (is_on_a ? sum.friction : pair.friction_on_b)
            .add(contact.node_weights[i] * force, n_.segment<3>(3 * node));
      }
      strength += contact.strength;
      slid += contact.strength * contact.slid / h_;
      if (contact.slid < terms_.contact.friction().epsilon()) sticking += contact.strength;
    }
    if (sum.pressing > 0) sum.slip /= sum.pressing;
    // Friction measures sliding at the surface of balls that turn.
    if (strength > 0) {
      sum.slip = slid / strength;
      sum.sticking = sticking / strength;
    }
  }

  void add_push(size_t source, ContactForces::Pair& pair) const {
    const Push& push = pushes_[source];
    const std::span<const Index> points = vertices(source);
    PairForces& sum = pair.sum;
    for (size_t i = 0; i < points.size(); ++i) {
      const bool is_on_a = bodies_[static_cast<size_t>(points[i])] == sum.a;
      (is_on_a ? sum.normal : pair.normal_on_b)
          .add(-push.gradient[i], at_->x[static_cast<size_t>(points[i])]);
    }
    sum.pressing += push.force;
    sum.point += push.force * push.middle;
    sum.gap = std::min(sum.gap, push.gap);
    sum.slip += push.slip;
    ++sum.contacts;
  }

  void list_points(ContactForces& forces) const {
    std::vector<Index> offsets(source_count() + 1, 0);
    for (size_t s = 0; s < source_count(); ++s)
      offsets[s + 1] = offsets[s] + static_cast<Index>(vertices(s).size());
    forces.points.resize(static_cast<size_t>(offsets.back()));
    exec::parallel_for("forces.points", source_count(), [&](size_t s) {
      const std::span<const Index> points = vertices(s);
      for (size_t i = 0; i < points.size(); ++i) {
        ContactForces::AtPoint& at = forces.points[static_cast<size_t>(offsets[s]) + i];
        at = {points[i], pair_of_[s], Vec3::Zero(), Vec3::Zero(), 0};
        if (is_of_barrier(s)) {
          at.normal = -pushes_[s].gradient[i];
          at.pressing = std::abs(at_->contacts[s].point.w[i]) * pushes_[s].force;
        } else {
          const Friction::ContactForce& contact = friction_[s - pushes_.size()];
          const Vec3 force = -contact.gradient / scale_;
          at.friction = contact.vertex_weights[i] * force;
        }
      }
    });
  }

  void sum_nodes(ContactForces& forces) const {
    struct Share {
      Vec3 force;
    };
    exec::Buckets<Share> shares;
    const auto visit = [&](size_t s, const auto& emit) {
      if (!is_of_barrier(s)) {
        const Friction::ContactForce& contact = friction_[s - pushes_.size()];
        const Vec3 force = -contact.gradient / scale_;
        for (size_t i = 0; i < contact.nodes.size(); ++i)
          emit(contact.nodes[i], Share{contact.node_weights[i] * force});
        return;
      }
      const std::span<const Index> points = vertices(s);
      for (size_t i = 0; i < points.size(); ++i) {
        const std::span<const Index> nodes = map_.nodes_of(points[i]);
        const std::span<const double> weights = map_.weights_of(points[i]);
        for (size_t k = 0; k < nodes.size(); ++k)
          emit(nodes[k], Share{weights[k] * Vec3(-pushes_[s].gradient[i])});
      }
    };
    const auto node_count = static_cast<size_t>(n_.size() / 3);
    exec::parallel_buckets("forces.shares", source_count(), node_count, visit, shares);
    forces.on_nodes.resize(n_.size());
    exec::parallel_for("forces.nodes", node_count, [&](size_t i) {
      Vec3 sum = Vec3::Zero();
      for (Index k = shares.offsets[i]; k < shares.offsets[i + 1]; ++k)
        sum += shares.items[static_cast<size_t>(k)].force;
      forces.on_nodes.segment<3>(3 * static_cast<Index>(i)) = sum;
    });
  }

  // How far a point has come since the start of the part.
  Vec3 find_displacement(Index point) const {
    const VecX& start = terms_.contact.friction().start();
    Vec3 u = Vec3::Zero();
    for (size_t k = 0; k < map_.nodes_of(point).size(); ++k) {
      const Index node = map_.nodes_of(point)[k];
      u += map_.weights_of(point)[k] * (n_.segment<3>(3 * node) - start.segment<3>(3 * node));
    }
    return u;
  }

  StepTerms& terms_;
  const NodeMap& map_;
  const std::vector<Index>& bodies_;  // by point
  const VecX& n_;
  double scale_, h_;
  ContactsAt at_;
  std::vector<Push> pushes_;
  std::vector<Friction::ContactForce> friction_;
  std::vector<IndexPair> bodies_of_pairs_;
  std::vector<size_t> pair_of_;   // by contact
  exec::Buckets<Index> members_;  // contacts by pair
};

}  // namespace

ContactForces sum_contact_forces(StepTerms& terms, const VecX& n, double scale, double h) {
  return ContactForceSum(terms, n, scale, h).sum();
}

}  // namespace marrow
