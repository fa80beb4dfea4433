#include "output/run/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/trace.h"
#include "exec/parallel.h"
#include "output/frames/overlays.h"
#include "output/run/checkpoint.h"
#include "output/run/exact_frames.h"
#include "output/vtk/vtu.h"
#include "potentials/elastic/von_mises.h"
#include "sim/start/model_witness.h"

namespace marrow {
namespace {

// The files that a run writes beside its frames and checkpoints; the metrics come last.
constexpr const char* kFiles[] = {"scene.json",   "run.pvd",      "run.mrw",      "run.log",
                                  "run.glb",      "run.gltf",     "run.bin",      "run.glb.bin",
                                  "iterates.bin", "bodies.csv",   "contacts.csv", "joints.csv",
                                  "summary.json", "failure.json", "inputs.jsonl", "polyfem_norms.json",
                                  "metrics.jsonl"};

std::string without_part(const std::string& name) {
  return name.ends_with(".part") ? name.substr(0, name.size() - 5) : name;
}

// The frame files in the folder, as run.pvd names them.
std::vector<std::string> list_frame_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const std::string& name : list_folder(folder + "/frames")) {
    if (frame_step("frames/" + name) != kNone) files.push_back("frames/" + name);
  }
  return files;
}

// Removes a folder unless something is left in it.
void remove_if_empty(const std::string& folder) {
  if (::rmdir(folder.c_str()) == 0 || errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST) return;
  if (errno != ENOTDIR) throw OutputError(folder, std::strerror(errno));
}

// The frames that a list names; throws InputError unless it is complete and names frames of a run only.
std::vector<PvdFrame> read_whole_pvd(const std::string& path) {
  if (!read_file(path).ends_with("</VTKFile>\n")) throw InputError({path, 0, 0, {}}, "is incomplete");
  std::vector<PvdFrame> frames = read_pvd(path);
  for (const PvdFrame& frame : frames) {
    if (frame_step(frame.file) == kNone)
      throw InputError({path, 0, 0, {}}, "lists files that are not frames");
  }
  return frames;
}

void check_frame(const std::string& folder, const PvdFrame& frame) {
  const std::string path = folder + "/" + frame.file;
  std::error_code error;
  const bool is_there = ::access(path.c_str(), R_OK) == 0 && is_file(path);
  if (is_there && std::filesystem::file_size(path, error) > 0 && !error) return;
  throw InputError({path, 0, 0, {}}, is_there ? "is an empty frame" : "is missing or cannot be read",
                   "The run cannot continue without it: restore it, or start again with --overwrite.");
}

// Creates the folder before the members that open files in it.
std::string prepare_folder(const std::string& folder) {
  make_folder(folder);
  make_folder(folder + "/frames");
  return folder;
}

}  // namespace

bool has_run(const std::string& folder) {
  return is_file(folder + "/metrics.jsonl") || !list_checkpoints(folder).empty();
}

bool is_run_file(const std::string& name) {
  return std::find(std::begin(kFiles), std::end(kFiles), name) != std::end(kFiles);
}

std::vector<std::string> find_foreign_files(const std::string& folder) {
  if (has_run(folder)) return {};
  std::vector<std::string> files = list_frame_files(folder);
  for (const char* name : kFiles) {
    const std::string path = folder + "/" + name;
    if (is_file(path) || is_folder(path)) files.emplace_back(name);
  }
  if (is_folder(folder + "/failure")) files.emplace_back("failure");
  return files;
}

void remove_failure(const std::string& folder) {
  remove_run(folder + "/failure");
  remove_file(folder + "/failure/.lock");
  remove_if_empty(folder + "/failure");
}

void remove_run(const std::string& folder) {
  if (!has_run(folder)) return;
  for (const char* name : kFiles) {
    if (is_folder(folder + "/" + name)) throw OutputError(folder + "/" + name, "is a folder");
  }
  remove_failure(folder);
  for (const std::string& file : list_checkpoints(folder)) remove_file(file);
  for (const char* part : {"checkpoints", "frames"}) {
    const std::string inside = fmt::format("{}/{}", folder, part);
    const std::string prefix = part == std::string("frames") ? "frame_" : "step_";
    const std::string suffix = part == std::string("frames") ? ".vtu" : ".ckpt";
    for (const std::string& name : list_folder(inside)) {
      if (!name.starts_with(prefix) || !without_part(name).ends_with(suffix)) continue;
      remove_file(fmt::format("{}/{}", inside, name));
    }
    remove_if_empty(inside);
  }
  for (const char* name : kFiles) {
    remove_file(folder + "/" + name + ".part");
    remove_file(folder + "/" + name);
  }
}

