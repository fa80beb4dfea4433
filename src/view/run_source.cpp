#include "view/run_source.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "mesh/surface.h"
#include "view/frame_summary.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMetricsAtOnce = std::uint64_t{4} << 20;

std::string dump(const Json& root) { return root.dump(-1, ' ', false, Json::error_handler_t::replace); }

// True if a process holds the lock of a run's folder. Taking the lock instead could make a starting run fail.
bool is_locked(const std::string& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return false;
  const std::string place =
      fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    if (line.find("FLOCK") != std::string::npos && line.find(" " + place + " ") != std::string::npos)
      return true;
  }
  return false;
}

class FolderSource final : public RunSource {
 public:
  explicit FolderSource(const std::string& folder)
      : folder_(canonical_path(folder)), reader_(folder_ + "/run.mrw") {}

  SourceStatus update() override {
    const std::lock_guard lock(mutex_);
    return update_locked();
  }

  std::string describe() override {
    std::string name = std::filesystem::path(folder_).filename().string();
    Json root = {{"name", name}, {"path", folder_}, {"steps", nullptr}, {"time_step", nullptr}};
    if (!is_file(folder_ + "/scene.json")) return dump(root);
    const Json scene = Json::parse(read_file(folder_ + "/scene.json"), nullptr, false);
    if (!scene.is_object()) return dump(root);
    if (scene.contains("name") && scene["name"].is_string() && scene["name"] != "")
      root["name"] = scene["name"];
    const Json time = scene.value("time", Json::object());
    const auto number = [&](const char* key) {
      return time.is_object() && time.contains(key) && time[key].is_number() ? time[key].get<double>() : 0.0;
    };
    if (number("step") > 0) {
      root["time_step"] = number("step");
      root["steps"] = std::llround(number("duration") / number("step"));
    }
    return dump(root);
  }

  std::string describe_frames(size_t from) override {
    const std::lock_guard lock(mutex_);
    const SourceStatus status = update_locked();
    Json root = {{"generation", status.generation},
                 {"from", std::min(from, reader_.frames().size())},
                 {"steps", Json::array()},
                 {"times", Json::array()}};
    for (size_t i = from; i < reader_.frames().size(); ++i) {
      root["steps"].push_back(reader_.frames()[i].header.step);
      root["times"].push_back(reader_.frames()[i].header.time);
    }
    for (; summarised_ < reader_.frames().size(); ++summarised_) summary_.add(reader_.read_head(summarised_));
    summary_.add_to(root);
    return dump(root);
  }

  std::string read_topology() override {
    const std::lock_guard lock(mutex_);
    return reader_.has_topology() ? reader_.read_topology() : std::string();
  }

  std::optional<std::string> read_frame(size_t frame) override {
    const std::lock_guard lock(mutex_);
    if (frame >= reader_.frames().size()) return {};
    return reader_.read_frame(frame);
  }

  std::string read_metrics(std::uint64_t from) override { return read_lines("metrics.jsonl", from); }
  std::string read_results(ResultsTable table, std::uint64_t from) override {
    constexpr const char* kNames[] = {"bodies.csv", "contacts.csv", "joints.csv"};
    return read_lines(kNames[static_cast<size_t>(table)], from);
  }

 private:
  std::string read_lines(const std::string& name, std::uint64_t from) const {
    std::ifstream file(folder_ + "/" + name, std::ios::binary);
    if (!file) return {};
    file.seekg(static_cast<std::streamoff>(from));
    std::string text(kMetricsAtOnce, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(file.gcount()));
    const size_t end = text.rfind('\n');
    return end == std::string::npos ? std::string() : text.substr(0, end + 1);
  }

