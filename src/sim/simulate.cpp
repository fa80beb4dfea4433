#include "sim/simulate.h"

#include <chrono>
#include <memory>

#include "core/trace.h"
#include "exec/parallel.h"
#include "sim/step.h"

namespace marrow {
namespace {

std::unique_ptr<StepTerms> make_terms(const Model& model, const State& state, const RunHooks& hooks) {
  auto terms = std::make_unique<StepTerms>(model);
  if (hooks.on_begin) hooks.on_begin(terms->contact);
  if (hooks.on_move) {
    set_observer(*terms, [&](const VecX& n, bool is_start) { hooks.on_move(state.step + 1, n, is_start); });
  }
  return terms;
}

}  // namespace

RunReport simulate(const Model& model, State& state, const RunHooks& hooks) {
  return simulate(model, state, check_start(model, state), hooks);
}

RunReport simulate(const Model& model, State& state, const StartReport& start, const RunHooks& hooks) {
  if (start.nodes != state.nodes) return simulate(model, state, hooks);
  using Clock = std::chrono::steady_clock;
  // Bodies that are not kept apart may intersect when a run continues.
  if (!model.is_unguarded() || state.step == 0) require_start(start, model.kinematics);
  RunReport run;
  StepMaker maker([&] { return make_terms(model, state, hooks); });
  trace::take_totals();
  trace::take_loop_use();
  while (state.step < model.step_count()) {
    if (hooks.is_stop_requested && hooks.is_stop_requested()) {
      run.end = RunEnd::Stopped;
      return run;
    }
    if (hooks.take_inputs) {
      StepInputs inputs = hooks.take_inputs(state);
      if (inputs.is_model_changed) maker.make();
      maker.terms().grabs.set(std::move(inputs.grabs));
    }
    const Clock::time_point began = Clock::now();
    StepReport report = hooks.take_step ? hooks.take_step(maker, state) : take_step(maker.terms(), state);
    report.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    report.scopes = trace::take_totals();
    report.loops = trace::take_loop_use();
    report.threads = exec::thread_count();
    run.newton_iterations += report.newton.iterations;
    if (!is_success(report.newton.verdict)) {
      run.end = RunEnd::Failed;
      run.failure = std::move(report);
      return run;
    }
    ++run.steps;
    if (hooks.on_step) hooks.on_step(state, report);
  }
  return run;
}

}  // namespace marrow
