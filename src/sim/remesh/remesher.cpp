#include "sim/remesh/remesher.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/trace.h"
#include "exec/parallel.h"
#include "potentials/elastic/elasticity.h"
#include "sim/remesh/body_splits.h"
#include "sim/remesh/patch_solve.h"
#include "sim/start/model_witness.h"
#include "sim/step.h"

namespace marrow {
namespace {

struct RemeshHeuristics {
  // A body whose strain energy is below this part of its stiffness times its volume counts as if it had that
  // much: a strain of about 5e-5. [derived: below that, gains are those of a body that hardly deforms]
  double least_energy = 1e-9;
  // Bodies may have this many times the nodes of their mesh, unless the scene says otherwise. [derived: as
  // many as a uniform refinement makes]
  int most_growth = 8;
  // Where bounds do not decide, edges whose lower bound is below this part of the threshold are not solved.
  // [derived: in all cases of ../shared/math2.md B4 the gain is less than 4 times the lower bound]
  double least_share = 0.25;
};
constexpr RemeshHeuristics kRemesh;

// The elastic energy and the stiffness times the volume of a body [J].
struct BodyEnergy {
  double elastic = 0, unit = 0;
};

BodyEnergy measure_energy(const Model& model, const RemeshedBody& facts, const VecX& n) {
  const Elements& all = model.kinematics.elements;
  const Body& body = model.kinematics.bodies[facts.body];
  size_t first = 0;
  while (all.nodes[all.offsets[first]] < body.first_node) ++first;
  Elements own;
  for (size_t e = first; e < first + body.rest.tets.size(); ++e) {
    for (Index k = all.offsets[e]; k < all.offsets[e + 1]; ++k) {
      own.nodes.push_back(all.nodes[k]);
      own.gradients.push_back(all.gradients[k]);
    }
    own.offsets.push_back(static_cast<Index>(own.nodes.size()));
    own.volumes.push_back(all.volumes[e]);
    own.materials.push_back(all.materials[e]);
  }
  BodyEnergy energy;
  energy.elastic = compute_elastic_energy(own, model.materials, n);
  const Material& material = model.materials[facts.material];
  for (const double volume : own.volumes)
    energy.unit += volume * (material.lame_lambda + 2 * material.lame_mu);
  return energy;
}

double choose_threshold(const RemeshOptions& options, const BodyEnergy& energy) {
  if (options.gain) return *options.gain;
  return options.gain_relative * std::max(energy.elastic, kRemesh.least_energy * energy.unit);
}

// Whether only a solve can tell the gain: contact acts there, or there is no upper bound.
bool needs_solve(const SplitGain& gain) { return gain.touches || !std::isfinite(gain.most); }

// The gain between its bounds, which are rarely more than a factor of 4 apart.
double estimate_gain(const SplitGain& gain) { return std::sqrt(gain.least * gain.most); }

// The edges that may gain enough, the most promising first; no two share a tet.
std::vector<SplitGain> choose_splits(std::vector<SplitGain> gains, const Body& body, double threshold,
                                     const RemeshOptions& options, size_t most, RemeshReport& report) {
  std::erase_if(gains, [&](const SplitGain& gain) {
    if (gain.is_fixed) return true;
    const double length = (body.rest.points[gain.edge[0]] - body.rest.points[gain.edge[1]]).norm();
    if (length < 2 * options.min_edge) return true;
    if (needs_solve(gain)) return gain.least < kRemesh.least_share * threshold;
    return !(estimate_gain(gain) > threshold);
  });
  report.proposals += static_cast<int>(gains.size());
  std::sort(gains.begin(), gains.end(), [](const SplitGain& a, const SplitGain& b) {
    return a.least != b.least ? a.least > b.least : a.edge < b.edge;
  });
  const Buckets<Index> tets_at = fill_buckets<Index>(body.rest.points.size(), [&](const auto& visit) {
    for (size_t t = 0; t < body.rest.tets.size(); ++t) {
      for (const Index i : body.rest.tets[t]) visit(i, static_cast<Index>(t));
    }
  });
  std::vector<char> is_taken(body.rest.tets.size(), 0);
  std::vector<SplitGain> chosen;
  for (const SplitGain& gain : gains) {
    if (chosen.size() == most) break;
    std::vector<Index> star;
    for (const Index t : tets_at.of(static_cast<size_t>(gain.edge[0]))) {
      const Tet& tet = body.rest.tets[t];
      if (std::find(tet.begin(), tet.end(), gain.edge[1]) != tet.end()) star.push_back(t);
    }
    if (std::any_of(star.begin(), star.end(), [&](Index t) { return is_taken[t] != 0; })) continue;
    for (const Index t : star) is_taken[t] = 1;
    chosen.push_back(gain);
  }
  return chosen;
}

// The gain of each, by bounds where there are two, else by a solve.
std::vector<double> measure_gains(const std::vector<SplitGain>& splits, const SolvedStep& step,
                                  const RemeshedBody& facts, const State& before, const State& after,
                                  RemeshReport& report) {
  std::vector<double> gains;
  std::vector<size_t> open;
  for (size_t i = 0; i < splits.size(); ++i) {
    gains.push_back(estimate_gain(splits[i]));
    if (needs_solve(splits[i])) open.push_back(i);
  }
  if (open.empty()) return gains;
  report.solved += static_cast<int>(open.size());
  const PatchSolver solver(step, facts, before, after);
  exec::parallel_for(
      "remesh.patches", open.size(), [&](size_t k) { gains[open[k]] = solver.solve(splits[open[k]]); }, 1);
  return gains;
}

// A vector over the nodes after the new points of a body: those of the body, with the means of their ends.
VecX extend(const VecX& n, const Body& body, const std::vector<Edge>& parents) {
  if (n.size() == 0) return n;
  const Index before = 3 * (body.first_node + body.node_count);
  const auto added = 3 * static_cast<Index>(parents.size());
  VecX out(n.size() + added);
  out.head(before) = n.head(before);
  out.tail(n.size() - before) = n.tail(n.size() - before);
  for (size_t i = 0; i < parents.size(); ++i) {
    const Index a = 3 * (body.first_node + parents[i][0]), b = 3 * (body.first_node + parents[i][1]);
    out.segment<3>(before + 3 * static_cast<Index>(i)) = 0.5 * (out.segment<3>(a) + out.segment<3>(b));
  }
  return out;
}

void extend_state(const Body& body, const std::vector<Edge>& parents, State& state) {
  for (VecX* values : {&state.nodes, &state.velocities, &state.previous_nodes, &state.previous_velocities,
                       &state.path_velocities}) {
    *values = extend(*values, body, parents);
  }
}

void put_mesh(std::shared_ptr<const ChangedMesh> mesh, ChangedMeshes& meshes) {
  for (auto& known : meshes) {
    if (known->body != mesh->body) continue;
    known = std::move(mesh);
    return;
  }
  meshes.push_back(std::move(mesh));
  std::sort(meshes.begin(), meshes.end(), [](const auto& a, const auto& b) { return a->body < b->body; });
}

bool starts_cleanly(const Model& model, const VecX& n) {
  Witness witness = make_witness(model);
  Points points;
  compute_points(model.kinematics, n, points);
  witness.move_to(points);
  return witness.count().is_clean();
}

}  // namespace

// What a round makes.
struct Remesher::Round {
  State before;  // with the new meshes
  VecX end;      // where the last solve led, on the new meshes
  Model model;
};

Remesher::Remesher(Model& model, const State& state, std::function<void()> before_change)
    : base_(model), model_(model), before_change_(std::move(before_change)) {
  if (!state.meshes.empty()) model_ = apply_meshes(base_, state.meshes);
}

void Remesher::set_meshes(StepMaker& maker, Model next) {
  if (before_change_) before_change_();
  maker.drop();
  model_ = std::move(next);
  maker.make();
}

// Splits the edges of all bodies. False if there is none to split.
bool Remesher::split(StepMaker& maker, State& before, const State& after, StepReport& report, Round& round) {
  const trace::Scope scope("remesh.split");
  StepTerms& terms = maker.terms();
  RemeshReport& own = report.remesh;
  const double h = model_.time.step;
  const StepPlan plan = find_integrator(model_.time.integrator).plan(model_, terms.is_prescribed, before, h);
  VecX contact = VecX::Zero(after.nodes.size());
  if (terms.has_contact) {
    terms.contact.barrier().add_gradient(after.nodes, 1, contact);
    if (terms.contact.has_friction()) terms.contact.friction().add_gradient(after.nodes, 1, contact);
  }
  const SolvedStep step = {terms, plan, after.nodes, contact};
  round.before = before;
  round.end = after.nodes;
  int splits = 0;
  double gained = 0;
  Index shift = 0;  // of nodes, by the bodies before
  for (const RemeshedBody& facts : model_.remeshed) {
    const Body& body = model_.kinematics.bodies[facts.body];
    const Index nodes = body.node_count;
    const Index most = facts.options.max_nodes.value_or(kRemesh.most_growth *
                                                        base_.kinematics.bodies[facts.body].node_count);
    own.is_capped = own.is_capped || nodes >= most;
    if (nodes >= most) continue;
    const double threshold = choose_threshold(facts.options, measure_energy(model_, facts, after.nodes));
    const std::vector<SplitGain> chosen =
        choose_splits(bound_split_gains(step, facts), body, threshold, facts.options,
                      static_cast<size_t>(most - nodes), own);
    const std::vector<double> gains = measure_gains(chosen, step, facts, before, after, own);
    BodySplits edits(model_, facts, before.nodes, after.nodes);
    std::vector<size_t> refused;
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (!(gains[i] > threshold)) continue;
      if (edits.split(chosen[i].edge)) {
        gained += gains[i];
      } else {
        refused.push_back(i);
      }
    }
    for (const size_t i : refused) {
      if (edits.split_after_longer(chosen[i].edge, most - nodes)) {
        gained += gains[i];
      } else {
        ++own.refused;
      }
    }
    const std::vector<Edge> parents = edits.list_parents();
    if (parents.empty()) continue;
    splits += static_cast<int>(parents.size());
    put_mesh(edits.make_mesh(find_mesh(before.meshes, facts.body)), round.before.meshes);
    Body moved = body;  // where its nodes are by now
    moved.first_node += shift;
    extend_state(moved, parents, round.before);
    round.end = extend(round.end, moved, parents);
    shift += static_cast<Index>(parents.size());
  }
  if (splits == 0) return false;
  round.model = apply_meshes(base_, round.before.meshes);
  if (!starts_cleanly(round.model, round.before.nodes)) return false;
  own.splits += splits;
  own.gain += gained;
  return true;
}

