// The run: step after step until the end, a failure, or a request to stop.
#pragma once

#include <functional>
#include <optional>

#include "sim/start/check_start.h"
#include "sim/step.h"

namespace marrow {

// What the caller wants to know and decide; each may be empty.
struct RunHooks {
  // Before the first step: contact as the steps see it, valid while the run goes on.
  std::function<void(ContactTerms& contact)> on_begin;
  // After every successful step.
  std::function<void(const State& state, const StepReport& report)> on_step;
  // At every place the nodes are moved to; is_start: a solve begins here (sim/terms/step_terms.h).
  std::function<void(int step, const VecX& n, bool is_start)> on_move;
  // Asked before every step; true ends the run there.
  std::function<bool()> is_stop_requested;
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

// Runs from the state to the model's last step. Throws an InputError unless nothing intersects there and
// there is room to move: from an intersecting start nothing is kept apart.
RunReport simulate(const Model& model, State& state, const RunHooks& hooks);

// The same of a start that was checked already; a report of another state is not believed.
RunReport simulate(const Model& model, State& state, const StartReport& start, const RunHooks& hooks);

}  // namespace marrow