RunLock::RunLock(const std::string& folder) {
  make_folder(folder);
  const std::string path = folder + "/.lock";
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd_ < 0) throw OutputError(path, std::strerror(errno));
  // On file systems without locks the run continues without one.
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(fd_);
  throw InputError({folder, 0, 0, {}}, "another run is using this folder",
                   "Wait until it ends, or name another folder with -o.");
}

RunLock::~RunLock() { ::close(fd_); }

RunFolder::RunFolder(const std::string& folder, const Model& model, std::uint64_t fingerprint,
                     const std::string& scene_text, const State& state, const RunFolderOptions& options)
    : folder_(prepare_folder(folder)),
      model_(model),
      fingerprint_(fingerprint),
      options_(options),
      topology_(make_topology(model, options.look)),
      frames_(state.step > 0 ? list_frames(state.step) : std::vector<PvdFrame>()),
      metrics_(folder_ + "/metrics.jsonl", state.step),
      log_(folder_ + "/run.log") {
  for (size_t b = 0; b < options_.textures.size(); ++b) topology_.bodies[b].texture = options_.textures[b];
  if (!scene_text.empty()) write_file(folder_ + "/scene.json", scene_text);
  remove_file(folder_ + "/summary.json");  // it describes an earlier end of the run
  if (options_.check_frames) witness_.emplace(make_witness(model));
  open_iterates(state);
  open_results(state);
  if (options_.write_viewer) open_viewer_file(state);
  opened_step_ = state.step;
  if (state.step > 0) {
    drop_frames(state.step);
    check_metrics(state.step);
    if (is_frame_due(state.step)) checked_step_ = state.step;
    // A replayed failure has no earlier steps; notices about them are dropped.
    if (is_file(folder_ + "/failure.json")) notices_.clear();
  } else {
    knows_contacts_ = true;  // there are no contact forces yet
    found_elsewhere_ += add_frame(state, true);
    if (results_) results_->add(model_, state, StepReport());
    write_checkpoint(folder_, state, fingerprint_);
  }
  checkpointed_step_ = state.step;
  for (const std::string& notice : notices_) log_.add(notice);
  if (state.step == 0) log_overlaps();
}

// Logs which primitives of medial bodies are not kept apart.
void RunFolder::log_overlaps() {
  for (const OverlapCount& count : model_.contact.overlaps) {
    log_.add(fmt::format(
        "{}: {} pairs of its medial primitives overlap at rest without sharing a vertex ({} pairs of "
        "contact): they are not kept apart",
        model_.kinematics.bodies[static_cast<size_t>(count.body)].name, count.primitives, count.contacts));
  }
}

// The frames of the steps up to last_step, as listed in run.pvd or, if that is unusable, as found on disk.
std::vector<PvdFrame> RunFolder::list_frames(int last_step) {
  std::vector<PvdFrame> frames;
  try {
    frames = read_whole_pvd(folder_ + "/run.pvd");
  } catch (const InputError&) {
    for (const std::string& file : list_frame_files(folder_)) {
      frames.push_back({frame_step(file) * model_.time.step, file});
    }
    if (!frames.empty()) notices_.push_back("run.pvd was missing or damaged: the list of frames was rebuilt");
  }
  std::erase_if(frames, [&](const PvdFrame& frame) { return frame_step(frame.file) > last_step; });
  for (const PvdFrame& frame : frames) check_frame(folder_, frame);
  return frames;
}

// Drops the frames later than the step.
void RunFolder::drop_frames(int last_step) {
  std::erase_if(frames_, [&](const PvdFrame& frame) { return frame_step(frame.file) > last_step; });
  if (!frames_.empty()) write_pvd(folder_ + "/run.pvd", frames_);
  for (const std::string& file : list_frame_files(folder_)) {
    if (frame_step(file) > last_step) remove_file(folder_ + "/" + file);
  }
}

