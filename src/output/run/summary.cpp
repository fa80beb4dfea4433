#include "output/run/summary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/file.h"

namespace marrow {
namespace {

using nlohmann::json;

std::optional<std::int64_t> count_at(const json& line, const char* name) {
  const auto found = line.find(name);
  if (found == line.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

// A number, or null if there is none.
template <class Number>
json to_json(const std::optional<Number>& number) {
  return number ? json(*number) : json();
}

// The number of this name; 0 if there is none.
template <class Number>
Number number_at(const json& line, const char* name) {
  const auto found = line.find(name);
  return found != line.end() && found->is_number() ? found->get<Number>() : Number(0);
}

void add_line(const json& line, RunTotals& totals) {
  ++totals.steps;
  totals.seconds += number_at<double>(line, "wall_time");
  totals.newton_iterations += number_at<std::int64_t>(line, "iterations");
  totals.contacts_max = std::max(totals.contacts_max, number_at<std::int64_t>(line, "contacts"));
  if (line.contains("min_gap") && line["min_gap"].is_number()) {
    const double gap = line["min_gap"].get<double>();
    totals.min_gap = std::min(gap, totals.min_gap.value_or(gap));
  }
  totals.found +=
      {count_at(line, "intersections"), count_at(line, "inversions"), count_at(line, "not_finite")};
  totals.split_steps += number_at<int>(line, "substeps") > 1 ? 1 : 0;
  const double remaining = number_at<double>(line, "motion_remaining");
  totals.joint_residual = std::max(totals.joint_residual, number_at<double>(line, "joint_residual"));
  totals.joints_broken = std::max(totals.joints_broken, number_at<int>(line, "joints_broken"));
  const auto projective = line.find("projective");
  if (projective != line.end() && projective->is_object()) {
    totals.projective_iterations += number_at<std::int64_t>(*projective, "iterations");
    totals.projective_residual =
        std::max(totals.projective_residual, number_at<double>(*projective, "residual"));
    totals.local_seconds += number_at<double>(*projective, "local_seconds");
    totals.global_seconds += number_at<double>(*projective, "global_seconds");
    const double penetration = number_at<double>(*projective, "penetration");
    totals.penetration = std::max(totals.penetration, penetration);
    totals.penetrating_steps += penetration > 0 ? 1 : 0;
  }
  totals.slowed_steps += remaining > 0 ? 1 : 0;
  totals.motion_shortfall = std::max(totals.motion_shortfall, remaining);
}

// Whoever reads the file learns whether bodies were kept apart.
void add_projective(const RunTotals& totals, const Model& model, nlohmann::ordered_json& text) {
  if (model.stepper != Stepper::Projective) return;
  text["stepper"] = "projective";
  text["contact"] = enum_name(model.projective.contact);
  text["projective_iterations"] = totals.projective_iterations;
  text["projective_residual"] = totals.projective_residual;
  text["local_seconds"] = totals.local_seconds;
  text["global_seconds"] = totals.global_seconds;
  if (!model.is_unguarded()) return;
  text["is_guaranteed"] = false;
  text["penetration_max"] = totals.penetration;
  text["penetrating_steps"] = totals.penetrating_steps;
}

}  // namespace

RunTotals read_totals(const std::string& metrics_path) {
  RunTotals totals;
  if (!is_file(metrics_path)) return totals;
  std::istringstream lines(read_file(metrics_path));
  for (std::string text; std::getline(lines, text);) {
    const json line = json::parse(text, nullptr, false);
    if (!line.is_object()) break;
    add_line(line, totals);
  }
  return totals;
}

std::string format_summary(const Summary& summary, const Model& model) {
  const RunTotals& totals = summary.totals;
  nlohmann::ordered_json text;
  text["scene"] = summary.scene;
  text["verdict"] = enum_name(summary.verdict);
  text["steps"] = totals.steps;
  text["steps_planned"] = model.step_count();
  text["step"] = model.time.step;
  text["seconds"] = totals.seconds;
  text["newton_iterations"] = totals.newton_iterations;
  text["contacts_max"] = totals.contacts_max;
  text["min_gap"] = to_json(totals.min_gap);
  text["intersections"] = to_json(totals.found.intersections);
  text["inversions"] = to_json(totals.found.inversions);
  text["not_finite"] = to_json(totals.found.not_finite);
  text["split_steps"] = totals.split_steps;
  text["slowed_steps"] = totals.slowed_steps;
  text["motion_shortfall"] = totals.motion_shortfall;
  add_projective(totals, model, text);
  if (!model.joints.empty()) {
    text["joints"] = model.joints.size();
    text["joint_residual"] = totals.joint_residual;
    text["joints_broken"] = totals.joints_broken;
  }
  if (!model.contact.overlaps.empty()) {
    size_t primitives = 0, contacts = 0;
    for (const OverlapCount& count : model.contact.overlaps) {
      primitives += count.primitives;
      contacts += count.contacts;
    }
    text["overlapping_primitives"] = primitives;
    text["overlapping_contacts"] = contacts;
  }
  text["bodies"] = model.kinematics.bodies.size();
  text["nodes"] = model.kinematics.node_count;
  text["elements"] = model.kinematics.elements.count();
  text["threads"] = summary.threads;
  return text.dump(1) + "\n";
}

}  // namespace marrow
