#include "sim/integrators/rebounds.h"

#include <algorithm>

#include "core/disjoint_sets.h"
#include "kinematics/free_flight.h"

namespace marrow {
namespace {

// A velocity has jumped if it differs by more than this fraction of itself from the extrapolation of the last
// two steps, or of the only one. More: fewer impacts are noticed, and BDF2 returns half of the velocity
// there. [ablation: rebounds]
constexpr double kVelocityJump = 0.5;

// True if the velocity of an affine or rigid body has jumped. After a first step, when the acceleration of
// the body is not known, this requires a velocity that an impact can have removed.
bool has_jumped(const Body& body, const State& before, const VecX& velocities, double unnoticed) {
  if (!body.moves_as_one()) return false;
  const auto part = [&](const VecX& x) { return x.segment(3 * body.first_node, 3 * body.node_count); };
  const bool is_first = before.previous_velocities.size() == 0;
  VecX expected = part(before.velocities);
  if (!is_first) expected = 2 * expected - part(before.previous_velocities);
  const double speed_before = part(before.velocities).norm();
  const double speed = std::max(part(velocities).norm(), speed_before);
  const double jump = (part(velocities) - expected).norm();
  return jump > std::max(kVelocityJump * speed, unnoticed) &&
         (!is_first || speed_before > kVelocityJump * jump);
}

// True if something without momentum of its own holds the body up.
bool is_held(const Body& body, const std::vector<char>& is_fixed) {
  const bool is_locked =
      std::find(body.is_locked.begin(), body.is_locked.end(), true) != body.is_locked.end();
  return body.is_obstacle() || is_locked || has_fixed(body, is_fixed);
}

// The momentum of a body's nodes with these velocities.
Vec3 compute_momentum(const Body& body, const ScalarMatrix& lumped, const VecX& velocities) {
  Vec3 sum = Vec3::Zero();
  for (Index i = body.first_node; i < body.first_node + body.node_count; ++i) {
    sum += lumped.values[i] * velocities.segment<3>(3 * i);
  }
  return sum;
}

// Bodies that act on each other.
struct BodySets {
  DisjointSets sets;
  std::vector<char> is_held, is_hit;  // by the number of the set
  std::vector<char> is_touched;       // by body

  BodySets(const Model& model, const std::vector<char>& is_fixed, const std::vector<IndexPair>& coupled)
      : sets(model.kinematics.bodies.size()),
        is_held(model.kinematics.bodies.size(), 0),
        is_hit(model.kinematics.bodies.size(), 0),
        is_touched(model.kinematics.bodies.size(), 0) {
    const std::vector<Body>& bodies = model.kinematics.bodies;
    std::vector<char> held(bodies.size(), 0);
    for (size_t b = 0; b < bodies.size(); ++b) held[b] = marrow::is_held(bodies[b], is_fixed) ? 1 : 0;
    const auto is_obstacle = [&](Index b) { return b == kNone || bodies[b].is_obstacle(); };
    for (const auto& [a, b] : coupled) {
      for (const Index body : {a, b}) {
        if (body != kNone) is_touched[body] = 1;
      }
      if (!is_obstacle(a) && !is_obstacle(b)) sets.join(static_cast<size_t>(a), static_cast<size_t>(b));
      if (!is_obstacle(a) && is_obstacle(b)) held[a] = 1;
      if (is_obstacle(a) && !is_obstacle(b)) held[b] = 1;
    }
    for (size_t b = 0; b < bodies.size(); ++b) is_held[sets.find(b)] |= held[b];
  }
};

}  // namespace

std::vector<const Body*> stop_rebounds(const Model& model, const std::vector<char>& is_fixed,
                                       const State& before, const std::vector<IndexPair>& coupled,
                                       const VecX& path, VecX& velocities) {
  const std::vector<Body>& bodies = model.kinematics.bodies;
  const double unnoticed = model.newton.tolerance * model.size;  // left open by Newton [m/s]
  BodySets sets(model, is_fixed, coupled);
  for (size_t b = 0; b < bodies.size(); ++b) {
    const bool is_hit = sets.is_touched[b] != 0 && has_jumped(bodies[b], before, velocities, unnoticed);
    if (is_hit) sets.is_hit[sets.sets.find(b)] = 1;
  }
  const ScalarMatrix lumped = lump_rows(model.mass);
  Points lost(bodies.size(), Vec3::Zero());  // momentum, by set
  std::vector<double> masses(bodies.size(), 0);
  std::vector<const Body*> stopped;
  for (size_t b = 0; b < bodies.size(); ++b) {
    const size_t set = sets.sets.find(b);
    if (sets.is_hit[set] == 0) continue;
    const Body& body = bodies[b];
    const Index first = 3 * body.first_node, count = 3 * body.node_count;
    lost[set] += compute_momentum(body, lumped, velocities);
    velocities.segment(first, count) = path.segment(first, count);
    lost[set] -= compute_momentum(body, lumped, velocities);
    for (Index i = 0; i < body.node_count; ++i) masses[set] += lumped.values[body.first_node + i];
    stopped.push_back(&body);
  }
  for (const Body* body : stopped) {
    const size_t set = sets.sets.find(static_cast<size_t>(body - bodies.data()));
    if (sets.is_held[set] != 0) continue;
    const Vec3 change = lost[set] / masses[set];
    velocities.segment(3 * body->first_node, 3 * body->node_count) += change.replicate(body->node_count, 1);
  }
  return stopped;
}

void restart_history(const std::vector<const Body*>& bodies, double h, State& state) {
  for (const Body* body : bodies) {
    const Index first = 3 * body->first_node, count = 3 * body->node_count;
    state.previous_velocities.segment(first, count) = state.velocities.segment(first, count);
    state.path_velocities.segment(first, count) = state.velocities.segment(first, count);
    // For a body that turns, the previous nodes give only the arms of its angular momentum.
    state.previous_nodes.segment(first, count) = state.nodes.segment(first, count);
    if (body->moves_as_one()) continue;
    state.previous_nodes.segment(first, count) -= h * state.velocities.segment(first, count);
  }
}

}  // namespace marrow
