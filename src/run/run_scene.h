// A scene run into a folder: what `marrow run` does, but for arguments, signals and the terminal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "play/hands.h"
#include "scene/build/build.h"
#include "sim/simulate.h"
#include "witness/witness.h"

namespace marrow {

// How the caller's options are called, for advice in messages.
struct RunWords {
  std::string name_folder = "Name another folder with -o";
  std::string resume = "Continue it with --resume", overwrite = "replace it with --overwrite";
  std::string start_again = "Start again with --overwrite";
};

struct RunRequest {
  std::string scene;   // the scene's file; the names of meshes are relative to it
  std::string folder;  // for the results; empty: nothing is written
  bool resumes = false;
  bool overwrites = false;
  std::string trace;               // a file for a Chrome trace; empty: none
  std::string program = "marrow";  // in commands that messages propose; as a shell takes it
  RunWords words;
};

// What the caller wants to know and decide; each may be empty.
struct RunEvents {
  std::function<void(const std::string& text)> on_note;      // what a person should know
  std::function<void(const std::string& text)> on_progress;  // work before the first step
  // Once the scene is built, before any file is touched; may throw InputError.
  std::function<void(const BuiltScene& built)> on_built;
  // Before the first step: everything is checked, and the folder is open.
  std::function<void(const Model& model, const State& state)> on_start;
  std::function<void(const State& state, const StepReport& report)> on_step;
  std::function<bool()> is_stop_requested;  // asked before every step
  // Asked before every step after that: what is done to the scene from this step on (play/input.h). Where it
  // is empty, a resumed run lets go of what was held.
  std::function<std::vector<Input>(int step, const Hands& hands)> take_inputs;
};

struct RunOutcome {
  RunReport report;
  WitnessCounts found;  // by the witness, in all frames: anything is a bug of ours
  CullingReport culling;
  int frames = 0;                   // that the run has
  int vtu_files = 0;                // of these
  bool keeps_exact_frames = false;  // so that the other VTU files can be written afterwards
  double seconds = 0;
  std::vector<std::string> notes;  // what a person should know of a run that went on all the same
  std::string replay_command;      // of the step that failed
};

// "step 3 failed: no descent after 12 iterations, last change 1e-05 m"
std::string describe_failure(const StepReport& failure);

// The scene as a file in another folder says it: mesh names lead from there to the files.
std::string describe_for_folder(Scene scene, const std::string& scene_path, const std::string& target);

// Reads and checks everything before the first file is written. Throws InputError.
RunOutcome run_scene(const Scene& scene, const RunRequest& request, const RunEvents& events);

}  // namespace marrow
