#include "run/check_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "output/run/exact_frames.h"
#include "output/run/iterates.h"
#include "output/run/run_folder.h"
#include "output/vtk/frame_difference.h"
#include "output/vtk/pvd.h"
#include "run/found_surfaces.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "sim/start/gap.h"
#include "sim/start/model_witness.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCounts[] = {"intersections", "undecided", "not_finite", "inversions", "flat"};
constexpr size_t kListed = 100;  // bad frames, iterates and paths; all are counted

class RunChecker {
 public:
  RunChecker(const std::string& folder, const RunCheckEvents& events) : events_(events), folder_(folder) {
    total_ = {{"run", folder_}, {"frames", 0}, {"iterates", 0}, {"paths", 0}};
    for (const char* key : kCounts) total_[key] = 0;
    total_["other_topology"] = 0;
    total_["min_gap"] = nullptr;
    for (const char* key : {"bad_frames", "bad_iterates", "bad_paths", "notes"}) total_[key] = Json::array();
    build_model();
  }

  RunCheck run() {
    const std::string list = folder_ + "/run.pvd", iterates = folder_ + "/iterates.bin";
    const std::vector<PvdFrame> files = is_file(list) ? read_pvd(list) : std::vector<PvdFrame>();
    open_record(files.size());
    if (files.empty() && !record_ && !is_file(iterates)) {
      throw InputError({folder_, 0, 0, {}}, "is a folder without frames to check",
                       "Give a mesh, a scene, or the folder given to `marrow run -o`. Frames are written if "
                       "output has \"viewer\": true or \"vtu\": true.");
    }
    check_frames(files);
    if (is_file(iterates)) check_iterates(iterates);
    return make_report();
  }

 private:
  // What may meet and what may not is for the scene to say.
  void build_model() {
    try {
      const std::string path = folder_ + "/scene.json";
      built_.emplace(build_scene(read_scene(path), path));
    } catch (const InputError& error) {
      add_note(fmt::format("the scene cannot be built, so all pairs of elements are checked ({})",
                           error.problem()));
      return;
    }
    const Model& model = built_->model;
    witness_.emplace(make_witness(model));
    if (model.contact.is_enabled) gap_meter_.emplace(model);
    if (model.contact.is_enabled) return;
    may_meet_ = true;
    total_["allowed_intersections"] = 0;
    add_note(
        "contact is switched off in this scene, so surfaces may pass through each other: intersections are "
        "counted, but are not errors. Inverted tets, points that are not finite and the topology of frames "
        "are checked");
  }

  void add_note(const std::string& text) {
    total_["notes"].push_back(text);
    if (events_.on_note) events_.on_note(text);
  }

  // All frames as run.mrw keeps them, unless it keeps none that are exact.
  void open_record(size_t file_count) {
    const std::string path = folder_ + "/run.mrw";
    if (!built_ || !is_file(path)) return;
    try {
      record_.emplace(path, built_->model);
    } catch (const InputError& error) {
      add_note(fmt::format("run.mrw {}, so only VTU files are checked", error.problem()));
      return;
    }
    if (record_->is_complete() && record_->size() > 0) return;
    const bool has_more = record_->size() > file_count;
    record_.reset();
    if (!has_more) return;
    add_note("run.mrw does not hold exact frames of this scene, so only VTU files are checked");
  }

  // Of every step the VTU file; where there is none, the frame in the record.
  void check_frames(const std::vector<PvdFrame>& files) {
    std::map<int, size_t> in_record;
    for (size_t i = 0; record_ && i < record_->size(); ++i) in_record[record_->step(i)] = i;
    std::int64_t total = static_cast<std::int64_t>(in_record.size());
    for (const PvdFrame& file : files) total += in_record.contains(frame_step(file.file)) ? 0 : 1;
    auto next = in_record.begin();
    for (const PvdFrame& file : files) {
      const int step = frame_step(file.file);
      for (; next != in_record.end() && next->first < step; ++next) check_recorded(next->second, total);
      const bool is_recorded = next != in_record.end() && next->first == step;
      check_file(file, is_recorded ? std::optional(next->second) : std::nullopt, total);
      if (is_recorded) ++next;
    }
    for (; next != in_record.end(); ++next) check_recorded(next->second, total);
  }

