#include "sim/start/check_start.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/activity.h"
#include "sim/start/describe_found.h"
#include "sim/start/gap.h"
#include "sim/start/model_witness.h"
#include "witness/enclosed.h"

namespace marrow {
namespace {

// The most pairs that a message names. [speed only: a list to read]
constexpr size_t kNamedPairs = 5;

// The least gap that a run can start with, relative to the scene. [safety net: a million units of rounding]
constexpr double kLeastRoom = 1e-10;

// Gaps below this fraction of d_hat get a note. [speed only: a note to read]
constexpr double kNear = 0.5;

// Names bodies that start in the volume of others. The guarantee is about surfaces, so this is no error.
std::vector<std::string> describe_enclosed(const StartReport& report, const Kinematics& kinematics) {
  std::vector<std::string> sentences;
  if (!report.is_contact_on) return sentences;
  const std::vector<EnclosedBody> enclosed = find_enclosed_bodies(report.witness);
  for (size_t i = 0; i < std::min(kNamedPairs, enclosed.size()); ++i) {
    sentences.push_back(
        fmt::format("\"{}\" starts inside \"{}\": only surfaces are kept apart, so it stays inside",
                    kinematics.bodies[static_cast<size_t>(enclosed[i].inner)].name,
                    kinematics.bodies[static_cast<size_t>(enclosed[i].outer)].name));
  }
  if (enclosed.size() > kNamedPairs) {
    sentences.push_back(fmt::format("{} more bodies start inside others", enclosed.size() - kNamedPairs));
  }
  return sentences;
}

}  // namespace

StartReport check_start(const Model& model, const State& state) {
  const Activity activity("looking for intersections at the start");
  Points points;
  compute_points(model.kinematics, state.nodes, points);
  StartReport report{make_witness(model), {}, {}, {}, 0, 0, model.contact.is_enabled, state.nodes};
  report.witness.move_to(points);
  // Bodies that press may be closer when a run continues.
  report.least_gap = state.step == 0 ? kLeastRoom * model.contact.reference_length : 0;
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
                      "Bodies must not intersect at the start: move them, repair the mesh, or let them "
                      "ignore each other with contact.pairs."};
}

std::vector<std::string> list_start_notes(const StartReport& report, const Kinematics& kinematics) {
  if (!report.can_start()) return {};
  std::vector<std::string> notes = describe_enclosed(report, kinematics);
  if (report.acting_gap && *report.acting_gap < kNear * report.d_hat) {
    notes.push_back(fmt::format(
        "at the start bodies are only {:.3g} m apart, well within contact.d_hat, {:.3g} m: such small gaps "
        "remain while the bodies press, which costs iterations. Leave more room, or use a smaller d_hat",
        *report.acting_gap, report.d_hat));
  }
  return notes;
}

void require_start(const StartReport& report, const Kinematics& kinematics, const Location& where) {
  if (const std::optional<StartProblem> found = find_start_problem(report, kinematics)) {
    throw InputError(where, found->problem, found->advice);
  }
}

}  // namespace marrow
