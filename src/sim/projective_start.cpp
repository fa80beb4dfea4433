#include "sim/projective_start.h"

#include "core/trace.h"
#include "kinematics/charts.h"
#include "sim/projective_polish.h"
#include "sim/terms/predict.h"
#include "solve/line_search.h"

namespace marrow {
namespace {

void add_report(const ProjectiveReport& part, ProjectiveReport& total) {
  total.iterations += part.iterations;
  total.residual = part.residual;
  total.constraints = part.constraints;
  total.local_seconds += part.local_seconds;
  total.global_seconds += part.global_seconds;
}

}  // namespace

VecX project_part(StepTerms& terms, const StepPlan& plan, const VecX& n, const FindTargets& find_targets,
                  ProjectiveReport& report) {
  const trace::Scope scope("projective.total");
  terms.projection->prepare(terms.is_prescribed, plan.length);
  VecX loads = VecX::Zero(n.size());
  add_load_gradient(terms, n, loads);
  const NodePath expected = find_expected_path(terms, plan, n);
  VecX end = expected.at(1);
  std::vector<SpringRow> springs;
  for (const GrabSprings::Row& row : terms.grabs.list_rows()) {
    springs.push_back({row.point, row.stiffness, row.centre, row.reach});
  }
  report = terms.projection->solve(plan.prediction.nodes, loads, springs, find_targets, end);
  return end;
}

void start_at_projection(StepTerms& terms, const StepPlan& plan, VecX& n, ProjectiveReport& report) {
  if (plan.length != terms.model.time.step) return predict(terms, plan, n);
  ProjectiveReport own;
  const VecX end = project_part(terms, plan, n, {}, own);
  add_report(own, report);
  const NodePath path = {n, end - n, find_turns(terms.model.kinematics, n, end)};
  VecX& gradient = terms.work.gradient;
  terms.objective.compute_gradient(n, gradient);
  clear_fixed(terms.is_prescribed, gradient);
  const double slope = gradient.dot(path.direction);
  if (slope < 0) {
    search_and_move(terms.objective, {terms.objective.compute_value(n), slope}, path, n);
  } else {
    move_if_better(terms.objective, path, n);
  }
  report.quasi_newton_iterations += polish(terms, plan, n).iterations;
}

}  // namespace marrow
