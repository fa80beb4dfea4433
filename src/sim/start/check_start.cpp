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

// The first elements that meet, a line each.
void list_elements(const std::vector<OffendingPair>& pairs, const Kinematics& kinematics, std::string& text) {
  for (size_t i = 0; i < std::min(kNamedPairs, pairs.size()); ++i) {
    text += "\n    " + describe_pair(pairs[i], &kinematics);
  }
  if (pairs.size() > kNamedPairs) text += fmt::format("\n    and {} more", pairs.size() - kNamedPairs);
}

// The bodies that meet, a line each, with the move that parts them, and what helps.
void describe_bodies(const StartReport& report, const Kinematics& kinematics, StartProblem& found) {
  bool is_any_joined = false, meets_itself = false;
  for (size_t i = 0; i < std::min(kNamedPairs, report.meeting.size()); ++i) {
    const MeetingBodies& pair = report.meeting[i];
    found.problem += "\n    " + describe_meeting(pair, kinematics);
    const std::string move = describe_move(pair, kinematics, report.up);
    is_any_joined = is_any_joined || pair.is_joined;
    meets_itself = meets_itself || pair.a == pair.b;
    if (pair.is_joined) {
      found.problem += ", and a joint joins them";
    } else if (!move.empty()) {
      found.problem += ": " + move;
    }
  }
  if (report.meeting.size() > kNamedPairs) {
    found.problem += fmt::format("\n    and {} more pairs of bodies", report.meeting.size() - kNamedPairs);
  }
  const std::vector<OffendingPair>& elements = report.found.surfaces.pairs;
  if (!elements.empty() && !meets_itself) {
    found.problem += "\n    the first elements that meet: " + describe_pair(elements.front(), &kinematics);
  }
  for (const MeetingBodies& pair : report.meeting) {
    const bool is_moved = !pair.is_joined && pair.a != pair.b;
    found.can_be_parted = found.can_be_parted || is_moved;
  }
  if (is_any_joined) {
    found.advice +=
        " Let bodies that a joint joins ignore each other: \"ignore_contact\": true in the joint.";
  }
  if (meets_itself) {
    found.advice +=
        " A body that meets itself needs a repaired mesh, or \"self_contact\": false; the elements are:";
    std::vector<OffendingPair> own;
    for (const OffendingPair& pair : report.found.surfaces.pairs) {
      if (pair.a.body == pair.b.body) own.push_back(pair);
    }
    list_elements(own, kinematics, found.advice);
  }
  if (found.can_be_parted) {
    found.advice += " Move them as proposed, or let them ignore each other with contact.pairs.";
  }
}

}  // namespace

StartReport check_start(const Model& model, const State& state) {
  const Activity activity("looking for intersections at the start");
  Points points;
  compute_points(model.kinematics, state.nodes, points);
  StartReport report{make_witness(model), {}, {}, {}, 0, 0, model.contact.is_enabled, state.nodes, {},
                     find_up(model)};
  report.witness.move_to(points, list_nodes(state.nodes));
  // Bodies that press may be closer when a run continues.
  report.least_gap = state.step == 0 ? kLeastRoom * model.contact.reference_length : 0;
  report.d_hat = model.contact.d_hat;
  if (!model.contact.is_enabled) {
    report.found.tets = report.witness.check_tets();
    return report;
  }
  report.found = report.witness.check();
  const auto find_meeting = [&] {
    if (state.step > 0 || report.can_start() || !report.found.surfaces.not_finite.empty()) return;
    report.meeting =
        list_meeting_bodies(model, report.witness, report.found.surfaces, report.least_gap, kNamedPairs);
  };
  if (!report.found.is_clean()) {
    find_meeting();
    return report;
  }
  GapMeter meter(model);
  report.gap = meter.measure(points);
  find_meeting();
  if (report.gap && *report.gap < kNear * report.d_hat) report.acting_gap = meter.measure_acting(points);
  return report;
}

std::optional<StartProblem> find_start_problem(const StartReport& report, const Kinematics& kinematics) {
  if (report.can_start()) return std::nullopt;
  StartProblem found;
  if (report.has_room()) {
    found = {"at the start " + describe_report(report.found),
             "Bodies must not touch or intersect at the start."};
  } else {
    found = {fmt::format("at the start bodies are only {:.3g} m apart", *report.gap),
             fmt::format("That is little more than rounding: leave at least {:.1g} m between them.",
                         10 * report.least_gap)};
  }
  if (report.meeting.empty()) {
    list_elements(report.found.surfaces.pairs, kinematics, found.problem);
  } else {
    describe_bodies(report, kinematics, found);
  }
  return found;
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
