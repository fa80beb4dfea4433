// marrow play SCENE.json: simulates a scene at the speed of the clock while people grab its bodies in the
// browser, or as a script says.
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "exec/parallel.h"
#include "marrow/console.h"
#include "marrow/play_view.h"
#include "marrow/program_name.h"
#include "marrow/verbs.h"
#include "output/run/checkpoint.h"
#include "output/run/run_folder.h"
#include "play/script.h"
#include "run/played_inputs.h"
#include "run/run_scene.h"
#include "scene/import/import_scene.h"

namespace marrow {
namespace {

// A scene plays until it is stopped, but for no longer than this [s].
constexpr double kLongestPlay = 24 * 3600;

struct PlayArguments {
  std::string path;
  RunRequest request;
  std::vector<std::string> overrides;
  std::string script;
  bool is_replay = false;
  int steps = 0;
  int threads = 0;
  LiveOptions live;
};

std::atomic<int> is_asked_to_stop{0};

// The first signal ends the run after the current step; a second one ends the process at once.
void ask_to_stop(int signal) {
  is_asked_to_stop = 1;
  std::signal(signal, SIG_DFL);
}

bool is_interrupted() { return is_asked_to_stop != 0; }

// Looks at the end of a replay whether it led to the same bits as the recording.
class Comparison {
 public:
  explicit Comparison(std::string folder) : folder_(std::move(folder)) {}

  // Reads the last state of the recording.
  void load(std::uint64_t fingerprint) {
    recorded_ = read_newest_checkpoint(folder_, fingerprint);
    if (recorded_) return;
    throw InputError({folder_, 0, 0, {}}, "contains no checkpoint to compare a replay with",
                     "Repeat it without a comparison: `marrow play scene.json --script inputs.jsonl`.");
  }

  void take(const State& state) {
    if (state.step != recorded_->step) return;
    is_same_ = state.nodes == recorded_->nodes && state.velocities == recorded_->velocities;
  }

  int print() const {
    if (!is_same_) {
      fmt::print(stderr, "marrow: the replay did not reach step {} of the recording\n", recorded_->step);
      return kExitFailed;
    }
    if (*is_same_) {
      fmt::print("Replayed: after step {} all nodes have the same bits as in {}.\n", recorded_->step,
                 folder_);
      return kExitOk;
    }
    fmt::print(stderr,
               "marrow: the replay differs from {} at step {}\n"
               "  Another version of the program, or another scene, made the recording.\n",
               folder_, recorded_->step);
    return kExitFailed;
  }

