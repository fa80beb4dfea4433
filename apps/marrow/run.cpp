// marrow run SCENE.json -o OUT: simulates a scene.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "exec/parallel.h"
#include "marrow/console.h"
#include "marrow/kind_option.h"
#include "marrow/live.h"
#include "marrow/model_words.h"
#include "marrow/program_name.h"
#include "marrow/verbs.h"
#include "run/profile.h"
#include "run/run_scene.h"
#include "scene/import/import_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSteps = 1'000'000'000;

struct RunArguments {
  RunRequest request;
  std::vector<std::string> overrides;
  int steps = 0;
  int threads = 0;
  LiveOptions live;
  bool iterates = false;
  bool is_strict = false;
  bool profiles = false;
  std::string kind;  // of the bodies of a rigid-ipc fixture
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

void print_start(const Scene& scene, const Model& model, const std::string& folder) {
  fmt::print("{}: {}, {} of {:g} s → {}\n", scene.name.empty() ? "scene" : scene.name,
             describe_counts(model.kinematics), format_count(model.step_count(), "step", "steps"),
             model.time.step, folder);
}

// The command that goes on with this run.
std::string format_resume_command(const RunArguments& arguments) {
  std::string command =
      fmt::format("{} run {} -o {}", command_name(), quote_for_shell(arguments.request.scene),
                  quote_for_shell(arguments.request.folder));
  if (arguments.steps > 0) command += fmt::format(" --steps {}", arguments.steps);
  if (arguments.threads > 0) command += fmt::format(" --threads {}", arguments.threads);
  for (const std::string& change : arguments.overrides) command += " --set " + quote_for_shell(change);
  if (arguments.iterates) command += " --iterates";
  return command + " --resume";
}

// Which frames run.pvd lists, if not all.
std::string describe_thinning(const RunOutcome& outcome, const std::string& folder) {
  if (outcome.vtu_files >= outcome.frames) return {};
  const std::string rest =
      fmt::format("; all with `{} convert {} -o FOLDER`", command_name(), quote_for_shell(folder));
  return fmt::format(" ({} of {} frames{})", outcome.vtu_files, outcome.frames,
                     outcome.keeps_exact_frames ? rest : "");
}

// What can be done with the results, the two best ways to look first. Only files that were written are named.
void print_results(const RunOutcome& outcome, const std::string& folder) {
  const std::string quoted = quote_for_shell(folder);
  const std::string name = fs::path(folder + "/").parent_path().filename().string();
  const auto print = [](const char* what, const std::string& how) { fmt::print("  {:<22}{}\n", what, how); };
  if (is_file(folder + "/run.mrw")) {
    print("Watch it:", fmt::format("{} view {} --open", command_name(), quoted));
    print("Make a picture:",
          fmt::format("{} render {} -o {}", command_name(), quoted, quote_for_shell(name + ".png")));
  }
  const std::pair<const char*, const char*> results[] = {{"ParaView:", "run.pvd"},
                                                         {"Blender, web viewers:", "run.glb"},
                                                         {"Metrics per step:", "metrics.jsonl"},
                                                         {"Summary:", "summary.json"}};
  for (const auto& [what, file] : results) {
    if (!is_file(folder + "/" + file)) continue;
    const bool is_list = std::string_view(file) == "run.pvd";
    print(what, folder + "/" + file + (is_list ? describe_thinning(outcome, folder) : ""));
  }
}

void print_failure(const StepReport& failure, const std::string& replay_command) {
  fmt::print(
      stderr,
      "marrow: {}\n  {}\n"
      "  The step was also split, into parts of down to {:.3g} s. The state before it is saved; to replay "
      "the step and record every iteration, run:\n  {}\n"
      "  A smaller time.step or a larger solver.max_iterations may help; they need a new run.\n",
      describe_failure(failure), explain_failure(failure), failure.failed_length, replay_command);
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
      command_name(), quote_for_shell(folder), folder, folder);
}

// Where contact is only detected, bodies may intersect: that is no bug, but it is said.
void print_unguarded(const WitnessCounts& found, const std::string& folder) {
  fmt::print(stderr,
             "marrow: the frames contain {} intersections and {} inverted tets: contact was only detected "
             "(solver.projective.contact), not prevented.\n"
             "  To see where, run\n"
             "  {} check {}\n",
             found.intersections.value_or(0), found.inversions.value_or(0), command_name(),
             quote_for_shell(folder));
}

// Frames that must not be as they are.
bool is_wrong(const WitnessCounts& found, bool is_unguarded) {
  return is_unguarded ? found.not_finite.value_or(0) > 0 : !found.is_clean();
}

void print_end(const RunOutcome& outcome, const RunArguments& arguments) {
  const RunReport& report = outcome.report;
  const std::string pace =
      fmt::format("{}, {}, {}", format_count(report.steps, "step", "steps"),
                  format_count(report.newton_iterations, "Newton iteration", "Newton iterations"),
                  format_duration(outcome.seconds));
  if (report.end == RunEnd::Finished) {
    fmt::print("Done: {}.\n", pace);
    print_results(outcome, arguments.request.folder);
  } else if (report.end == RunEnd::Stopped) {
    fmt::print("Stopped: {}. Continue with:\n  {}\n", pace, format_resume_command(arguments));
  }
}

void print_culling(const CullingReport& culling) {
  if (culling.triangles == 0 || culling.searches == 0) return;
  fmt::print("  Certificates: {:.0f} % of pairs culled, regions renewed {} times in {} searches, {}\n",
             100 * culling.culled_share(), culling.renewed, culling.searches,
             culling.is_on ? fmt::format("about {:.2g} s {}", std::abs(culling.saved_seconds),
                                         culling.saved_seconds < 0 ? "lost" : "saved")
                           : std::string("switched off because they saved no time"));
}

