// The folder of a run, and what is written to it step by step:
//
//   scene.json        the scene with every default filled in
//   run.mrw           all frames, exact, for the viewer and the checker (output/frames/frames_file.h)
//   run.pvd, frames/  VTU files, of some of the frames
//   metrics.jsonl     one line per step
//   bodies.csv, contacts.csv, joints.csv  poses and forces per step (output/run/results.h)
//   summary.json      the run in a few numbers, written at the end
//   inputs.jsonl      what was done to a run that was played (run/played_inputs.h)
//   iterates.bin      every place the nodes were moved to, where asked for
//   failure/          what it takes to replay a step that failed (output/run/failure.h)
//   checkpoints/      the last two states
//   run.log           what happened when
//   .lock             held while a process writes here
//   run.glb           the animation, written at the end
//
// Within a step the frame comes first, then the metrics, and the checkpoint last: a step counts as done once
// its checkpoint is there. Opening to resume drops whatever is later than the newest checkpoint; the first
// step drops the frame of the state at which the run ended, if none was due there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "output/frames/frame.h"
#include "output/frames/frames_file.h"
#include "output/gltf/gltf.h"
#include "output/run/background.h"
#include "output/run/iterates.h"
#include "output/run/metrics.h"
#include "output/run/results.h"
#include "output/run/run_log.h"
#include "output/run/summary.h"
#include "output/run/topology.h"
#include "output/vtk/pvd.h"
#include "sim/model/report.h"
#include "sim/terms/contact_view.h"

namespace marrow {

struct RunFolderOptions {
  bool write_vtu = true;
  int vtu_every = 1;  // frames
  bool write_gltf = true;
  bool write_viewer = true;
  FramesFileOptions viewer;
  int checkpoint_every = 1;
  bool check_frames = true;  // by the witness
  bool record_iterates = false;
  SceneLook look;
  bool write_results = true;
  std::vector<std::shared_ptr<const OutputTexture>> textures = {};  // by body, or empty; null: none
};

// Whether a folder holds a run already: metrics or a checkpoint.
bool has_run(const std::string& folder);

// Whether a run would write a file of this name into its folder.
bool is_run_file(const std::string& name);

// The files in the folder that a run would replace, though no run wrote them; none if there is a run.
std::vector<std::string> find_foreign_files(const std::string& folder);

// Removes the files of a run, and nothing else. The checkpoints go first and the metrics last: if it is
// interrupted, what is left cannot be resumed but is still known as a run. Throws OutputError.
void remove_run(const std::string& folder);

// Removes what a step that failed has left in a folder (output/run/failure.h). Throws OutputError.
void remove_failure(const std::string& folder);

// Keeps other processes from writing to the folder while it lives.
class RunLock {
 public:
  // Creates the folder. Throws InputError if another process holds the lock, OutputError.
  explicit RunLock(const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int fd_ = -1;
};

class RunFolder {
 public:
  // Opens the folder for a run that goes on from the step of the state. scene_text: canonical JSON; empty
  // keeps the one that is there. Throws InputError if a frame of an earlier step is missing, OutputError.
  RunFolder(const std::string& folder, const Model& model, std::uint64_t fingerprint,
            const std::string& scene_text, const State& state, const RunFolderOptions& options);

  // While it is set, frames show contacts. It must outlive the steps.
  void set_contact(ContactTerms* contact);

  // After every step: frame if due, metrics, checkpoint if due. With several threads they are written beside
  // the next step; what fails then is thrown by the next call.
  void add_step(const State& state, const StepReport& report);

  // At every place the nodes are moved to (sim/simulate.h, RunHooks::on_move).
  void add_move(int step, const VecX& nodes, bool is_start);

  // At the end, however it came: a frame and a checkpoint of the last state, the animation, and then the
  // summary. Returns what the summary counts.
  RunTotals finish(const State& state, const std::string& scene_name, RunEnd end);

  RunLog& log() { return log_; }
  // Waits for what is written beside the steps. The functions below need that, or finish.
  void wait() { background_.finish(); }
  // What the witness has found in the frames written so far by this process.
  const WitnessCounts& found() const { return found_; }
  // VTU files, and all frames.
  int vtu_count() const { return static_cast<int>(frames_.size()); }
  int frame_count() const;
  // What was found wrong, and put right, when the folder was opened.
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  void write_step(const State& state, const StepReport& report);
  void open_viewer_file(const State& state);
  // has_vtu: even if none is due.
  WitnessCounts add_frame(const State& state, bool has_vtu);
  void add_vtu(const Frame& frame);
  GltfReport add_animation();
  WitnessCounts check_frame_at(const State& state, const Points& points);
  void open_iterates(const State& state);
  void open_results(const State& state);
  void log_overlaps();
  bool is_frame_due(int step) const { return step % model_.time.frame_every == 0; }
  bool is_vtu_due(int step) const {
    return step % (static_cast<std::int64_t>(model_.time.frame_every) * options_.vtu_every) == 0;
  }
  std::vector<PvdFrame> list_frames(int last_step);
  void drop_frames(int last_step);
  void drop_last_frame();
  void check_metrics(int step);

  std::string folder_;
  const Model& model_;
  std::uint64_t fingerprint_;
  RunFolderOptions options_;
  OutputTopology topology_;
  std::vector<std::string> notices_;
  std::vector<PvdFrame> frames_;
  std::optional<FramesFile> viewer_frames_;
  ContactTerms* contact_ = nullptr;
  ContactPicture contacts_;      // of the newest step
  StepForces forces_;            // the same
  bool knows_contacts_ = false;  // of the newest state; not if that step was taken by another process
  std::optional<Witness> witness_;
  std::optional<IteratesFile> iterates_;
  std::optional<ResultsFiles> results_;
  WitnessCounts found_;
  WitnessCounts found_elsewhere_;  // in frames of no line of the metrics
  int checked_step_ = -1;
  MetricsFile metrics_;  // before the log: what marks the folder as a run comes first
  RunLog log_;
  int checkpointed_step_ = -1;
  int opened_step_ = 0;
  Background background_;  // it uses all of the above, so it ends first
};

}  // namespace marrow
