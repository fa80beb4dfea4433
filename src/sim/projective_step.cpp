#include "sim/projective_step.h"

#include <utility>

#include "sim/projective_start.h"
#include "sim/reach_targets.h"
#include "sim/terms/step_forces.h"

namespace marrow {
namespace {

// Vertices are looked for in the first iteration of a step and in every fifth. In between, those that were
// found are drawn to the planes found. [measured: bench/results/projective.md, detection]
constexpr int kDetectEvery = 5;

void add_deepest(const std::vector<Penetration>& found, ProjectiveReport& report) {
  for (const Penetration& p : found) {
    if (p.depth <= report.penetration) continue;
    report.penetration = p.depth;
    report.penetrating_body = p.point_body;
    report.penetrated_body = p.body;
  }
}

}  // namespace

StepReport take_unguarded_step(StepTerms& terms, State& state) {
  const trace::Scope scope("step.total");
  const Model& model = terms.model;
  StepReport report;
  report.step = state.step + 1;
  report.time = report.step * model.time.step;
  const Interval interval = {model.time.step, report.time};
  update_prescribed(terms, interval.end);
  const TimeIntegrator& integrator = get_implicit_euler();
  const StepPlan plan = integrator.plan(model, terms.is_prescribed, state, interval.length);
  start_part(terms, plan, interval, state);
  if (terms.observer) terms.observer(state.nodes, true);

  VecX n = state.nodes;
  const Points targets = compute_targets(terms, interval.end);
  for (size_t k = 0; k < targets.size(); ++k) n.segment<3>(3 * terms.prescribed[k]) = targets[k];
  PenetrationFinder& finder = *terms.penetrations;
  Points start;
  compute_points(model.kinematics, state.nodes, start);
  std::vector<Penetration> found;
  int iteration = 0;
  const FindTargets find_targets = [&](const VecX& at, const Points& x, std::vector<GhostTarget>& drawn) {
    if (iteration++ % kDetectEvery == 0) finder.find(at, x, &start, found);
    finder.draw(found, start, x, drawn);
  };
  n = project_part(terms, plan, n, model.contact.is_enabled ? find_targets : FindTargets(),
                   report.projective);
  report.projective.is_unguarded = true;
  terms.objective.report_move(n);

  Points x;
  compute_points(model.kinematics, n, x);
  finder.find(n, x, nullptr, found);
  report.pulls = terms.grabs.compute_pulls(n);
  add_deepest(found, report.projective);
  integrator.finish(terms, plan, std::move(n), state);
  forget_history(state);
  state.step = report.step;
  state.time = report.time;
  report.substeps = 1;
  report.contacts = report.projective.contacts;
  report.end_scale = plan.end_scale;
  report.forces.bodies.resize(model.kinematics.bodies.size());
  add_conserved(model, state, report);
  return report;
}

}  // namespace marrow