int exit_code(RunEnd end, const WitnessCounts& found, bool is_unguarded) {
  if (is_wrong(found, is_unguarded) && end != RunEnd::Failed) return kExitIntersecting;
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

void print_note(const std::string& text) { fmt::print("Note: {}.\n", text); }

Scene read_run_scene(const RunArguments& arguments) {
  std::vector<std::string> notices;
  Scene scene = read_scene_or_import(arguments.request.scene, arguments.overrides,
                                     read_import_options(arguments.kind), notices);
  if (arguments.steps > 0) scene.time.duration = arguments.steps * scene.time.step;
  if (arguments.iterates) scene.output.iterates = true;
  if (arguments.is_strict) scene.strict = true;
  if (arguments.live.is_on && !scene.output.viewer) {
    throw InputError({arguments.request.scene, 0, 0, "output.viewer"},
                     "is off, but --live needs the frames that it writes",
                     "Leave out --live, or add --set output.viewer=true.");
  }
  for (const std::string& notice : notices) print_note(notice);
  return scene;
}

int run(const RunArguments& arguments) {
  exec::set_thread_count(arguments.threads);
  const Scene scene = read_run_scene(arguments);
  const RunRequest& request = arguments.request;
  std::optional<Console> console;
  std::optional<LiveView> live;
  RunEvents events;
  events.on_note = [&](const std::string& text) { console ? console->show_note(text) : print_note(text); };
  events.on_progress = [](const std::string& text) {
    fmt::print("{}\n", text);
    std::fflush(stdout);
  };
  events.on_start = [&](const Model& model, const State& state) {
    print_start(scene, model, request.folder);
    console.emplace(state.step, model.step_count());
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, handle_signal);
  };
  events.is_stop_requested = [&] {
    // The page needs the folder, which is open now.
    if (arguments.live.is_on && !live) live.emplace(request.folder, arguments.live, is_interrupted);
    return live ? live->wait_for_step() : is_interrupted();
  };
  Profile profile;
  events.on_step = [&](const State&, const StepReport& report) {
    console->show_step(report);
    profile.add(report);
  };
  const RunOutcome outcome = run_scene(scene, request, events);
  if (console) console->end_line();
  print_end(outcome, arguments);
  for (const std::string& note : outcome.notes) print_note(note);
  print_culling(outcome.culling);
  if (arguments.profiles) fmt::print("{}", profile.format());
  if (outcome.report.failure) print_failure(*outcome.report.failure, outcome.replay_command);
  const bool is_unguarded = scene.solver.stepper == Stepper::Projective &&
                            scene.solver.projective.contact == ProjectiveContact::Detected;
  if (is_wrong(outcome.found, is_unguarded)) {
    print_found(outcome.found, request.folder);
  } else if (!outcome.found.is_clean()) {
    print_unguarded(outcome.found, request.folder);
  }
  if (arguments.live.is_on && !live) live.emplace(request.folder, arguments.live, is_interrupted);
  if (live) live->linger();
  return exit_code(outcome.report.end, outcome.found, is_unguarded);
}

}  // namespace

void add_run_verb(Verb root) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->request.folder = "out";
  arguments->request.program = command_name();
  const Verb verb = root.add_verb("run", "Simulate a scene");
  verb.add_option("scene", arguments->request.scene,
                  "Scene file (JSON), IPC script (.txt), rigid-ipc fixture or PolyFEM scene")
      .required()
      .file({".json", ".txt"});
  add_kind_option(verb, arguments->kind);
  verb.add_option("-o,--output", arguments->request.folder, "Folder for the results").show_default().folder();
  verb.add_option("--steps", arguments->steps, "Total number of steps, instead of time.duration")
      .check(whole(1, kMostSteps));
  verb.add_option("--threads", arguments->threads, "Number of threads; 0 uses all cores")
      .check(whole(0, 1024));
  verb.add_option("--set", arguments->overrides, "Change a value of the scene: --set time.step=0.02")
      .type_name("KEY=VALUE")
      .take_one();
  verb.add_flag("--profile", arguments->profiles,
                "Say at the end where the time went, how many threads worked and what limited the steps");
  verb.add_option("--trace", arguments->request.trace,
                  "Write a Chrome trace (chrome://tracing, Perfetto) to this file")
      .file({".json"});
  verb.add_flag("--iterates", arguments->iterates,
                "Also record every Newton iteration, for `marrow check` (output.iterates)");
  verb.add_flag("--strict", arguments->is_strict,
                "Refuse meshes with small faults instead of mending them (strict)");
  const Option resume =
      verb.add_flag("--resume", arguments->request.resumes, "Continue the run in the folder");
  verb.add_flag("--overwrite", arguments->request.overwrites, "Replace the run in the folder")
      .excludes(resume);
  const Option live =
      verb.add_flag("--live", arguments->live.is_on, "Show the run in the browser while it is computed");
  verb.add_flag("--paused", arguments->live.starts_paused, "With --live: start paused").needs(live);
  verb.add_flag("--open", arguments->live.opens_browser, "With --live: open the page in the default browser")
      .needs(live);
  verb.add_option("--port", arguments->live.port, "With --live: the port; 0 picks a free one")
      .check(whole(0, 65535))
      .needs(live);
  verb.add_example("marrow run scene.json -o out/first", "simulates the scene; the results go into out/first")
      .add_example("marrow run scene.json --steps 10 --set time.step=0.005 -o out/try",
                   "simulates ten steps with a value of the scene changed")
      .add_example("marrow run scene.json -o out/first --resume", "goes on with a run that was stopped")
      .add_example("marrow run scene.json -o out/live --live --open",
                   "shows the run in the browser meanwhile");
  verb.set_action([arguments] { return run(*arguments); });
}

}  // namespace marrow