 private:
  std::string folder_;
  std::optional<State> recorded_;
  std::optional<bool> is_same_;
};

// The recording after a new start: each has a folder of its own, the first that is free.
std::string name_next_recording(const std::string& folder) {
  if (folder.empty()) return {};
  int number = 2;
  while (has_run(fmt::format("{}_{}", folder, number))) ++number;
  return fmt::format("{}_{}", folder, number);
}

int find_last_step(const std::string& folder) {
  const std::vector<std::string> files = list_checkpoints(folder);
  if (files.empty()) return 0;
  // checkpoints/step_NNNNNNNN.ckpt
  const std::string name = files.front().substr(files.front().rfind('_') + 1);
  return std::atoi(name.c_str());
}

// A replay names the folder of a run.
void take_folder(PlayArguments& arguments) {
  const std::string folder = arguments.path;
  if (!is_folder(folder) || !is_file(inputs_file(folder))) {
    throw InputError({folder, 0, 0, {}}, "is not the folder of a run that was played",
                     "Record one with `marrow play scene.json -o FOLDER`.");
  }
  arguments.request.scene = folder + "/scene.json";
  arguments.script = inputs_file(folder);
  if (arguments.steps == 0) arguments.steps = find_last_step(folder);
  if (arguments.steps == 0) throw InputError({folder, 0, 0, {}}, "is a recording without a step", {});
}

bool is_named(const std::vector<std::string>& overrides, const std::string& key) {
  return std::any_of(overrides.begin(), overrides.end(),
                     [&](const std::string& text) { return text.starts_with(key + "="); });
}

Scene read_play_scene(const PlayArguments& arguments) {
  std::vector<std::string> notices;
  Scene scene = read_scene_or_import(arguments.request.scene, arguments.overrides, {}, notices);
  for (const std::string& notice : notices) fmt::print("Note: {}.\n", notice);
  const bool is_watched = arguments.script.empty();
  if (is_watched) scene.time.duration = kLongestPlay;
  if (arguments.steps > 0) scene.time.duration = arguments.steps * scene.time.step;
  if (!is_watched) return scene;
  // What takes time beside the steps is left for afterwards, if nobody asks for it.
  const auto leave = [&](const char* key, bool& option) {
    if (!is_named(arguments.overrides, key)) option = false;
  };
  leave("output.vtu", scene.output.vtu);
  leave("output.gltf", scene.output.gltf);
  leave("output.check", scene.output.check);
  return scene;
}

void print_outcome(const RunOutcome& outcome, const RunRequest& request) {
  fmt::print("{}: {}, {}.\n", outcome.report.end == RunEnd::Failed ? "Failed" : "Ended",
             format_count(outcome.report.steps, "step", "steps"), format_duration(outcome.seconds));
  if (outcome.report.failure) {
    fmt::print(stderr, "marrow: {}\n  {}\n", describe_failure(*outcome.report.failure),
               explain_failure(*outcome.report.failure));
    if (!outcome.replay_command.empty()) fmt::print(stderr, "  Again:  {}\n", outcome.replay_command);
  }
  for (const std::string& note : outcome.notes) fmt::print("Note: {}.\n", note);
  if (request.folder.empty()) return;
  const std::string folder = quote_for_shell(request.folder);
  fmt::print(
      "  Watch it:   {0} view {1} --open\n  Check it:   {0} check {1}\n  Replay it:  {0} play {1} --replay\n",
      command_name(), folder);
}

int find_exit_code(const RunOutcome& outcome) {
  if (outcome.report.end == RunEnd::Failed) return kExitFailed;
  return outcome.found.is_clean() ? kExitOk : kExitIntersecting;
}

RunEvents make_events() {
  RunEvents events;
  events.on_note = [](const std::string& text) { fmt::print("Note: {}.\n", text); };
  events.on_progress = [](const std::string& text) { fmt::print("{}\n", text); };
  events.is_stop_requested = is_interrupted;
  return events;
}

// Without a page: the inputs are those of a file, and nothing waits for the clock.
int run_script(const PlayArguments& arguments, const Scene& scene) {
  std::vector<Input> script;
  std::optional<Comparison> comparison;
  if (arguments.is_replay) comparison.emplace(arguments.path);
  std::optional<Console> console;
  RunEvents events = make_events();
  events.on_built = [&](const BuiltScene& built) {
    script = read_script(arguments.script, list_play_bodies(built.model.kinematics));
    if (comparison) comparison->load(built.fingerprint);
  };
  events.on_start = [&](const Model& model, const State& state) {
    console.emplace(state.step, model.step_count());
    if (script.empty() || script.back().step <= model.step_count()) return;
    fmt::print("Note: the script goes on to step {}, but the scene ends at step {}; --steps changes that.\n",
               script.back().step, model.step_count());
  };
  events.on_note = [&](const std::string& text) {
    console ? console->show_note(text) : fmt::print("Note: {}.\n", text);
  };
  events.take_inputs = [&](int step, const Hands&) {
    const auto is_before = [](const Input& input, int s) { return input.step < s; };
    const auto first = std::lower_bound(script.begin(), script.end(), step, is_before);
    return std::vector<Input>(first, std::lower_bound(first, script.end(), step + 1, is_before));
  };
  events.on_step = [&](const State& state, const StepReport& report) {
    console->show_step(report);
    if (comparison) comparison->take(state);
  };
  const RunOutcome outcome = run_scene(scene, arguments.request, events);
  if (console) console->end_line();
  print_outcome(outcome, arguments.request);
  if (comparison && outcome.report.end == RunEnd::Finished) return comparison->print();
  return outcome.report.end == RunEnd::Stopped ? kExitStopped : find_exit_code(outcome);
}

int play_with_page(const PlayArguments& arguments, const Scene& scene) {
  PlayView view(scene, arguments.request.scene, arguments.live, is_interrupted);
  RunRequest request = arguments.request;
  while (true) {
    RunEvents events = make_events();
    events.on_start = [&](const Model& model, const State& state) {
      view.start(model, state, request.folder);
    };
    events.is_stop_requested = [&] { return view.wait_for_step(); };
    events.take_inputs = [&](int step, const Hands& hands) { return view.take_inputs(step, hands); };
    events.on_step = [&](const State& state, const StepReport& report) { view.show(state, report); };
    const RunOutcome outcome = run_scene(scene, request, events);
    print_outcome(outcome, request);
    if (!view.is_restart_requested() || outcome.report.end != RunEnd::Stopped) {
      view.linger();
      return find_exit_code(outcome);
    }
    request.folder = name_next_recording(arguments.request.folder);
    request.resumes = false;
  }
}

int play(PlayArguments arguments) {
  exec::set_thread_count(arguments.threads);
  arguments.request.scene = arguments.path;
  if (arguments.is_replay) take_folder(arguments);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, ask_to_stop);
  const Scene scene = read_play_scene(arguments);
  return arguments.script.empty() ? play_with_page(arguments, scene) : run_script(arguments, scene);
}

}  // namespace

