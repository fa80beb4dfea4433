// marrow run SCENE.json -o OUT: simulates a scene.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/trace.h"
#include "exec/parallel.h"
#include "marrow/console.h"
#include "marrow/verbs.h"
#include "output/checkpoint.h"
#include "output/run_folder.h"
#include "scene/build.h"
#include "scene/describe.h"
#include "scene/read_scene.h"
#include "sim/simulate.h"

namespace marrow {
namespace {

struct RunArguments {
  std::string scene;
  std::string folder;
  std::string trace;
  std::vector<std::string> overrides;
  int steps = 0;
  int threads = 0;
  bool resume = false;
  bool overwrite = false;
};

std::atomic<int> stop_signal{0};

// The first signal ends the run after the current step; a second one ends the process at once.
void handle_signal(int signal) {
  stop_signal = signal;
  std::signal(signal, SIG_DFL);
}

void check_folder(const RunArguments& arguments) {
  const std::string& folder = arguments.folder;
  if (std::filesystem::exists(folder) && !std::filesystem::is_directory(folder)) {
    throw InputError({folder, 0, 0, {}}, "is a file, not a folder", "Name another folder with -o.");
  }
  if (!has_run(folder) || arguments.resume) return;
  if (!arguments.overwrite) {
    throw InputError(
        {folder, 0, 0, {}}, "holds a run already",
        "Continue it with --resume, replace it with --overwrite, or name another folder with -o.");
  }
  remove_run(folder);
}

// The state to start from: the newest checkpoint when resuming.
State choose_start(const RunArguments& arguments, const BuiltScene& built) {
  if (!arguments.resume) return built.state;
  std::optional<State> state = read_newest_checkpoint(arguments.folder, built.fingerprint);
  if (!state) {
    fmt::print("Nothing to resume in {}: starting at the beginning.\n", arguments.folder);
    return built.state;
  }
  fmt::print("Resuming after step {}.\n", state->step);
  return *std::move(state);
}

// The scene as recorded in the run's folder: mesh names lead from there to the files.
std::string describe_for_folder(Scene scene, const RunArguments& arguments) {
  for (BodyDescription& body : scene.bodies) {
    if (!body.mesh) continue;
    const std::filesystem::path file = std::filesystem::absolute(resolve_path(arguments.scene, *body.mesh));
    body.mesh = file.lexically_normal()
                    .lexically_relative(std::filesystem::absolute(arguments.folder).lexically_normal())
                    .string();
  }
  return describe_scene(scene);
}

void print_start(const Scene& scene, const Model& model, const std::string& folder) {
  fmt::print("{}: {} bodies, {} nodes, {} elements, {} steps of {:g} s → {}\n",
             scene.name.empty() ? "scene" : scene.name, model.kinematics.bodies.size(),
             model.kinematics.node_count, model.kinematics.elements.count(), model.step_count(),
             model.time.step, folder);
}

void print_end(const RunReport& run, const RunArguments& arguments, RunFolder& folder, double seconds) {
  const std::string pace = fmt::format("{} steps, {} Newton iterations, {}", run.steps, run.newton_iterations,
                                       format_duration(seconds));
  folder.log().add(fmt::format("{}: {}", run.end == RunEnd::Finished ? "finished" : "ended early", pace));
  if (run.end == RunEnd::Finished) {
    fmt::print(
        "Done: {}.\n  ParaView: {}/run.pvd\n  Blender, web viewers: {}/run.glb\n  Figures per step: "
        "{}/metrics.jsonl\n",
        pace, arguments.folder, arguments.folder, arguments.folder);
  } else if (run.end == RunEnd::Stopped) {
    fmt::print("Stopped: {}. Continue with:\n  marrow run {} -o {} --resume\n", pace, arguments.scene,
               arguments.folder);
  } else {
    const StepReport& failure = *run.failure;
    const std::string text =
        fmt::format("step {} failed: {} after {} iterations, last change {:.3g} m", failure.step,
                    to_string(failure.newton.verdict), failure.newton.iterations, failure.newton.last_step);
    folder.log().add(text);
    fmt::print(
        stderr,
        "marrow: {}\n  The state before it is saved. Replay the step with:\n  marrow run {} -o {} --resume\n"
        "  A smaller time.step or more solver.max_iterations may help; start anew with them.\n",
        text, arguments.scene, arguments.folder);
  }
}

int exit_code(RunEnd end) {
  switch (end) {
    case RunEnd::Finished:
      return kExitOk;
    case RunEnd::Stopped:
      return kExitStopped;
    case RunEnd::Failed:
      return kExitFailed;
  }
  return kExitFailed;
}

int run_scene(const RunArguments& arguments) {
  // Read and check everything before the first file is written.
  exec::set_thread_count(arguments.threads);
  const Scene scene = read_scene(arguments.scene, arguments.overrides);
  BuiltScene built = build_scene(scene, arguments.scene);
  if (arguments.steps > 0) built.model.time.duration = arguments.steps * built.model.time.step;
  check_folder(arguments);
  State state = choose_start(arguments, built);
  print_start(scene, built.model, arguments.folder);

  // Run, writing after every step.
  const auto start = std::chrono::steady_clock::now();
  RunFolder folder(arguments.folder, built.model, built.fingerprint, describe_for_folder(scene, arguments),
                   state, {scene.output.vtu, scene.output.gltf, scene.output.checkpoint_every});
  folder.log().add(fmt::format("start at step {} of {}, {} threads", state.step, built.model.step_count(),
                               exec::thread_count()));
  Console console(state.step, built.model.step_count());
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, handle_signal);
  RunHooks hooks;
  hooks.is_stop_requested = [] { return stop_signal != 0; };
  hooks.on_step = [&](const State& now, const StepReport& report) {
    folder.add_step(now, report);
    if (report.motion_remaining > 0) {
      folder.log().add(fmt::format("step {}: prescribed points are {:.3g} m short of their targets",
                                   report.step, report.motion_remaining));
    }
    console.show_step(report);
  };
  if (!arguments.trace.empty()) trace::start_recording();
  const RunReport run = simulate(built.model, built.state.nodes, state, hooks);
  console.end_line();
  folder.finish(state);
  if (!arguments.trace.empty()) write_file(arguments.trace, trace::export_chrome_trace());
  print_end(run, arguments, folder,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return exit_code(run.end);
}

}  // namespace

void add_run_verb(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "Simulate a scene");
  verb->add_option("scene", arguments->scene, "Scene file (JSON)")->required();
  verb->add_option("-o,--output", arguments->folder, "Folder for the results")->default_val("out");
  verb->add_option("--steps", arguments->steps, "Steps in all, instead of time.duration")
      ->check(CLI::PositiveNumber);
  verb->add_option("--threads", arguments->threads, "Threads; 0 takes all")->check(CLI::NonNegativeNumber);
  verb->add_option("--set", arguments->overrides, "Change a value of the scene: --set time.step=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--trace", arguments->trace,
                   "Write a Chrome trace (chrome://tracing, Perfetto) to this file");
  verb->add_flag("--resume", arguments->resume, "Continue the run in the folder");
  verb->add_flag("--overwrite", arguments->overwrite, "Replace the run in the folder");
  verb->callback([arguments, &action] { action = [arguments] { return run_scene(*arguments); }; });
}

}  // namespace marrow
