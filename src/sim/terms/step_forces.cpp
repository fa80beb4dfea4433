#include "sim/terms/step_forces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/trace.h"
#include "sim/model/pose.h"

namespace marrow {
namespace {

// Collects the contact forces of one solve. Torques are about the origin until the step is finished.
class ContactForceSum {
 public:
  ContactForceSum(StepTerms& terms, const VecX& n) : terms_(terms), forces_(terms.contact_forces), n_(n) {
    forces_ = {};
    forces_.on_nodes = VecX::Zero(n.size());
  }

  // scale: of forces at the end of the part. h: its length.
  void add_barrier(double scale, double h) {
    ContactTerms& contact = terms_.contact;
    const ContactsAt at = contact.finder().find(n_);
    const ContactPoints points = at->points();
    const double kappa = contact.barrier().stiffness() / scale;
    for (const Contact& pair : at->contacts) {
      const std::array<Vec3, 4> gradient = compute_local_gradient(pair, points, kappa * pair.multiplicity);
      const double push = compute_normal_force(pair, points, kappa);
      Entry& entry = find_entry(vertices_of(pair));
      Vec3 middle = Vec3::Zero(), slid = Vec3::Zero();
      for (size_t i = 0; i < vertices_of(pair).size(); ++i) {
        const Index v = pair.vertices[i];
        const double weight = pair.point.w[i];
        push_point(v, -gradient[i], points.x[static_cast<size_t>(v)], entry);
        forces_.points.push_back({v, entry.number, -gradient[i], Vec3::Zero(), std::abs(weight) * push});
        middle += 0.5 * std::abs(weight) * points.x[static_cast<size_t>(v)];
        slid += weight * find_displacement(v);
      }
      const Vec3 normal = pair.point.c.stableNormalized();
      PairForces& sum = entry.pair.sum;
      sum.pressing += push;
      sum.point += push * middle;
      sum.gap = std::min(sum.gap, pair.point.compute_gap());
      sum.slip += push * (slid - normal.dot(slid) * normal).norm() / h;
      ++sum.contacts;
    }
  }

  void add_friction(double scale, double h) {
    const Friction& friction = terms_.contact.friction();
    for (size_t k = 0; k < friction.contact_count(); ++k) {
      const Friction::ContactForce contact = friction.compute_force(k, n_);
      Entry& entry = find_entry(contact.vertices);
      const Vec3 force = -contact.gradient / scale;
      for (size_t i = 0; i < contact.vertices.size(); ++i) {
        forces_.points.push_back(
            {contact.vertices[i], entry.number, Vec3::Zero(), contact.vertex_weights[i] * force, 0});
      }
      for (size_t i = 0; i < contact.nodes.size(); ++i) {
        push_node(contact.nodes[i], contact.node_weights[i] * force, entry);
      }
      entry.strength += contact.strength;
      entry.slid += contact.strength * contact.slid / h;
      if (contact.slid < friction.epsilon()) entry.sticking += contact.strength;
    }
  }

  void finish() {
    std::vector<size_t> places(entries_.size());  // by number
    for (auto& [bodies, entry] : entries_) {
      PairForces& sum = entry.pair.sum;
      if (sum.pressing > 0) sum.slip /= sum.pressing;
      // Friction measures sliding at the surface of balls that turn.
      if (entry.strength > 0) {
        sum.slip = entry.slid / entry.strength;
        sum.sticking = entry.sticking / entry.strength;
      }
      places[entry.number] = forces_.pairs.size();
      forces_.pairs.push_back(entry.pair);
    }
    for (ContactForces::AtPoint& at : forces_.points) at.pair = places[at.pair];
  }

 private:
  struct Entry {
    ContactForces::Pair pair;
    size_t number = 0;                            // in the order in which pairs were found
    double strength = 0, slid = 0, sticking = 0;  // of friction: µ λ, times speed, of those that stick
  };

  Entry& find_entry(std::span<const Index> vertices) {
    const std::vector<Index>& bodies = terms_.contact.finder().mesh().bodies;
    const Index front = bodies[static_cast<size_t>(vertices.front())];
    const Index back = bodies[static_cast<size_t>(vertices.back())];
    const size_t count = entries_.size();
    const auto [at, is_new] = entries_.try_emplace({std::min(front, back), std::max(front, back)});
    Entry& entry = at->second;
    if (is_new) {
      entry.number = count;
      entry.pair.sum.a = std::min(front, back);
      entry.pair.sum.b = std::max(front, back);
    }
    return entry;
  }