  SourceStatus update_locked() {
    SourceStatus status;
    try {
      reader_.update();
    } catch (const InputError&) {
      if (metrics_inode_ == 0) throw;  // never a run; a known run may be missing for a moment
    }
    struct stat metrics = {};
    const bool has_metrics = ::stat((folder_ + "/metrics.jsonl").c_str(), &metrics) == 0;
    const auto size = has_metrics ? static_cast<std::uint64_t>(metrics.st_size) : 0;
    const std::uint64_t inode = has_metrics ? metrics.st_ino : 1;
    const bool is_void = reader_.generation() != reader_generation_ ||
                         (metrics_inode_ != 0 && inode != metrics_inode_) || size < metrics_bytes_;
    if (is_void) {
      ++generation_;
      reader_generation_ = reader_.generation();
      summary_ = {};
      summarised_ = 0;
    }
    metrics_inode_ = inode;
    metrics_bytes_ = size;
    return {generation_, reader_.frames().size(), size, is_locked(folder_ + "/.lock")};
  }

  std::string folder_;
  std::mutex mutex_;
  FramesReader reader_;
  FrameSummary summary_;
  size_t summarised_ = 0;
  int generation_ = 0, reader_generation_ = 0;
  std::uint64_t metrics_inode_ = 0;  // 0: not read yet
  std::uint64_t metrics_bytes_ = 0;
};

class StillSource final : public RunSource {
 public:
  StillSource(std::string name, const OutputTopology& topology, const Frame& frame) : name_(std::move(name)) {
    const DrawnTopology drawn = build_drawn(topology);
    topology_ = format_topology_record(drawn);
    frame_ = format_frame_record(drawn, frame, DrawnPrecision::Float32);
    step_ = frame.step;
    time_ = frame.time;
    summary_.add(std::string(record_head(std::string_view(frame_).substr(kRecordHeader))));
  }

  SourceStatus update() override { return {1, 1, 0, false}; }

  std::string describe() override {
    return dump({{"name", name_}, {"path", name_}, {"steps", nullptr}, {"time_step", nullptr}});
  }

  std::string describe_frames(size_t from) override {
    Json root = {{"generation", 1},
                 {"from", std::min<size_t>(from, 1)},
                 {"steps", Json::array()},
                 {"times", Json::array()}};
    if (from == 0) {
      root["steps"].push_back(step_);
      root["times"].push_back(time_);
    }
    summary_.add_to(root);
    return dump(root);
  }

  std::string read_topology() override { return topology_; }
  std::optional<std::string> read_frame(size_t frame) override {
    return frame == 0 ? std::optional(frame_) : std::nullopt;
  }
  std::string read_metrics(std::uint64_t) override { return {}; }

 private:
  std::string name_, topology_, frame_;
  int step_ = 0;
  double time_ = 0;
  FrameSummary summary_;
};

}  // namespace

std::unique_ptr<RunSource> RunSource::open_folder(const std::string& folder) {
  if (!is_file(folder + "/run.mrw")) {
    throw InputError(
        {folder, 0, 0, {}}, "is a folder without frames for the viewer (run.mrw)",
        "Name the folder given to `marrow run -o`; run the scene with \"output\": {\"viewer\": true}.");
  }
  auto source = std::make_unique<FolderSource>(folder);
  source->update();
  return source;
}

std::unique_ptr<RunSource> RunSource::from_frame(const std::string& name, const OutputTopology& topology,
                                                 const Frame& frame) {
  return std::make_unique<StillSource>(name, topology, frame);
}

std::unique_ptr<RunSource> RunSource::from_mesh(const std::string& name, const Mesh& mesh) {
  OutputTopology topology;
  topology.bodies = {
      {std::filesystem::path(name).filename().string(), "mesh", 0, static_cast<Index>(mesh.points.size())}};
  topology.edges = mesh.edges;
  topology.triangles = mesh.tets.empty() ? mesh.triangles : extract_surface(mesh.tets);
  topology.tets = mesh.tets;
  Frame frame;
  frame.points = mesh.points;
  if (!mesh.radii.empty()) {
    frame.overlays.push_back({"medial", mesh.points, mesh.radii, mesh.edges, mesh.triangles, {}, {}});
  }
  return from_frame(name, topology, frame);
}

}  // namespace marrow
