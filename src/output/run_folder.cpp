#include "output/run_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/file.h"
#include "core/trace.h"
#include "output/checkpoint.h"
#include "output/vtu.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

// Creates the folder before the members that open files in it.
std::string prepare_folder(const std::string& folder) {
  make_folder(folder);
  make_folder(folder + "/frames");
  return folder;
}

template <class Element>
void append_elements(const std::vector<Element>& elements, Index first_point, std::vector<Element>& all) {
  for (Element element : elements) {
    for (Index& i : element) i += first_point;
    all.push_back(element);
  }
}

}  // namespace

bool has_run(const std::string& folder) {
  return fs::exists(folder + "/metrics.jsonl") || fs::exists(folder + "/checkpoints");
}

void remove_run(const std::string& folder) {
  for (const char* name :
       {"scene.json", "run.pvd", "metrics.jsonl", "run.log", "run.glb", "run.gltf", "run.bin"}) {
    fs::remove(folder + "/" + name);
  }
  fs::remove_all(folder + "/frames");
  fs::remove_all(folder + "/checkpoints");
}

OutputTopology make_topology(const Kinematics& kinematics) {
  OutputTopology topology;
  for (const Body& body : kinematics.bodies) {
    topology.bodies.push_back({body.name, enum_name(body.kind), body.first_point, body.W.rows()});
    append_elements(body.rest.edges, body.first_point, topology.edges);
    append_elements(body.rest.triangles, body.first_point, topology.triangles);
    append_elements(body.rest.tets, body.first_point, topology.tets);
  }
  return topology;
}

RunFolder::RunFolder(const std::string& folder, const Model& model, std::uint64_t fingerprint,
                     const std::string& scene_text, const State& state, const RunFolderOptions& options)
    : folder_(prepare_folder(folder)),
      model_(model),
      fingerprint_(fingerprint),
      options_(options),
      topology_(make_topology(model.kinematics)),
      log_(folder_ + "/run.log"),
      metrics_(folder_ + "/metrics.jsonl", state.step) {
  write_file(folder_ + "/scene.json", scene_text);
  if (state.step > 0) {
    drop_later_frames(state.step);
  } else {
    if (options_.write_vtu) add_frame(state);
    write_checkpoint(folder_, state, fingerprint_);
  }
  checkpointed_step_ = state.step;
}

void RunFolder::drop_later_frames(int step) {
  if (!fs::exists(folder_ + "/run.pvd")) return;
  for (PvdFrame& frame : read_pvd(folder_ + "/run.pvd")) {
    if (frame_step(frame.file) <= step) {
      frames_.push_back(std::move(frame));
    } else {
      fs::remove(folder_ + "/" + frame.file);
    }
  }
  write_pvd(folder_ + "/run.pvd", frames_);
}

void RunFolder::add_frame(const State& state) {
  const trace::Scope scope("output.frame");
  Points points, velocities;
  compute_points(model_.kinematics, state.nodes, points);
  compute_points(model_.kinematics, state.velocities, velocities);
  Frame frame;
  frame.step = state.step;
  frame.time = state.time;
  frame.points = points;
  frame.velocities = velocities;
  const std::string file = frame_file(state.step);
  write_vtu(folder_ + "/" + file, topology_, frame);
  frames_.push_back({state.time, file});
  write_pvd(folder_ + "/run.pvd", frames_);
}

void RunFolder::add_step(const State& state, const StepReport& report) {
  if (options_.write_vtu && state.step % model_.time.frame_every == 0) add_frame(state);
  metrics_.add(report);
  const trace::Scope scope("output.checkpoint");
  if (state.step % options_.checkpoint_every != 0) return;
  write_checkpoint(folder_, state, fingerprint_);
  checkpointed_step_ = state.step;
}

void RunFolder::finish(const State& state) {
  if (checkpointed_step_ != state.step) write_checkpoint(folder_, state, fingerprint_);
  checkpointed_step_ = state.step;
  if (!options_.write_vtu || !options_.write_gltf) return;
  const GltfReport report = write_gltf(folder_, topology_, frames_);
  if (report.frames_written < report.frames_in_run) {
    log_.add(fmt::format("run.glb holds {} of {} frames, evenly thinned", report.frames_written,
                         report.frames_in_run));
  }
}

}  // namespace marrow