  // A force of the barrier on a point, and by it on the nodes that the point follows.
  void push_point(Index point, const Vec3& force, const Vec3& x, Entry& entry) {
    const NodeMap& map = terms_.contact.finder().map();
    const bool is_on_a =
        terms_.contact.finder().mesh().bodies[static_cast<size_t>(point)] == entry.pair.sum.a;
    (is_on_a ? entry.pair.sum.normal : entry.pair.normal_on_b).add(force, x);
    for (size_t k = 0; k < map.nodes_of(point).size(); ++k) {
      forces_.on_nodes.segment<3>(3 * map.nodes_of(point)[k]) += map.weights_of(point)[k] * force;
    }
  }

  void push_node(Index node, const Vec3& force, Entry& entry) {
    const Vec3 x = n_.segment<3>(3 * node);
    const bool is_on_a = terms_.node_bodies[static_cast<size_t>(node)] == entry.pair.sum.a;
    (is_on_a ? entry.pair.sum.friction : entry.pair.friction_on_b).add(force, x);
    forces_.on_nodes.segment<3>(3 * node) += force;
  }

  // How far a point has come since the start of the part.
  Vec3 find_displacement(Index point) const {
    const NodeMap& map = terms_.contact.finder().map();
    const VecX& start = terms_.contact.friction().start();
    Vec3 u = Vec3::Zero();
    for (size_t k = 0; k < map.nodes_of(point).size(); ++k) {
      const Index node = map.nodes_of(point)[k];
      u += map.weights_of(point)[k] * (n_.segment<3>(3 * node) - start.segment<3>(3 * node));
    }
    return u;
  }

