#include "output/check_start.h"

#include <fmt/format.h>

#include <algorithm>

#include "output/describe_found.h"
#include "output/gap.h"

namespace marrow {
namespace {

constexpr size_t kNamedPairs = 5;

// The least gap that a run can start with, relative to the scene.
constexpr double kLeastRoom = 1e-10;

// Of d_hat: nearer than this, bodies push each other away hard.
constexpr double kNear = 0.5;

}  // namespace

StartReport check_start(const Model& model, const State& state) {
  Points points;
  compute_points(model.kinematics, state.nodes, points);
  StartReport report{Witness(model), {}, {}, {}, 0, 0};
  report.witness.move_to(points);
  report.least_gap = kLeastRoom * model.contact.reference_length;
  report.d_hat = model.contact.d_hat;
  if (!model.contact.is_enabled) {
    report.found.tets = report.witness.check_tets();
    return report;
  }
  report.found = report.witness.check();
  if (!report.found.is_clean()) return report;
  GapMeter meter(model);
  report.gap = meter.measure(points);
  if (report.gap && *report.gap < kNear * report.d_hat) report.acting_gap = meter.measure_acting(points);
  return report;
}

std::optional<StartProblem> find_start_problem(const StartReport& report, const Kinematics& kinematics) {
  if (report.can_start()) return std::nullopt;
  if (!report.has_room()) {
    return StartProblem{
        fmt::format("at the start bodies are only {:.3g} m apart", *report.gap),
        fmt::format("That is little more than rounding: leave at least {:.1g} m between them.",
                    10 * report.least_gap)};
  }
  const std::vector<OffendingPair>& pairs = report.found.surfaces.pairs;
  std::string problem = "at the start " + describe_report(report.found);
  for (size_t i = 0; i < std::min(kNamedPairs, pairs.size()); ++i) {
    problem += "\n    " + describe_pair(pairs[i], &kinematics);
  }
  if (pairs.size() > kNamedPairs) problem += fmt::format("\n    and {} more", pairs.size() - kNamedPairs);
  return StartProblem{problem,
                      "A run must start apart: move the bodies, mend the mesh, or let bodies ignore each "
                      "other with contact.pairs."};
}

std::optional<std::string> find_start_note(const StartReport& report) {
  if (!report.can_start() || !report.acting_gap || *report.acting_gap >= kNear * report.d_hat) return {};
  return fmt::format(
      "at the start bodies are only {:.3g} m apart, well within contact.d_hat, {:.3g} m: they push "
      "each other away at first. For a quiet start leave more room, or give a smaller d_hat",
      *report.acting_gap, report.d_hat);
}

void require_start(const Model& model, const State& state, const Location& where) {
  const StartReport report = check_start(model, state);
  if (const std::optional<StartProblem> found = find_start_problem(report, model.kinematics)) {
    throw InputError(where, found->problem, found->advice);
  }
}

}  // namespace marrow
