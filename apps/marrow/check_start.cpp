#include "marrow/check_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "output/run_folder.h"

namespace marrow {
namespace {

constexpr size_t kNamedPairs = 5;

// "triangle 3-4-9 of "ball"".
std::string describe_element(const SurfaceElement& element, const Kinematics& kinematics) {
  const Body& body = kinematics.bodies[static_cast<size_t>(element.body)];
  std::vector<Index> points;
  for (const Index v : element.vertices) {
    if (v != kNone) points.push_back(v - body.first_point);
  }
  return fmt::format("{} {} of \"{}\"", enum_name(element.kind), fmt::join(points, "-"), body.name);
}

void drop_ignored(const Model& model, IntersectionReport& report) {
  const ContactModel& contact = model.contact;
  const auto is_obstacle = [&](Index body) {
    return model.kinematics.bodies[static_cast<size_t>(body)].kind == BodyKind::Obstacle;
  };
  const std::set<IndexPair> ignored(contact.ignored_bodies.begin(), contact.ignored_bodies.end());
  const auto is_ignored = [&](const OffendingPair& pair) {
    const auto [a, b] = std::minmax(pair.a.body, pair.b.body);
    return !contact.is_enabled || (is_obstacle(a) && is_obstacle(b)) || ignored.count({a, b}) > 0;
  };
  for (const OffendingPair& pair : report.pairs) {
    if (is_ignored(pair)) --(pair.is_undecided ? report.undecided : report.intersections);
  }
  report.pairs.erase(std::remove_if(report.pairs.begin(), report.pairs.end(), is_ignored),
                     report.pairs.end());
}

}  // namespace

std::string describe_pair(const OffendingPair& pair, const Kinematics& kinematics) {
  return describe_element(pair.a, kinematics) + " and " + describe_element(pair.b, kinematics) +
         (pair.is_undecided ? ": too close to tell" : "");
}

StartReport check_start(const BuiltScene& built) {
  Points points;
  compute_points(built.model.kinematics, built.state.nodes, points);
  StartReport start;
  start.state = make_checked(make_topology(built.model.kinematics), points);
  start.report = check_state(start.state);
  drop_ignored(built.model, start.report.surfaces);
  return start;
}

void require_clean_start(const BuiltScene& built, const std::string& scene_path,
                         const std::string& mesh_path) {
  const StartReport start = check_start(built);
  if (start.report.is_clean()) return;
  const std::vector<OffendingPair>& pairs = start.report.surfaces.pairs;
  std::string problem = "at the start " + describe_report(start.report);
  for (size_t i = 0; i < std::min(kNamedPairs, pairs.size()); ++i) {
    problem += "\n    " + describe_pair(pairs[i], built.model.kinematics);
  }
  if (pairs.size() > kNamedPairs) problem += fmt::format("\n    and {} more", pairs.size() - kNamedPairs);
  std::string advice =
      "A run must start apart: move the bodies, mend the mesh, or let bodies ignore each other with "
      "contact.pairs.";
  if (!pairs.empty()) {
    write_offenders(mesh_path, start.state.surfaces, start.report.surfaces);
    advice += fmt::format(" The elements are in {}.", mesh_path);
  }
  throw InputError({scene_path, 0, 0, {}}, problem, advice);
}

}  // namespace marrow
