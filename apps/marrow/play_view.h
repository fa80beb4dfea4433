// A scene that plays in the browser: `marrow play` without a script.
#pragma once

#include <memory>
#include <string>

#include "marrow/live.h"
#include "run/run_scene.h"

namespace marrow {

class PlayView {
 public:
  // scene must outlive this. path: of its file. is_interrupted: whether a signal asks for the end.
  PlayView(const Scene& scene, const std::string& path, const LiveOptions& options,
           std::function<bool()> is_interrupted);
  ~PlayView();
  PlayView(const PlayView&) = delete;
  PlayView& operator=(const PlayView&) = delete;

  // Before the first step, also after a new start. The first time this prints the address. recording: the
  // folder that is written to, or empty. Throws InputError.
  void start(const Model& model, const State& state, const std::string& recording);

  // Before every step: waits until it is due, and while the run is paused. True: the run shall end.
  bool wait_for_step();

  // What pages have asked for since.
  std::vector<Input> take_inputs(int step, const Hands& hands);

  // After every step: shows it.
  void show(const State& state, const StepReport& report);

  // Whether the run ended because somebody wants it from the start.
  bool is_restart_requested() const;

  // After the run: stays while somebody is looking.
  void linger();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace marrow