// A run that ended has a frame of its last state. If none was due there, it is removed once the run
// continues. Until then it stays, because only the step that led to it knows the contact forces.
void RunFolder::drop_last_frame() {
  if (opened_step_ == 0) return;
  if (!is_vtu_due(opened_step_)) drop_frames(opened_step_ - 1);
  if (!is_frame_due(opened_step_) && viewer_frames_) {
    viewer_frames_.reset();
    viewer_frames_.emplace(folder_ + "/run.mrw", topology_, opened_step_ - 1, options_.viewer);
  }
}

// A resumed run keeps the existing file; if that is unusable, the viewer starts at this state.
void RunFolder::open_viewer_file(const State& state) {
  const int kept = state.step == 0 ? -1 : state.step;
  viewer_frames_.emplace(folder_ + "/run.mrw", topology_, kept, options_.viewer);
  if (state.step == 0 || viewer_frames_->last_step() >= 0) return;
  notices_.push_back("run.mrw was missing or damaged: the viewer shows the run from here on");
}

// Removes the records of later steps, even if nothing more is recorded.
void RunFolder::open_iterates(const State& state) {
  const std::string path = folder_ + "/iterates.bin";
  if (!options_.record_iterates && !is_file(path)) return;
  iterates_.emplace(path, model_.kinematics.node_count, state.step);
  if (options_.record_iterates && state.step > 0 && !iterates_->has_earlier()) {
    notices_.push_back("iterates.bin has no records of the steps before this one: it begins here");
  }
  if (!options_.record_iterates) iterates_.reset();
}

// Removes the rows of later steps, even if no more are written.
void RunFolder::open_results(const State& state) {
  if (!options_.write_results) return ResultsFiles::drop_later(folder_, state.step);
  results_.emplace(folder_, state.step);
  notices_.insert(notices_.end(), results_->notices().begin(), results_->notices().end());
}

void RunFolder::add_move(int step, const VecX& nodes, bool is_start) {
  if (iterates_) iterates_->add(step, nodes, is_start);
}

void RunFolder::check_metrics(int step) {
  const std::string text = read_file(folder_ + "/metrics.jsonl");
  const auto lines = std::count(text.begin(), text.end(), '\n');
  if (lines == step) return;
  notices_.push_back(
      fmt::format("metrics.jsonl has {} of the {} steps before this one: the others are lost", lines, step));
}

// Checks the frame of a step with the witness, at most once per step.
WitnessCounts RunFolder::check_frame_at(const State& state, const Points& points) {
  const int step = state.step;
  if (!witness_ || checked_step_ == step) return {};
  const trace::Scope scope("output.check");
  checked_step_ = step;
  witness_->move_to(points, witness_->has_curved_tets() ? list_nodes(state.nodes) : Points());
  const WitnessCounts found = witness_->count();
  found_ += found;
  if (found.is_clean()) return found;
  log_.add(fmt::format("step {}: the frame has {} intersections, {} inverted tets, {} points not finite",
                       step, found.intersections.value_or(0), found.inversions.value_or(0),
                       found.not_finite.value_or(0)));
  return found;
}

WitnessCounts RunFolder::add_frame(const State& state, bool has_vtu) {
  const trace::Scope scope("output.frame");
  Points points, velocities;
  compute_points(model_.kinematics, state.nodes, points);
  compute_points(model_.kinematics, state.velocities, velocities);
  const WitnessCounts found = check_frame_at(state, points);
  const std::vector<double> node_stress =
      compute_node_von_mises(model_.kinematics, model_.materials, state.nodes);
  const std::vector<double> stress = spread_to_points(model_.kinematics, node_stress);
  Frame frame;
  frame.step = state.step;
  frame.time = state.time;
  frame.points = points;
  frame.velocities = velocities;
  frame.nodes = {state.nodes.data(), static_cast<size_t>(state.nodes.size())};
  frame.node_velocities = {state.velocities.data(), static_cast<size_t>(state.velocities.size())};
  frame.node_scalars.push_back({"von_mises", node_stress});
  frame.point_scalars.push_back({"von_mises", stress});
  frame.overlays.push_back(make_handles(model_, state));
  add_balls(model_, points, frame.overlays);
  if (!model_.joints.empty()) frame.overlays.push_back(make_joints(model_, state));
  if (model_.contact.is_enabled && knows_contacts_) {
    contacts_.pressures.resize(points.size(), 0);
    frame.point_scalars.push_back({"contact_pressure", contacts_.pressures});
    forces_.normal.resize(points.size(), Vec3::Zero());
    forces_.friction.resize(points.size(), Vec3::Zero());
    frame.point_vectors.push_back({"contact_force", forces_.normal});
    if (model_.contact.has_friction()) frame.point_vectors.push_back({"friction_force", forces_.friction});
    add_contacts(contacts_, frame.overlays);
    frame.overlays.push_back(make_force_arrows(model_, forces_));
  }
  if (viewer_frames_ && viewer_frames_->last_step() != state.step) viewer_frames_->add(frame);
  if (options_.write_vtu && (has_vtu || is_vtu_due(state.step))) add_vtu(frame);
  return found;
}

