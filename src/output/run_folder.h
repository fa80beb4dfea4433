// The folder of a run, and what is written to it step by step:
//
//   scene.json        the scene with every default filled in
//   run.pvd, frames/  one VTU per frame
//   metrics.jsonl     one line per step
//   checkpoints/      the last two states
//   run.log           what happened when
//   run.glb, run.gltf the animation, written at the end
//
// Within a step the frame comes first, then the metrics, and the checkpoint last: a step counts as done once
// its checkpoint is there. Opening to resume drops whatever is later than the newest checkpoint.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "output/frame.h"
#include "output/gltf.h"
#include "output/metrics.h"
#include "output/pvd.h"
#include "output/run_log.h"
#include "sim/report.h"

namespace marrow {

struct RunFolderOptions {
  bool write_vtu = true;
  bool write_gltf = true;
  int checkpoint_every = 1;
};

// Whether a folder holds a run already.
bool has_run(const std::string& folder);

// Removes the files of a run, and nothing else.
void remove_run(const std::string& folder);

// What the writers need to know of the bodies.
OutputTopology make_topology(const Kinematics& kinematics);

class RunFolder {
 public:
  // Opens the folder for a run that goes on from the step of the state. scene_text: canonical JSON.
  RunFolder(const std::string& folder, const Model& model, std::uint64_t fingerprint,
            const std::string& scene_text, const State& state, const RunFolderOptions& options);

  // After every step: frame if due, metrics, checkpoint if due.
  void add_step(const State& state, const StepReport& report);

  // At the end, however it came: a last checkpoint and the animation.
  void finish(const State& state);

  RunLog& log() { return log_; }
  int frame_count() const { return static_cast<int>(frames_.size()); }

 private:
  void add_frame(const State& state);
  void drop_later_frames(int step);

  std::string folder_;
  const Model& model_;
  std::uint64_t fingerprint_;
  RunFolderOptions options_;
  OutputTopology topology_;
  RunLog log_;
  MetricsFile metrics_;
  std::vector<PvdFrame> frames_;
  int checkpointed_step_ = -1;
};

}  // namespace marrow