  void check_recorded(size_t frame, std::int64_t total) {
    show_progress("frame", total_["frames"].get<std::int64_t>() + 1, total);
    const int step = record_->step(frame);
    const double time = record_->time(frame);
    const std::string where = fmt::format("{}/run.mrw, step {}, time {:g} s", folder_, step, time);
    Json place = {{"file", "run.mrw"}, {"step", step}, {"time", time}};
    WitnessReport report;
    try {
      const VecX nodes = record_->read_nodes(frame);
      Points points;
      compute_points(built_->model.kinematics, nodes, points);
      witness_->move_to(points, list_nodes(nodes));
      measure_gap(points);
      report = witness_->check();
    } catch (const InputError& error) {
      place["difference"] = error.problem();
    }
    add_result("frames", where, witness_->surfaces(), report, place);
  }

  // recorded: the same frame in the record.
  void check_file(const PvdFrame& listed, std::optional<size_t> recorded, std::int64_t total) {
    show_progress("frame", total_["frames"].get<std::int64_t>() + 1, total);
    const VtuFrame frame = read_vtu(folder_ + "/" + listed.file);
    const bool is_of_model =
        built_ && static_cast<size_t>(built_->model.kinematics.point_count) == frame.points.size();
    std::optional<Witness> own;
    if (is_of_model) {
      witness_->move_to(frame.points, place_nodes(frame));
      measure_gap(frame.points);
    } else {
      own.emplace(make_witness(frame));
    }
    const Witness& witness = is_of_model ? *witness_ : *own;
    const std::string where = fmt::format("{}/{}, time {:g} s", folder_, listed.file, listed.time);
    Json place = {{"file", listed.file}, {"step", frame.step}, {"time", listed.time}};
    if (const auto difference = find_difference_to_scene(frame)) {
      place["difference"] = *difference;
    } else if (recorded) {
      if (const auto elsewhere = find_difference_to_record(frame, *recorded))
        place["difference"] = *elsewhere;
    }
    add_result("frames", where, witness.surfaces(), witness.check(), place, is_of_model);
  }

  // The nodes of curved tets where the file has them; empty if it has others.
  Points place_nodes(const VtuFrame& frame) {
    const std::vector<Index> numbers = list_curved_nodes(topology());
    if (numbers.size() != frame.nodes.size()) return {};
    Points nodes(static_cast<size_t>(built_->model.kinematics.node_count), Vec3::Zero());
    for (size_t i = 0; i < numbers.size(); ++i) nodes[static_cast<size_t>(numbers[i])] = frame.nodes[i];
    return nodes;
  }

  const OutputTopology& topology() {
    if (!topology_) topology_ = make_topology(built_->model.kinematics);
    return *topology_;
  }

  // A VTU file and the record must agree to the last bit.
  std::optional<std::string> find_difference_to_record(const VtuFrame& frame, size_t recorded) {
    try {
      const VecX nodes = record_->read_nodes(recorded);
      Points points;
      compute_points(built_->model.kinematics, nodes, points);
      const std::vector<Index> numbers = list_curved_nodes(topology());
      for (size_t i = 0; i < numbers.size(); ++i) {
        if (std::memcmp(nodes.data() + 3 * numbers[i], frame.nodes[i].data(), sizeof(Vec3)) == 0) continue;
        return fmt::format("node {} of the curved tets is elsewhere in run.mrw", i);
      }
      for (size_t i = 0; i < points.size(); ++i) {
        if (std::memcmp(points[i].data(), frame.points[i].data(), sizeof(Vec3)) == 0) continue;
        return fmt::format("point {} is elsewhere in run.mrw", i);
      }
    } catch (const InputError& error) {
      return "run.mrw " + error.problem();
    }
    return {};
  }

  // The verdict is about the scene's topology, so a frame with another one is not what was checked.
  std::optional<std::string> find_difference_to_scene(const VtuFrame& frame) {
    if (!built_) return {};
    std::optional<std::string> difference = find_difference(frame, topology());
    if (difference) total_["other_topology"] = total_["other_topology"].get<std::int64_t>() + 1;
    return difference;
  }

  void measure_gap(const Points& points) {
    const bool is_finite =
        std::all_of(points.begin(), points.end(), [](const Vec3& x) { return x.allFinite(); });
    if (!gap_meter_ || !is_finite) return;
    const std::optional<double> gap = gap_meter_->measure(points);
    if (!gap) return;
    Json& smallest = total_["min_gap"];
    smallest = smallest.is_null() ? *gap : std::min(*gap, smallest.get<double>());
  }