  StepTerms& terms_;
  ContactForces& forces_;
  const VecX& n_;
  std::map<IndexPair, Entry> entries_;
};

bool has_locks(const Body& body) {
  return std::find(body.is_locked.begin(), body.is_locked.end(), true) != body.is_locked.end();
}

// Whether anything but obstacles is held or driven.
bool holds_masses(const StepTerms& terms) {
  const std::vector<Body>& bodies = terms.model.kinematics.bodies;
  return std::any_of(bodies.begin(), bodies.end(), has_locks) ||
         std::any_of(terms.prescribed.begin(), terms.prescribed.end(), [&](Index node) {
           return !bodies[static_cast<size_t>(terms.node_bodies[static_cast<size_t>(node)])].is_obstacle();
         });
}

// The forces of all terms but inertia, contact and joints on the nodes, elasticity among them [N].
VecX compute_other_forces(StepTerms& terms, const StepPlan& plan, const VecX& n) {
  Objective& objective = terms.objective;
  std::vector<const Potential*> left_out = {&terms.inertia, &terms.joints};
  std::vector<double> weights = {plan.inertia, plan.scale};
  if (terms.has_contact) {
    left_out.insert(left_out.end(), {&terms.contact.barrier(), &terms.contact.friction()});
    weights.insert(weights.end(), 2, 1.0);
  }
  for (const Potential* term : left_out) objective.set_weight(*term, 0);
  VecX gradient;
  objective.compute_gradient(n, gradient);
  for (size_t k = 0; k < left_out.size(); ++k) objective.set_weight(*left_out[k], weights[k]);
  return -gradient / plan.end_scale;
}

// M a as the integrator sees it; of prescribed nodes a is the change of their velocities.
VecX compute_momentum_rates(const StepTerms& terms, const StepPlan& plan, const State& before,
                            const VecX& n) {
  VecX a = (n - plan.prediction.nodes) / plan.end_scale;
  for (const Index node : terms.prescribed) {
    const Vec3 velocity = (n - before.nodes).segment<3>(3 * node) / plan.length;
    a.segment<3>(3 * node) = (velocity - before.velocities.segment<3>(3 * node)) / plan.length;
  }
  VecX rates;
  multiply(terms.model.mass, a, rates);
  return rates;
}

// What is missing at each node for the equation of motion: at prescribed nodes the force that drives them.
VecX compute_missing_forces(StepTerms& terms, const StepPlan& plan, const State& before, const VecX& n,
                            const VecX& joints) {
  VecX missing = -joints;
  if (terms.has_contact) missing -= terms.contact_forces.on_nodes;
  if (!holds_masses(terms)) return missing;
  missing -= compute_other_forces(terms, plan, n);
  if (plan.inertia > 0) missing += compute_momentum_rates(terms, plan, before, n);
  return missing;
}

// The sum of forces on the nodes of a body; is_counted: a flag per node, or empty for all.
Wrench sum_forces(const Body& body, const VecX& forces, const VecX& n, const std::vector<char>& is_counted) {
  Wrench sum;
  for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
    if (is_counted.empty() || is_counted[static_cast<size_t>(i)] != 0) {
      sum.add(forces.segment<3>(3 * i), n.segment<3>(3 * i));
    }
  }
  return sum;
}

// The share of a body's missing force along the motions that it is not allowed.
Wrench find_lock_reaction(const Body& body, Wrench missing, const VecX& n) {
  const Vec3 centre = compute_centre(body, n);
  missing.move_to(centre);
  for (int k = 0; k < 3; ++k) {
    if (!body.is_locked[static_cast<size_t>(k)]) missing.force[k] = 0;
    if (!body.is_locked[static_cast<size_t>(k) + 3]) missing.torque[k] = 0;
  }
  missing.move_to(-centre);
  return missing;
}

// What a force of the equation counts for: of bodies that BDF2 gives the velocity of their path, its impulse
// is s_e F/h instead of h F.
double find_share(const StepTerms& terms, const StepPlan& plan, Index body) {
  const bool follows_path = body != kNone && terms.follows_path[static_cast<size_t>(body)] != 0;
  return follows_path ? plan.end_scale / (plan.length * plan.length) : 1;
}

PairForces& find_pair(Index a, Index b, std::vector<PairForces>& pairs) {
  const auto at = std::lower_bound(pairs.begin(), pairs.end(), IndexPair{a, b},
                                   [](const PairForces& pair, const IndexPair& bodies) {
                                     return IndexPair{pair.a, pair.b} < bodies;
                                   });
  if (at != pairs.end() && at->a == a && at->b == b) return *at;
  PairForces& pair = *pairs.insert(at, PairForces());
  pair.a = a;
  pair.b = b;
  return pair;
}

// Adds the contact forces of a part to those of the step. shares: of the pairs.
void add_pairs(const ContactForces& part, const std::vector<double>& shares, StepForces& forces) {
  for (PairForces& pair : forces.pairs) {
    pair.contacts = 0;
    pair.gap = std::numeric_limits<double>::infinity();
    pair.slip = pair.sticking = 0;
  }
  for (size_t k = 0; k < part.pairs.size(); ++k) {
    const PairForces& added = part.pairs[k].sum;
    PairForces& pair = find_pair(added.a, added.b, forces.pairs);
    pair.normal.add(shares[k], added.normal);
    pair.friction.add(shares[k], added.friction);
    pair.point += shares[k] * added.point;
    pair.pressing += shares[k] * added.pressing;
    pair.contacts = added.contacts;
    pair.gap = added.gap;
    pair.slip = added.slip;
    pair.sticking = added.sticking;
    BodyForces& a = forces.bodies[static_cast<size_t>(added.a)];
    BodyForces& b = forces.bodies[static_cast<size_t>(added.b)];
    a.normal.add(shares[k], added.normal);
    a.friction.add(shares[k], added.friction);
    if (added.a == added.b) continue;
    b.normal.add(shares[k], part.pairs[k].normal_on_b);
    b.friction.add(shares[k], part.pairs[k].friction_on_b);
  }
}

void add_contacts(StepTerms& terms, const StepPlan& plan, double share, StepForces& forces) {
  const ContactForces& part = terms.contact_forces;
  std::vector<double> shares;
  for (const ContactForces::Pair& pair : part.pairs) {
    shares.push_back(share *
                     std::min(find_share(terms, plan, pair.sum.a), find_share(terms, plan, pair.sum.b)));
  }
  add_pairs(part, shares, forces);
  const auto points = static_cast<size_t>(terms.model.kinematics.point_count);
  forces.normal.resize(points, Vec3::Zero());
  forces.friction.resize(points, Vec3::Zero());
  forces.pressing.resize(points, 0);
  for (const ContactForces::AtPoint& at : part.points) {
    forces.normal[static_cast<size_t>(at.point)] += shares[at.pair] * at.normal;
    forces.friction[static_cast<size_t>(at.point)] += shares[at.pair] * at.friction;
    forces.pressing[static_cast<size_t>(at.point)] += shares[at.pair] * at.pressing;
  }
}

// What holds or drives a body in the part.
Wrench find_reaction(const StepTerms& terms, const Body& body, const VecX& missing, const VecX& n) {
  const Wrench held = sum_forces(body, missing, n, terms.is_prescribed);
  if (!has_locks(body) || !held.force.isZero(0)) return held;
  return find_lock_reaction(body, sum_forces(body, missing, n, {}), n);
}

}  // namespace

