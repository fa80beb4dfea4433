// A run takes step after step until the end, a failure, or a request to stop.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "potentials/grab_springs.h"
#include "sim/start/check_start.h"
#include "sim/step.h"

namespace marrow {

// What is given to a run from outside before a step.
struct StepInputs {
  std::vector<Grab> grabs;        // that act in the step
  bool is_model_changed = false;  // by apply_settings (sim/model/settings.h): the terms are made anew
};

// The terms of a run's steps, for those who change the model while a step is taken.
class StepMaker {
 public:
  using Make = std::function<std::unique_ptr<StepTerms>()>;

  explicit StepMaker(Make make) : make_(std::move(make)), terms_(make_()) {}

  StepTerms& terms() { return *terms_; }
  // Before the model changes, and after.
  void drop() { terms_.reset(); }
  void make() { terms_ = make_(); }

 private:
  Make make_;
  std::unique_ptr<StepTerms> terms_;
};

// Callbacks by which the caller follows and stops a run; each may be empty.
struct RunHooks {
  // Called before the first step, with contact as the steps see it; valid during the run, or until it is
  // called again because the model has changed.
  std::function<void(ContactTerms& contact)> on_begin;
  // Called after every successful step.
  std::function<void(const State& state, const StepReport& report)> on_step;
  // Called at every configuration to which the nodes are moved. is_start: a solve begins here
  // (sim/terms/step_terms.h).
  std::function<void(int step, const VecX& n, bool is_start)> on_move;
  // Called before every step; true ends the run there.
  std::function<bool()> is_stop_requested;
  // Called before every step after that.
  std::function<StepInputs(const State& state)> take_inputs;
  // Takes a step in place of sim/step.h, and may change the model meanwhile (sim/remesh).
  std::function<StepReport(StepMaker& maker, State& state)> take_step;
};

enum class RunEnd { Finished, Stopped, Failed };

template <>
struct EnumNames<RunEnd> {
  static constexpr const char* names[] = {"finished", "stopped", "failed"};
};

struct RunReport {
  RunEnd end = RunEnd::Finished;
  int steps = 0;  // taken by this call
  int newton_iterations = 0;
  std::optional<StepReport> failure;  // of the step that failed
};

// Runs from the state to the model's last step. Throws an InputError if anything intersects there or there is
// no room to move: from an intersecting start nothing is kept apart.
RunReport simulate(const Model& model, State& state, const RunHooks& hooks);

// The same for a start that was already checked. A report of another state is ignored, and the start is
// checked again.
RunReport simulate(const Model& model, State& state, const StartReport& start, const RunHooks& hooks);

}  // namespace marrow
