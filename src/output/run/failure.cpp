#include "output/run/failure.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "output/run/checkpoint.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const IterationRecord& iteration) {
  return {{"change", iteration.change},
          {"alpha", iteration.alpha},
          {"limit", iteration.limit.alpha},
          {"cause", to_string(iteration.limit.cause)},
          {"halvings", iteration.halvings},
          {"residual", iteration.gradient},
          {"energy", iteration.value},
          {"contacts", iteration.contacts},
          {"min_gap", std::isfinite(iteration.smallest_gap) ? Json(iteration.smallest_gap) : Json()},
          {"kappa", iteration.stiffness}};
}

}  // namespace

std::string failure_folder(const std::string& run_folder) {
  return is_file(run_folder + "/failure.json") ? run_folder : run_folder + "/failure";
}

std::string format_failure(const StepReport& report, const std::string& replay_command) {
  Json text;
  text["step"] = report.step;
  text["time"] = report.time;
  text["verdict"] = to_string(report.newton.verdict);
  text["reason"] = explain_failure(report);
  text["failed_length"] = report.failed_length;
  text["iterations"] = report.newton.iterations;
  text["last_step"] = report.newton.last_step;
  text["residual"] = report.newton.gradient_norm;
  text["replay"] = replay_command;
  text["last_iterations"] = Json::array();
  for (const IterationRecord& iteration : report.history)
    text["last_iterations"].push_back(to_json(iteration));
  return text.dump(1) + "\n";
}

void write_failure(const std::string& folder, const State& before, std::uint64_t fingerprint,
                   const std::string& scene_text, const std::string& text) {
  make_folder(folder);
  for (const std::string& file : list_checkpoints(folder)) remove_file(file);
  if (!scene_text.empty()) write_file(folder + "/scene.json", scene_text);
  write_file(folder + "/failure.json", text);
  write_checkpoint(folder, before, fingerprint);
}

}  // namespace marrow