StepReport Remesher::take_step(StepMaker& maker, State& state) {
  State before = state;
  StepReport report = marrow::take_step(maker.terms(), state);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  report.remesh.is_on = true;
  int rounds = 0;
  for (const RemeshedBody& facts : model_.remeshed) rounds = std::max(rounds, facts.options.rounds);
  for (int k = 0; k < rounds; ++k) {
    // A step in parts ends with another equation than that of the whole.
    if (!is_success(report.newton.verdict) || report.substeps != 1) break;
    Round round;
    RemeshReport remesh = report.remesh;
    if (!split(maker, before, state, report, round)) break;
    Model kept = model_;
    set_meshes(maker, std::move(round.model));
    State next = round.before;
    maker.terms().expected = std::move(round.end);
    StepReport again = marrow::take_step(maker.terms(), next);
    maker.terms().expected.resize(0);
    ++report.remesh.rounds;
    if (!is_success(again.newton.verdict)) {  // the step stands as it was
      set_meshes(maker, std::move(kept));
      remesh.rounds = report.remesh.rounds;
      report.remesh = remesh;
      break;
    }
    const NewtonReport earlier = report.newton;
    remesh = report.remesh;
    report = std::move(again);
    report.newton.iterations += earlier.iterations;
    report.newton.halvings += earlier.halvings;
    report.newton.linear_iterations += earlier.linear_iterations;
    report.newton.inversion_limits += earlier.inversion_limits;
    report.newton.collision_limits += earlier.collision_limits;
    report.remesh = remesh;
    before = std::move(round.before);
    state = std::move(next);
  }
  for (const RemeshedBody& facts : model_.remeshed)
    report.remesh.nodes += model_.kinematics.bodies[facts.body].node_count;
  report.remesh.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return report;
}

}  // namespace marrow
