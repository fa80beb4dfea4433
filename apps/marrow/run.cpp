// marrow run SCENE.json -o OUT: simulates a scene.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/trace.h"
#include "exec/parallel.h"
#include "marrow/check_surfaces.h"
#include "marrow/console.h"
#include "marrow/kind_option.h"
#include "marrow/live.h"
#include "marrow/output_file.h"
#include "marrow/step_notes.h"
#include "marrow/verbs.h"
#include "output/run/checkpoint.h"
#include "output/run/failure.h"
#include "output/run/run_folder.h"
#include "scene/build/build.h"
#include "scene/build/build_certificates.h"
#include "scene/describe.h"
#include "scene/import/import_scene.h"
#include "scene/read_scene.h"
#include "sim/simulate.h"

namespace marrow {
namespace {

constexpr int kMostSteps = 1'000'000'000;

struct RunArguments {
  std::string scene;
  std::string folder;
  std::string trace;
  std::vector<std::string> overrides;
  int steps = 0;
  int threads = 0;
  bool resume = false;
  bool overwrite = false;
  LiveOptions live;
  bool iterates = false;
  ImportOptions import;
};

std::atomic<int> stop_signal{0};

// The first signal ends the run after the current step; a second one ends the process at once.
void handle_signal(int signal) {
  constexpr char kText[] = "\nStopping after this step. Press Ctrl-C again to quit immediately.\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText, sizeof(kText) - 1);
  stop_signal = signal;
  std::signal(signal, SIG_DFL);
}

bool is_interrupted() { return stop_signal != 0; }

InputError refuse_folder(const std::string& folder, const std::string& problem, const std::string& advice) {
  return InputError({folder, 0, 0, {}}, problem, advice);
}

// A mesh by the folder it really is in; its own name tells the format and stays.
std::filesystem::path locate_input(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string parent = path.parent_path().string();
  return std::filesystem::path(canonical_path(parent.empty() ? "." : parent)) / path.filename();
}

// Whether the scene is the one recorded in the folder.
bool is_recorded_scene(const RunArguments& arguments) {
  return locate_input(arguments.scene) ==
         std::filesystem::path(canonical_path(arguments.folder)) / "scene.json";
}

// Results must not replace what they are computed from; only a resumed run may read the recorded scene.
void check_inputs_are_safe(const RunArguments& arguments, const Scene& scene) {
  const std::vector<std::string> inputs = list_input_files(arguments.scene, scene);
  if (!arguments.trace.empty()) check_not_input(arguments.trace, inputs);
  if (arguments.resume && has_run(arguments.folder) && is_recorded_scene(arguments)) return;
  const std::string folder = canonical_path(arguments.folder);
  for (const std::string& input : inputs) {
    const std::filesystem::path path = locate_input(input);
    if (path.parent_path() != folder || !is_run_file(path.filename().string())) continue;
    throw InputError({input, 0, 0, {}}, "would be overwritten by a result of the same name",
                     "Name another folder with -o.");
  }
}

// Refuses a folder that must not be written to, and clears it where asked.
void prepare_folder(const RunArguments& arguments) {
  const std::string& folder = arguments.folder;
  if (const std::vector<std::string> foreign = find_foreign_files(folder); !foreign.empty()) {
    throw refuse_folder(folder, fmt::format("contains {}, which was not written by a run", foreign.front()),
                        "Name another folder with -o.");
  }
  if (!has_run(folder)) return;
  if (arguments.overwrite) return remove_run(folder);
  if (!arguments.resume) {
    throw refuse_folder(
        folder, "already contains a run",
        "Continue it with --resume, replace it with --overwrite, or name another folder with -o.");
  }
  if (!list_checkpoints(folder).empty()) return;
  if (!read_file(folder + "/metrics.jsonl").empty()) {
    throw refuse_folder(folder, "contains a run without a checkpoint to continue from",
                        "Start again with --overwrite, or name another folder with -o.");
  }
  remove_run(folder);  // it ended before its first step
}

// The state to start from: the newest checkpoint when resuming.
State choose_start(const RunArguments& arguments, const BuiltScene& built) {
  if (!arguments.resume) return built.state;
  std::optional<State> state = read_newest_checkpoint(arguments.folder, built.fingerprint);
  if (!state) {
    fmt::print("Nothing to resume in {}: starting from the beginning.\n", arguments.folder);
    return built.state;
  }
  fmt::print("Resuming after step {}.\n", state->step);
  return *std::move(state);
}

// The scene as recorded in a folder: mesh names lead from there to the files.
std::string describe_for_folder(Scene scene, const std::string& scene_path, const std::string& target) {
  const std::string folder = canonical_path(target);
  const auto rename = [&](std::string& mesh) {
    mesh = locate_input(resolve_path(scene_path, mesh)).lexically_relative(folder).string();
  };
  for (BodyDescription& body : scene.bodies) {
    if (body.mesh) rename(*body.mesh);
    for (PrescribedDescription& part : body.prescribed) {
      if (part.sequence) std::for_each(part.sequence->meshes.begin(), part.sequence->meshes.end(), rename);
    }
  }
  return describe_scene(scene);
}

// The scene as recorded in the run's folder; empty if it is the recorded one itself.
std::string describe_for_run(const Scene& scene, const RunArguments& arguments) {
  if (is_recorded_scene(arguments)) return {};
  return describe_for_folder(scene, arguments.scene, arguments.folder);
}

RunFolderOptions choose_output(const OutputOptions& output) {
  RunFolderOptions options;
  options.write_vtu = output.vtu;
  options.write_gltf = output.gltf;
  options.write_viewer = output.viewer;
  options.viewer_precision = output.viewer_full_precision ? DrawnPrecision::Float32 : DrawnPrecision::Box16;
  options.checkpoint_every = output.checkpoint_every;
  options.check_frames = output.check;
  options.record_iterates = output.iterates;
  return options;
}

void print_start(const Scene& scene, const Model& model, const std::string& folder) {
  const Kinematics& kinematics = model.kinematics;
  fmt::print("{}: {}, {}, {}, {} of {:g} s → {}\n", scene.name.empty() ? "scene" : scene.name,
             format_count(static_cast<long>(kinematics.bodies.size()), "body", "bodies"),
             format_count(kinematics.node_count, "node", "nodes"),
             format_count(kinematics.elements.count(), "element", "elements"),
             format_count(model.step_count(), "step", "steps"), model.time.step, folder);
}

// The command that goes on with this run.
std::string format_resume_command(const RunArguments& arguments) {
  std::string command = fmt::format("{} run {} -o {}", quote_for_shell(program_invocation_name),
                                    quote_for_shell(arguments.scene), quote_for_shell(arguments.folder));
  if (arguments.steps > 0) command += fmt::format(" --steps {}", arguments.steps);
  if (arguments.threads > 0) command += fmt::format(" --threads {}", arguments.threads);
  for (const std::string& change : arguments.overrides) command += " --set " + quote_for_shell(change);
  if (arguments.iterates) command += " --iterates";
  return command + " --resume";
}

void print_results(const std::string& folder) {
  const std::pair<const char*, const char*> results[] = {{"ParaView", "run.pvd"},
                                                         {"Blender, web viewers", "run.glb"},
                                                         {"Metrics per step", "metrics.jsonl"},
                                                         {"Summary", "summary.json"}};
  for (const auto& [what, file] : results) {
    if (is_file(folder + "/" + file)) fmt::print("  {}: {}/{}\n", what, folder, file);
  }
}

// Leaves what it takes to replay the step; returns the command that does.
std::string leave_failure(const RunArguments& arguments, Scene scene, const BuiltScene& built,
                          const State& state, const StepReport& failure) {
  const std::string target = failure_folder(arguments.folder);
  const std::string command =
      fmt::format("{} run {} -o {} --resume", quote_for_shell(program_invocation_name),
                  quote_for_shell(target + "/scene.json"), quote_for_shell(target));
  scene.time.duration = failure.step * scene.time.step;
  scene.output.iterates = true;
  const std::string text =
      target == arguments.folder ? std::string() : describe_for_folder(scene, arguments.scene, target);
  write_failure(target, state, built.fingerprint, text, format_failure(failure, command));
  return command;
}

void print_failure(const StepReport& failure, const std::string& replay_command, RunFolder& folder) {
  const std::string text = fmt::format(
      "step {} failed: {} after {}, last change {:.3g} m", failure.step, to_string(failure.newton.verdict),
      format_count(failure.newton.iterations, "iteration", "iterations"), failure.newton.last_step);
  const std::string reason = explain_failure(failure);
  folder.log().add(text + ". " + reason);
  fmt::print(
      stderr,
      "marrow: {}\n  {}\n"
      "  The step was also split, into parts of down to {:.3g} s. The state before it is saved; to replay "
      "the step and record every iteration, run:\n  {}\n"
      "  A smaller time.step or a larger solver.max_iterations may help; they need a new run.\n",
      text, reason, failure.failed_length, replay_command);
}

// What the witness found is a bug of ours, and must not pass unseen.
void print_found(const WitnessCounts& found, const std::string& folder) {
  fmt::print(
      stderr,
      "marrow: THE RESULT IS WRONG: its frames contain {} intersections, {} inverted tets and {} points "
      "that are not finite.\n"
      "  This must never happen: it is a bug in Marrow. To see where, run\n"
      "  {} check {}\n"
      "  Please report it with {}/scene.json, the meshes it names, and {}/run.log.\n",
      found.intersections.value_or(0), found.inversions.value_or(0), found.not_finite.value_or(0),
      quote_for_shell(program_invocation_name), quote_for_shell(folder), folder, folder);
}

void print_end(const RunReport& run, const RunArguments& arguments, RunFolder& folder, double seconds) {
  const std::string pace = fmt::format(
      "{}, {}, {}", format_count(run.steps, "step", "steps"),
      format_count(run.newton_iterations, "Newton iteration", "Newton iterations"), format_duration(seconds));
  folder.log().add(fmt::format("{}: {}", run.end == RunEnd::Finished ? "finished" : "ended early", pace));
  if (run.end == RunEnd::Finished) {
    fmt::print("Done: {}.\n", pace);
    print_results(arguments.folder);
  } else if (run.end == RunEnd::Stopped) {
    fmt::print("Stopped: {}. Continue with:\n  {}\n", pace, format_resume_command(arguments));
  }
}

// Says when certificates are no longer asked, because that does not pay.
void log_culling(const CullingReport& before, const StepReport& report, RunFolder& folder) {
  if (report.culling.is_on || report.culling.triangles == 0 || (report.step > 1 && !before.is_on)) return;
  folder.log().add(fmt::format(
      "step {}: certificates are switched off because they save no time, {:.0f} % of pairs culled",
      report.step, 100 * report.culling.culled_share()));
}

void print_culling(const CullingReport& culling) {
  if (culling.triangles == 0 || culling.searches == 0) return;
  fmt::print("  Certificates: {:.0f} % of pairs culled, regions renewed {} times in {} searches, {}\n",
             100 * culling.culled_share(), culling.renewed, culling.searches,
             culling.is_on ? fmt::format("about {:.2g} s {}", std::abs(culling.saved_seconds),
                                         culling.saved_seconds < 0 ? "lost" : "saved")
                           : std::string("switched off because they saved no time"));
}

int exit_code(RunEnd end, const WitnessCounts& found) {
  if (!found.is_clean() && end != RunEnd::Failed) return kExitIntersecting;
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
  std::vector<std::string> notices;
  Scene scene = read_scene_or_import(arguments.scene, arguments.overrides, arguments.import, notices);
  if (arguments.steps > 0) scene.time.duration = arguments.steps * scene.time.step;
  if (arguments.iterates) scene.output.iterates = true;
  BuiltScene built = build_scene(scene, arguments.scene);
  notices.insert(notices.end(), built.notes.begin(), built.notes.end());
  if (is_file(arguments.folder)) {
    throw refuse_folder(arguments.folder, "is a file, not a folder", "Name another folder with -o.");
  }
  if (arguments.live.is_on && !scene.output.viewer) {
    throw InputError({arguments.scene, 0, 0, "output.viewer"},
                     "is off, but --live needs the frames that it writes",
                     "Leave out --live, or add --set output.viewer=true.");
  }
  check_inputs_are_safe(arguments, scene);
  const std::string folder_name = std::filesystem::path(arguments.folder + "/").parent_path().string();
  const StartReport checked =
      require_clean_start(built.model, built.state, arguments.scene, folder_name + ".intersections.ply");
  if (!arguments.resume) {
    for (std::string& note : list_start_notes(checked, built.model.kinematics)) {
      notices.push_back(std::move(note));
    }
  }
  for (const std::string& notice : notices) fmt::print("Note: {}.\n", notice);
  const RunLock lock(arguments.folder);
  prepare_folder(arguments);
  if (!arguments.trace.empty()) write_file(arguments.trace, "");  // known to work before the work begins
  State state = choose_start(arguments, built);
  const std::vector<std::string> certified =
      add_certificates(scene, arguments.scene, built, [](const std::string& text) {
        fmt::print("{}\n", text);
        std::fflush(stdout);
      });
  print_start(scene, built.model, arguments.folder);
  for (const std::string& note : certified) fmt::print("  {}\n", note);

  // Run, writing after every step.
  const auto start = std::chrono::steady_clock::now();
  RunFolder folder(arguments.folder, built.model, built.fingerprint, describe_for_run(scene, arguments),
                   state, choose_output(scene.output));
  for (const std::string& notice : folder.notices()) fmt::print("Note: {}.\n", notice);
  folder.log().add(fmt::format("start at step {} of {}, {} threads", state.step, built.model.step_count(),
                               exec::thread_count()));
  for (const std::string& note : certified) folder.log().add(note);
  CullingReport culling;
  StepNotes notes(built.model, folder.log());
  Console console(state.step, built.model.step_count());
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, handle_signal);
  RunHooks hooks;
  std::optional<LiveView> live;
  if (arguments.live.is_on) live.emplace(arguments.folder, arguments.live, is_interrupted);
  hooks.is_stop_requested = [&] { return live ? live->wait_for_step() : is_interrupted(); };
  hooks.on_begin = [&](ContactTerms& contact) { folder.set_contact(&contact); };
  hooks.on_step = [&](const State& now, const StepReport& report) {
    folder.add_step(now, report);
    log_culling(culling, report, folder);
    culling = report.culling;
    notes.add(report);
    console.show_step(report);
  };
  if (scene.output.iterates) {
    hooks.on_move = [&](int step, const VecX& n, bool is_start) { folder.add_move(step, n, is_start); };
  }
  if (!arguments.trace.empty()) trace::start_recording();
  const RunReport run = simulate(built.model, state, checked, hooks);
  folder.set_contact(nullptr);
  console.end_line();
  folder.finish(state, scene.name, run.end);
  if (!arguments.trace.empty()) write_file(arguments.trace, trace::export_chrome_trace());
  print_end(run, arguments, folder,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  notes.print(run.steps);
  print_culling(culling);
  if (run.failure) {
    print_failure(*run.failure, leave_failure(arguments, scene, built, state, *run.failure), folder);
  } else if (run.end == RunEnd::Finished) {
    remove_failure(arguments.folder);  // that step has been taken
  }
  if (!folder.found().is_clean()) print_found(folder.found(), arguments.folder);
  if (live) live->linger();
  return exit_code(run.end, folder.found());
}

}  // namespace

void add_run_verb(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "Simulate a scene");
  verb->add_option("scene", arguments->scene, "Scene file (JSON), IPC script (.txt) or rigid-ipc fixture")
      ->required();
  add_kind_option(*verb, arguments->import);
  verb->add_option("-o,--output", arguments->folder, "Folder for the results")->default_val("out");
  verb->add_option("--steps", arguments->steps, "Total number of steps, instead of time.duration")
      ->check(CLI::Range(1, kMostSteps));
  verb->add_option("--threads", arguments->threads, "Number of threads; 0 uses all cores")
      ->check(CLI::Range(0, 1024));
  verb->add_option("--set", arguments->overrides, "Change a value of the scene: --set time.step=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--trace", arguments->trace,
                   "Write a Chrome trace (chrome://tracing, Perfetto) to this file");
  verb->add_flag("--iterates", arguments->iterates,
                 "Also record every Newton iteration, for `marrow check` (output.iterates)");
  CLI::Option* resume = verb->add_flag("--resume", arguments->resume, "Continue the run in the folder");
  verb->add_flag("--overwrite", arguments->overwrite, "Replace the run in the folder")->excludes(resume);
  CLI::Option* live =
      verb->add_flag("--live", arguments->live.is_on, "Show the run in the browser while it is computed");
  verb->add_flag("--paused", arguments->live.starts_paused, "With --live: start paused")->needs(live);
  verb->add_flag("--open", arguments->live.opens_browser, "With --live: open the page in the default browser")
      ->needs(live);
  verb->add_option("--port", arguments->live.port, "With --live: the port; 0 picks a free one")
      ->check(CLI::Range(0, 65535))
      ->needs(live);
  verb->callback([arguments, &action] { action = [arguments] { return run_scene(*arguments); }; });
}

}  // namespace marrow
