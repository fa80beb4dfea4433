#include "sim/terms/step_forces.h"

#include <algorithm>
#include <cmath>

#include "core/trace.h"
#include "exec/buckets.h"
#include "exec/parallel.h"
#include "sim/model/pose.h"
#include "sim/terms/contact_force_sum.h"

namespace marrow {
namespace {

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
  exec::Buckets<Index> of_point;
  exec::parallel_buckets(
      "forces.by_point", part.points.size(), points,
      [&](size_t k, const auto& emit) { emit(part.points[k].point, static_cast<Index>(k)); }, of_point);
  exec::parallel_for("forces.on_points", points, [&](size_t i) {
    for (Index k = of_point.offsets[i]; k < of_point.offsets[i + 1]; ++k) {
      const ContactForces::AtPoint& at =
          part.points[static_cast<size_t>(of_point.items[static_cast<size_t>(k)])];
      forces.normal[i] += shares[at.pair] * at.normal;
      forces.friction[i] += shares[at.pair] * at.friction;
      forces.pressing[i] += shares[at.pair] * at.pressing;
    }
  });
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
  terms.contact_forces = sum_contact_forces(terms, n, plan.end_scale, plan.length);
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
