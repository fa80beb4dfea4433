#include "output/run/metrics.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/file.h"

namespace marrow {
namespace {

using nlohmann::json;

// The complete lines whose step is at most last_step. A damaged or foreign line, and all lines after it, are
// dropped.
std::string keep_lines(const std::string& text, int last_step) {
  size_t kept = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', kept)) {
    const json line = json::parse(text.begin() + static_cast<std::ptrdiff_t>(kept),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!line.is_object() || !line.contains("step") || !line["step"].is_number_integer()) break;
    if (line["step"].get<std::int64_t>() > last_step) break;
    kept = end + 1;
  }
  return text.substr(0, kept);
}

std::vector<double> to_list(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

void add_joints(const StepReport& report, nlohmann::ordered_json& line) {
  line["joint_rounds"] = report.joints.rounds;
  line["joint_residual"] = report.joints.residual;
  line["joints_broken"] = report.joints.broken;
  std::vector<double> coordinates, forces, torques;
  for (const JointStatus& joint : report.joint_states) {
    coordinates.push_back(joint.coordinate);
    forces.push_back(joint.force);
    torques.push_back(joint.torque);
  }
  line["joint_coordinates"] = coordinates;
  line["joint_forces"] = forces;
  line["joint_torques"] = torques;
}

// The statistics of certificates. They are not part of the result, which is the same without certificates.
void add_culling(const CullingReport& culling, const CullingTotals& earlier, nlohmann::ordered_json& line) {
  line["self_collision"] = {{"certified", culling.is_on},
                            {"triangles", culling.triangles},
                            {"certified_triangles", culling.certified_triangles},
                            {"regions", culling.regions},
                            {"searches", earlier.searches + culling.searches},
                            {"renewed", earlier.renewed + culling.renewed},
                            {"plain_pairs", culling.plain_pairs},
                            {"kept_pairs", culling.kept_pairs},
                            {"saved_seconds", earlier.saved_seconds + culling.saved_seconds}};
}

// The totals in the last line of the text; zero if it has none.
CullingTotals read_culling(const std::string& text) {
  if (text.empty()) return {};
  const size_t before = text.find_last_of('\n', text.size() - 2);
  const json line = json::parse(text.substr(before == std::string::npos ? 0 : before + 1), nullptr, false);
  const auto found = line.find("self_collision");
  if (found == line.end() || !found->is_object()) return {};
  const auto number = [&](const char* key) {
    const auto value = found->find(key);
    return value != found->end() && value->is_number() ? value->get<double>() : 0.0;
  };
  return {static_cast<size_t>(number("searches")), static_cast<size_t>(number("renewed")),
          number("saved_seconds")};
}

// Keeps the lines up to last_step; returns their totals.
CullingTotals truncate_file(const std::string& path, int last_step) {
  if (!std::filesystem::exists(path)) return {};
  const std::string kept = last_step > 0 ? keep_lines(read_file(path), last_step) : std::string();
  write_file(path, kept);
  return read_culling(kept);
}

void add_projective(const StepReport& report, nlohmann::ordered_json& line) {
  const ProjectiveReport& own = report.projective;
  line["projective"] = {{"iterations", own.iterations},
                        {"residual", own.residual},
                        {"quasi_newton_iterations", own.quasi_newton_iterations},
                        {"constraints", own.constraints},
                        {"local_seconds", own.local_seconds},
                        {"global_seconds", own.global_seconds}};
  if (!own.is_unguarded) return;
  line["projective"]["contacts"] = own.contacts;
  line["projective"]["penetration"] = own.penetration;
}

void add_remesh(const RemeshReport& own, nlohmann::ordered_json& line) {
  line["remesh"] = {{"rounds", own.rounds},   {"proposals", own.proposals}, {"solved", own.solved},
                    {"refused", own.refused}, {"splits", own.splits},       {"gain", own.gain},
                    {"nodes", own.nodes},     {"capped", own.is_capped},    {"seconds", own.seconds}};
}

}  // namespace

std::string format_metrics(const StepReport& report, const WitnessCounts& found,
                           const CullingTotals& earlier) {
  const NewtonReport& newton = report.newton;
  nlohmann::ordered_json line;
  line["step"] = report.step;
  line["time"] = report.time;
  line["verdict"] = to_string(newton.verdict);
  line["iterations"] = newton.iterations;
  line["residual"] = newton.gradient_norm;
  line["last_step"] = newton.last_step;
  line["halvings"] = newton.halvings;
  line["linear_iterations"] = newton.linear_iterations;
  line["inversion_limits"] = newton.inversion_limits;
  line["collision_limits"] = newton.collision_limits;
  line["substeps"] = report.substeps;
  line["contacts"] = report.contacts;
  line["min_gap"] = std::isfinite(report.smallest_gap) ? json(report.smallest_gap) : json();
  line["kappa"] = report.stiffness;
  line["friction_rounds"] = report.friction_rounds;
  line["friction_residual"] = report.friction_residual;
  if (report.culling.triangles > 0) add_culling(report.culling, earlier, line);
  if (report.projective.constraints > 0) add_projective(report, line);
  if (report.remesh.is_on) add_remesh(report.remesh, line);
  line["affine_error"] = report.affine_error;
  line["motion_rounds"] = report.motion_rounds;
  line["motion_remaining"] = report.motion_remaining;
  if (!report.joint_states.empty()) add_joints(report, line);
  if (found.intersections) line["intersections"] = *found.intersections;
  if (found.inversions) line["inversions"] = *found.inversions;
  if (found.not_finite) line["not_finite"] = *found.not_finite;
  line["energy"] = {{"kinetic", report.energies.kinetic},
                    {"elastic", report.energies.elastic},
                    {"gravity", report.energies.gravity},
                    {"springs", report.energies.springs}};
  line["momentum"] = to_list(report.momentum);
  line["angular_momentum"] = to_list(report.angular_momentum);
  line["wall_time"] = report.seconds;
  line["threads"] = {
      {"set", report.threads}, {"used", report.threads_used()}, {"parallel_share", report.parallel_share()}};
  line["seconds"] = report.scopes;
  return line.dump();
}

MetricsFile::MetricsFile(const std::string& path, int last_step)
    : earlier_(truncate_file(path, last_step)), file_(path) {}

}  // namespace marrow