void record_contact_forces(StepTerms& terms, const StepPlan& plan, const VecX& n) {
  if (!terms.has_contact) return;
  const trace::Scope scope("step.forces");
  ContactForceSum sum(terms, n);
  sum.add_barrier(plan.end_scale, plan.length);
  if (terms.contact.has_friction()) sum.add_friction(plan.end_scale, plan.length);
  sum.finish();
}

void add_part_forces(StepTerms& terms, const StepPlan& plan, const State& before, const VecX& n, double share,
                     StepForces& forces) {
  const trace::Scope scope("step.forces");
  const std::vector<Body>& bodies = terms.model.kinematics.bodies;
  const double through = plan.scale / plan.end_scale;  // of forces that act through the step
  VecX loads = VecX::Zero(n.size()), joints = VecX::Zero(n.size());
  add_load_gradient(terms, n, loads);
  if (plan.carries_forces) loads += terms.carried_loads;
  loads *= -through;
  terms.grabs.add_gradient(n, -1, loads);
  terms.joints.add_forces(n, joints);
  if (plan.carries_forces) joints -= through * terms.carried_springs;
  const VecX missing = compute_missing_forces(terms, plan, before, n, joints);

  forces.bodies.resize(bodies.size());
  if (terms.has_contact) add_contacts(terms, plan, share, forces);
  for (size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    BodyForces& sum = forces.bodies[b];
    sum.loads.add(share, sum_forces(body, loads, n, {}));
    if (!terms.joints.is_empty()) {
      sum.joints.add(share * find_share(terms, plan, static_cast<Index>(b)), sum_forces(body, joints, n, {}));
    }
    if (!body.is_obstacle()) sum.reaction.add(share, find_reaction(terms, body, missing, n));
  }
  forces.joints.resize(terms.model.joints.size());
  const std::vector<Joints::Load> held = terms.joints.compute_loads(n);
  for (size_t j = 0; j < held.size(); ++j) {
    const WeightedPoint& anchor = terms.model.joints[j].anchor_a;
    const Index a = anchor.nodes.empty() ? kNone : terms.node_bodies[static_cast<size_t>(anchor.nodes[0])];
    forces.joints[j].add(share * find_share(terms, plan, a), {held[j].force, held[j].torque});
  }
}

void finish_forces(const Kinematics& kinematics, const VecX& n, StepForces& forces) {
  for (size_t b = 0; b < kinematics.bodies.size(); ++b) {
    const Vec3 centre = compute_centre(kinematics.bodies[b], n);
    BodyForces& body = forces.bodies[b];
    if (kinematics.bodies[b].is_obstacle()) {
      // It has no mass, and what holds or drives it takes up all that acts on it.
      for (const Wrench* part : {&body.normal, &body.friction, &body.joints, &body.loads}) {
        body.reaction.add(-1, *part);
      }
    }
    for (Wrench* part : {&body.normal, &body.friction, &body.joints, &body.loads, &body.reaction}) {
      part->move_to(centre);
    }
  }
  for (PairForces& pair : forces.pairs) {
    if (pair.pressing > 0) pair.point /= pair.pressing;
    pair.normal.move_to(pair.point);
    pair.friction.move_to(pair.point);
  }
}

}  // namespace marrow