void RunFolder::add_vtu(const Frame& frame) {
  const std::string file = frame_file(frame.step);
  if (!frames_.empty() && frames_.back().file == file) return;
  write_vtu(folder_ + "/" + file, topology_, frame);
  frames_.push_back({frame.time, file});
  write_pvd(folder_ + "/run.pvd", frames_);
}

void RunFolder::set_contact(ContactTerms* contact) {
  const bool has_barrier = keeps_any_apart(model_) && !model_.is_unguarded();
  contact_ = contact != nullptr && has_barrier ? contact : nullptr;
}

void RunFolder::add_step(const State& state, const StepReport& report) {
  // What only the solver knows is asked before the next step.
  ContactPicture contacts;
  if (contact_ != nullptr) contacts = compute_contact_picture(model_, *contact_, state, report);
  if (exec::thread_count() == 1) {
    contacts_ = std::move(contacts);
    return write_step(state, report);
  }
  background_.add([this, state, report, contacts = std::move(contacts)]() mutable {
    contacts_ = std::move(contacts);
    write_step(state, report);
  });
}

void RunFolder::write_step(const State& state, const StepReport& report) {
  if (state.step == opened_step_ + 1) drop_last_frame();
  forces_ = report.forces;
  knows_contacts_ = true;
  // The frame of the last step is written before its checkpoint, as every frame is. Its check is not part of
  // the metrics if no frame was due, because a longer run would not have that frame.
  const bool is_due = is_frame_due(state.step);
  const bool is_last = state.step == model_.step_count();
  const WitnessCounts found = is_due || is_last ? add_frame(state, is_last) : WitnessCounts();
  if (results_) results_->add(model_, state, report);
  metrics_.add(report, is_due ? found : WitnessCounts());
  if (!is_due) found_elsewhere_ += found;
  const trace::Scope scope("output.checkpoint");
  if (state.step % options_.checkpoint_every != 0) return;
  write_checkpoint(folder_, state, fingerprint_);
  checkpointed_step_ = state.step;
}

int RunFolder::frame_count() const {
  return viewer_frames_ ? viewer_frames_->frame_count() : static_cast<int>(frames_.size());
}

// From the exact frames if there are any, else from the VTU files.
GltfReport RunFolder::add_animation() {
  const std::string path = folder_ + "/run.glb";
  std::optional<ExactFrames> exact;
  if (viewer_frames_) exact.emplace(folder_ + "/run.mrw", model_);
  GltfFrames frames;
  if (exact && exact->is_complete()) {
    for (size_t i = 0; i < exact->size(); ++i) frames.times.push_back(exact->time(i));
    frames.read_points = [&](size_t frame) { return exact->read_points(frame); };
  } else {
    for (const PvdFrame& frame : frames_) frames.times.push_back(frame.time);
    frames.read_points = [&](size_t frame) { return read_vtu(folder_ + "/" + frames_[frame].file).points; };
  }
  return write_gltf(path, topology_, frames);
}

RunTotals RunFolder::finish(const State& state, const std::string& scene_name, RunEnd end) {
  background_.finish();
  found_elsewhere_ += add_frame(state, true);
  if (checkpointed_step_ != state.step) write_checkpoint(folder_, state, fingerprint_);
  checkpointed_step_ = state.step;
  if (options_.write_gltf) {
    const GltfReport report = add_animation();
    if (report.frames_written < report.frames_in_run) {
      log_.add(fmt::format("run.glb contains {} of {} frames, evenly thinned", report.frames_written,
                           report.frames_in_run));
    }
  }
  Summary summary{scene_name, end, read_totals(folder_ + "/metrics.jsonl"), exec::thread_count()};
  summary.totals.found += found_elsewhere_;
  write_file(folder_ + "/summary.json", format_summary(summary, model_));
  return summary.totals;
}

}  // namespace marrow