  void check_iterates(const std::string& path) {
    IteratesReader reader(path);
    if (!built_ || reader.node_count() != built_->model.kinematics.node_count) {
      return add_note("iterates.bin does not match scene.json and is not checked");
    }
    if (reader.is_torn()) add_note("the last record of iterates.bin is incomplete and is skipped");
    Iterate iterate;
    VecX before;
    while (reader.next(iterate)) {
      const std::int64_t number = total_["iterates"].get<std::int64_t>();
      show_progress("iterate", number + 1, reader.count());
      check_iterate(iterate, number, before);
      before = iterate.nodes;
    }
  }

  // The way to it, unless a solve begins there; then the place itself.
  void check_iterate(const Iterate& iterate, std::int64_t number, const VecX& before) {
    const Json place = {{"record", number}, {"step", iterate.step}};
    const std::string where = fmt::format("record {}, in step {}", number, iterate.step);
    Points x;
    compute_points(built_->model.kinematics, iterate.nodes, x);
    witness_->move_to(x, list_nodes(iterate.nodes));
    if (!iterate.is_start && before.size() > 0) {
      add_result("paths", "path to " + where, witness_->surfaces(),
                 {check_path(*witness_, built_->model.kinematics, before, iterate.nodes), {}}, place);
    }
    const bool is_known = before.size() > 0 && iterate.nodes == before;  // as where a step begins
    add_result("iterates", where, witness_->surfaces(), is_known ? WitnessReport() : witness_->check(),
               place);
  }

  void add_result(const std::string& kind, const std::string& where, const SurfaceSet& surfaces,
                  WitnessReport report, const Json& place, bool is_of_model = true) {
    total_[kind] = total_[kind].get<std::int64_t>() + 1;
    if (may_meet_ && is_of_model) allow_intersections(report.surfaces);
    const bool is_other = place.contains("difference");
    if (report.is_clean() && !is_other) return;
    ++bad_;
    const Kinematics* kinematics = built_ && is_of_model ? &built_->model.kinematics : nullptr;
    Json counts = to_json(report, kinematics);
    for (const char* key : kCounts) {
      total_[key] = total_[key].get<std::int64_t>() + counts[key].get<std::int64_t>();
    }
    if (!total_.contains("written") && events_.write_offenders && !report.surfaces.pairs.empty()) {
      total_["written"] = events_.write_offenders(surfaces, report.surfaces);
    }
    Json& listed = total_["bad_" + kind];
    if (listed.size() == kListed) return;
    if (events_.on_bad) {
      const std::string difference = is_other ? place["difference"].get<std::string>() : std::string();
      events_.on_bad({kind, listed.size(), where, difference, report, kinematics});
    }
    counts.update(place);
    listed.push_back(std::move(counts));
  }

  // Where the scene switches contact off.
  void allow_intersections(IntersectionReport& report) {
    Json& allowed = total_["allowed_intersections"];
    allowed = allowed.get<std::int64_t>() + report.intersections + report.undecided;
    report.pairs.clear();
    report.intersections = report.undecided = 0;
  }

  void show_progress(const char* what, std::int64_t done, std::int64_t total) const {
    if (events_.on_progress) events_.on_progress(what, done, total);
  }

  RunCheck make_report() const {
    RunCheck report;
    const auto get = [&](const char* key) { return total_[key].get<std::int64_t>(); };
    report.frames = get("frames");
    report.iterates = get("iterates");
    report.paths = get("paths");
    report.intersections = get("intersections") + get("undecided");
    report.inversions = get("inversions") + get("flat");
    report.not_finite = get("not_finite");
    report.other_topology = get("other_topology");
    report.bad = bad_;
    if (may_meet_) report.allowed_intersections = get("allowed_intersections");
    if (!total_["min_gap"].is_null()) report.smallest_gap = total_["min_gap"].get<double>();
    if (total_.contains("written")) report.written = total_["written"].get<std::string>();
    report.notes = total_["notes"].get<std::vector<std::string>>();
    report.json = total_.dump(1);
    return report;
  }

  const RunCheckEvents& events_;
  std::string folder_;
  std::optional<BuiltScene> built_;
  std::optional<Witness> witness_;
  std::optional<OutputTopology> topology_;
  std::optional<GapMeter> gap_meter_;
  std::optional<ExactFrames> record_;
  Json total_;
  std::int64_t bad_ = 0;   // frames, iterates and paths
  bool may_meet_ = false;  // contact is off
};

}  // namespace

RunCheck check_run(const std::string& folder, const RunCheckEvents& events) {
  return RunChecker(folder, events).run();
}

}  // namespace marrow