void add_play_verb(Verb root) {
  auto arguments = std::make_shared<PlayArguments>();
  arguments->request.program = command_name();
  const Verb verb = root.add_verb("play", "Grab the bodies of a scene with the mouse while it moves");
  verb.add_option("scene", arguments->path, "Scene file (JSON), or the folder of a played run to replay")
      .required()
      .file({".json"});
  verb.add_option("-o,--output", arguments->request.folder,
                  "Record into this folder, as `marrow run` does, with the inputs")
      .folder();
  const Option script =
      verb.add_option("--script", arguments->script, "Take the inputs from this file, without a page")
          .file({".jsonl"});
  const Option replay = verb.add_flag("--replay", arguments->is_replay,
                                      "Repeat the inputs of the played run and compare the bits of its end")
                            .excludes(script);
  verb.add_option("--steps", arguments->steps, "Total number of steps; without it, play until stopped")
      .check(whole(1, 1'000'000'000));
  verb.add_option("--threads", arguments->threads, "Number of threads; 0 uses all cores")
      .check(whole(0, 1024));
  verb.add_option("--set", arguments->overrides, "Change a value of the scene: --set time.step=0.02")
      .type_name("KEY=VALUE")
      .take_one();
  const Option resume =
      verb.add_flag("--resume", arguments->request.resumes, "Continue the recording in the folder");
  verb.add_flag("--overwrite", arguments->request.overwrites, "Replace the recording in the folder")
      .excludes(resume);
  verb.add_flag("--paused", arguments->live.starts_paused, "Start paused").excludes(script).excludes(replay);
  verb.add_flag("--open", arguments->live.opens_browser, "Open the page in the default browser")
      .excludes(script)
      .excludes(replay);
  verb.add_option("--port", arguments->live.port, "The port; 0 picks a free one")
      .check(whole(0, 65535))
      .excludes(script)
      .excludes(replay);
  verb.add_example("marrow play scene.json --open", "opens the scene in the browser; drag its bodies")
      .add_example("marrow play scene.json -o out/play", "records what happens, and what you did")
      .add_example("marrow play out/play --replay", "repeats it, and compares the bits")
      .add_example("marrow play scene.json --script moves.jsonl -o out/moves", "does what a file says");
  verb.set_action([arguments] { return play(*arguments); });
}

}  // namespace marrow
