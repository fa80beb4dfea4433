#include "output/metrics.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/file.h"

namespace marrow {
namespace {

using nlohmann::json;

// The whole lines whose step is at most last_step. What follows a torn or foreign line is dropped with it.
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

const std::string& truncate_file(const std::string& path, int last_step) {
  if (!std::filesystem::exists(path)) return path;
  const std::string text = last_step > 0 ? read_file(path) : std::string();
  write_file(path, keep_lines(text, last_step));
  return path;
}

}  // namespace

std::string format_metrics(const StepMetrics& metrics) {
  nlohmann::ordered_json line;
  line["step"] = metrics.step;
  line["time"] = metrics.time;
  line["verdict"] = metrics.verdict;
  line["iterations"] = metrics.iterations;
  line["residual"] = metrics.residual;
  line["wall_time"] = metrics.wall_time;
  line["energy"] = metrics.energy;
  line["counts"] = metrics.counts;
  line["seconds"] = metrics.seconds;
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

MetricsFile::MetricsFile(const std::string& path, int last_step) : file_(truncate_file(path, last_step)) {}

void MetricsFile::add(const StepMetrics& metrics) { file_.add_line(format_metrics(metrics)); }

}  // namespace marrow
