#include "marrow/check_start.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "output/gap.h"
#include "output/model_witness.h"
#include "witness/enclosed.h"

namespace marrow {
namespace {

constexpr size_t kNamedPairs = 5;

// The least gap that a run can start with, relative to the scene.
constexpr double kLeastRoom = 1e-10;

// Of d_hat: nearer than this, bodies push each other away hard.
constexpr double kNear = 0.5;

}  // namespace

StartReport check_start(const BuiltScene& built) {
  Points points;
  compute_points(built.model.kinematics, built.state.nodes, points);
  StartReport start{make_witness(built.model), {}};
  start.witness.move_to(points);
  start.report.tets = start.witness.check_tets();
  if (built.model.contact.is_enabled) start.report = start.witness.check();
  return start;
}

std::optional<std::string> require_room(const BuiltScene& built, const std::string& scene_path) {
  if (!built.model.contact.is_enabled) return {};
  Points points;
  compute_points(built.model.kinematics, built.state.nodes, points);
  GapMeter meter(built.model);
  const std::optional<double> gap = meter.measure(points);
  const double least = kLeastRoom * built.model.contact.reference_length;
  const double d_hat = built.model.contact.d_hat;
  if (!gap || *gap >= kNear * d_hat) return {};
  if (*gap >= least) {
    const std::optional<double> acting = meter.measure_acting(points);
    if (!acting || *acting >= kNear * d_hat) return {};
    return fmt::format(
        "at the start bodies are only {:.3g} m apart, well within contact.d_hat, {:.3g} m: they push "
        "each other away at first. For a quiet start leave more room, or give a smaller d_hat",
        *acting, d_hat);
  }
  throw InputError(
      {scene_path, 0, 0, {}}, fmt::format("at the start bodies are only {:.3g} m apart", *gap),
      fmt::format("That is little more than rounding: leave at least {:.1g} m between them.", 10 * least));
}

std::vector<std::string> describe_enclosed(const BuiltScene& built, const Witness& witness) {
  if (!built.model.contact.is_enabled) return {};
  const std::vector<EnclosedBody> enclosed = find_enclosed_bodies(witness);
  const std::vector<Body>& bodies = built.model.kinematics.bodies;
  std::vector<std::string> sentences;
  for (size_t i = 0; i < std::min(kNamedPairs, enclosed.size()); ++i) {
    sentences.push_back(
        fmt::format("\"{}\" starts inside \"{}\": only surfaces are kept apart, so it stays there",
                    bodies[static_cast<size_t>(enclosed[i].inner)].name,
                    bodies[static_cast<size_t>(enclosed[i].outer)].name));
  }
  if (enclosed.size() > kNamedPairs) {
    sentences.push_back(fmt::format("{} more bodies start inside others", enclosed.size() - kNamedPairs));
  }
  return sentences;
}

std::vector<std::string> require_clean_start(const BuiltScene& built, const std::string& scene_path,
                                             const std::string& mesh_path) {
  const StartReport start = check_start(built);
  if (start.report.is_clean()) {
    std::vector<std::string> notices = describe_enclosed(built, start.witness);
    if (const auto nearness = require_room(built, scene_path)) notices.push_back(*nearness);
    return notices;
  }
  const std::vector<OffendingPair>& pairs = start.report.surfaces.pairs;
  std::string problem = "at the start " + describe_report(start.report);
  for (size_t i = 0; i < std::min(kNamedPairs, pairs.size()); ++i) {
    problem += "\n    " + describe_pair(pairs[i], &built.model.kinematics);
  }
  if (pairs.size() > kNamedPairs) problem += fmt::format("\n    and {} more", pairs.size() - kNamedPairs);
  std::string advice =
      "A run must start apart: move the bodies, mend the mesh, or let bodies ignore each other with "
      "contact.pairs.";
  if (!pairs.empty()) {
    write_offenders(mesh_path, start.witness.surfaces(), start.report.surfaces);
    advice += fmt::format(" The elements are in {}.", mesh_path);
  }
  throw InputError({scene_path, 0, 0, {}}, problem, advice);
}

}  // namespace marrow
