#include "run/run_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "core/progress.h"
#include "core/text.h"
#include "core/trace.h"
#include "exec/parallel.h"
#include "output/run/checkpoint.h"
#include "output/run/failure.h"
#include "output/run/run_folder.h"
#include "output/run/solution_norms.h"
#include "run/found_surfaces.h"
#include "run/output_file.h"
#include "run/played_inputs.h"
#include "run/scene_look.h"
#include "run/scene_notes.h"
#include "run/step_notes.h"
#include "run/textures.h"
#include "scene/build/build.h"
#include "scene/build/build_certificates.h"
#include "scene/describe.h"
#include "scene/read_scene.h"
#include "sim/remesh/remesher.h"
#include "sim/start/foresee_memory.h"

namespace marrow {
namespace {

void tell(const std::function<void(const std::string&)>& listener, const std::string& text) {
  if (listener) listener(text);
}

// The sentence as part of another one.
std::string lower(std::string sentence) {
  if (!sentence.empty())
    sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

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
bool is_recorded_scene(const RunRequest& request) {
  return locate_input(request.scene) == std::filesystem::path(canonical_path(request.folder)) / "scene.json";
}

// Results must not replace what they are computed from; only a resumed run may read the recorded scene.
void check_inputs_are_safe(const RunRequest& request, const Scene& scene) {
  const std::vector<std::string> inputs = list_input_files(request.scene, scene);
  if (!request.trace.empty()) check_not_input(request.trace, inputs);
  if (request.resumes && has_run(request.folder) && is_recorded_scene(request)) return;
  const std::string folder = canonical_path(request.folder);
  for (const std::string& input : inputs) {
    const std::filesystem::path path = locate_input(input);
    if (path.parent_path() != folder || !is_run_file(path.filename().string())) continue;
    throw InputError({input, 0, 0, {}}, "would be overwritten by a result of the same name",
                     request.words.name_folder + ".");
  }
}

// Refuses a folder that must not be written to, and clears it where asked.
void prepare_folder(const RunRequest& request) {
  const std::string& folder = request.folder;
  const RunWords& words = request.words;
  if (const std::vector<std::string> foreign = find_foreign_files(folder); !foreign.empty()) {
    throw refuse_folder(folder, fmt::format("contains {}, which was not written by a run", foreign.front()),
                        words.name_folder + ".");
  }
  if (!has_run(folder)) return;
  if (request.overwrites) return remove_run(folder);
  if (!request.resumes) {
    throw refuse_folder(
        folder, "already contains a run",
        fmt::format("{}, {}, or {}.", words.resume, words.overwrite, lower(words.name_folder)));
  }
  if (!list_checkpoints(folder).empty()) return;
  if (!read_file(folder + "/metrics.jsonl").empty()) {
    throw refuse_folder(folder, "contains a run without a checkpoint to continue from",
                        fmt::format("{}, or {}.", words.start_again, lower(words.name_folder)));
  }
  remove_run(folder);  // it ended before its first step
}

// The state to start from: the newest checkpoint when resuming.
State choose_start(const RunRequest& request, const BuiltScene& built, const RunEvents& events) {
  if (!request.resumes) return built.state;
  std::optional<State> state = read_newest_checkpoint(request.folder, built.fingerprint);
  if (!state) {
    tell(events.on_progress,
         fmt::format("Nothing to resume in {}: starting from the beginning.", request.folder));
    return built.state;
  }
  tell(events.on_progress, fmt::format("Resuming after step {}.", state->step));
  return *std::move(state);
}

// The scene as recorded in the run's folder; empty if it is the recorded one itself.
std::string describe_for_run(const Scene& scene, const RunRequest& request) {
  if (is_recorded_scene(request)) return {};
  return describe_for_folder(scene, request.scene, request.folder);
}

// One frame in four is 25 pictures a second at steps of 0.01 s [D32].
constexpr int kVtuEvery = 4;

bool is_remeshed(const Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                     [](const BodyDescription& body) { return body.remesh.has_value(); });
}

// Only VTU files know meshes that change; run.mrw has the frames since the last change.
bool keeps_exact_frames(const Scene& scene) {
  return scene.output.viewer && scene.output.exact && !is_remeshed(scene);
}

RunFolderOptions choose_output(const Scene& scene) {
  const OutputOptions& output = scene.output;
  RunFolderOptions options;
  options.look = describe_look(scene);
  options.write_vtu = output.vtu;
  options.write_gltf = output.gltf;
  options.write_viewer = output.viewer;
  options.vtu_every = output.vtu_every.value_or(keeps_exact_frames(scene) ? kVtuEvery : 1);
  options.viewer = {output.viewer_full_precision ? DrawnPrecision::Float32 : DrawnPrecision::Box16,
                    output.exact};
  options.checkpoint_every = output.checkpoint_every;
  options.check_frames = output.check;
  options.record_iterates = output.iterates;
  options.write_results = output.results;
  return options;
}

// Leaves what it takes to replay the step; returns the command that does.
std::string leave_failure(const RunRequest& request, Scene scene, const BuiltScene& built, const State& state,
                          const StepReport& failure) {
  const std::string target = failure_folder(request.folder);
  const std::string command = fmt::format("{} run {} -o {} --resume", request.program,
                                          quote_for_shell(target + "/scene.json"), quote_for_shell(target));
  scene.time.duration = failure.step * scene.time.step;
  scene.output.iterates = !is_remeshed(scene);  // meshes that change have no iterates
  const std::string text =
      target == request.folder ? std::string() : describe_for_folder(scene, request.scene, target);
  write_failure(target, state, built.fingerprint, text, format_failure(failure, command));
  return command;
}

// Says when certificates are no longer asked, because that does not pay.
void log_culling(const CullingReport& before, const StepReport& report, RunFolder& folder) {
  if (report.culling.is_on || report.culling.triangles == 0 || (report.step > 1 && !before.is_on)) return;
  folder.log().add(fmt::format(
      "step {}: certificates are switched off because they save no time, {:.0f} % of pairs culled",
      report.step, 100 * report.culling.culled_share()));
}

void log_end(const RunReport& report, double seconds, RunFolder& folder) {
  folder.log().add(
      fmt::format("{}: {}, {}, {}", report.end == RunEnd::Finished ? "finished" : "ended early",
                  format_count(report.steps, "step", "steps"),
                  format_count(report.newton_iterations, "Newton iteration", "Newton iterations"),
                  format_duration(seconds)));
}

RunFolderOptions choose_output(const Scene& scene, const RunRequest& request, const BuiltScene& built) {
  RunFolderOptions options = choose_output(scene);
  if (options.write_gltf) {
    options.textures = load_textures(scene, request.scene, built.model.kinematics, request.folder);
  }
  return options;
}

// Writes the norms after the step for which another program's are recorded.
void write_norms(const Scene& scene, const std::string& folder, const Model& model, const State& state) {
  if (!scene.recorded_norms || state.step != scene.recorded_norms->steps) return;
  const RecordedNorms& recorded = *scene.recorded_norms;
  const SolutionNorms ours = compute_solution_norms(model, state.nodes);
  write_file(folder + "/polyfem_norms.json",
             format_norms(state.step, recorded.margin,
                          {{"err_l2", recorded.l2, ours.l2},
                           {"err_h1", recorded.h1, ours.h1},
                           {"err_h1_semi", recorded.h1_semi, ours.h1_semi},
                           {"err_linf", recorded.linf, ours.linf},
                           {"err_linf_grad", recorded.linf_grad, ours.linf_grad},
                           {"err_lp", recorded.lp, ours.lp}}));
}

// Adds what a step was to the folder, the log and the notes.
class Recording {
 public:
  Recording(const Scene& scene, const RunRequest& request, const BuiltScene& built, const State& state,
            const RunEvents& events, const std::vector<std::string>& certified)
      : folder_(request.folder, built.model, built.fingerprint, describe_for_run(scene, request), state,
                choose_output(scene, request, built)),
        notes_(built.model, folder_.log(), request.folder, state.step, events.on_note) {
    for (const std::string& notice : folder_.notices()) tell(events.on_note, notice);
    folder_.log().add(fmt::format("start at step {} of {}, {} threads", state.step, built.model.step_count(),
                                  exec::thread_count()));
    for (const std::string& note : certified) folder_.log().add(note);
  }

  void add(const State& state, const StepReport& report) {
    folder_.take_meshes(state);
    folder_.add_step(state, report);
    log_culling(culling_, report, folder_);
    culling_ = report.culling;
    if (notes_.measures_folder()) folder_.wait();
    notes_.add(state, report);
  }

  void close(const State& state, const std::string& scene_name, RunEnd end) {
    folder_.set_contact(nullptr);
    folder_.finish(state, scene_name, end);
  }

  void add_to(const Scene& scene, RunOutcome& outcome) {
    log_end(outcome.report, outcome.seconds, folder_);
    outcome.notes = notes_.list(outcome.report.steps);
    outcome.culling = culling_;
    outcome.found = folder_.found();
    outcome.frames = folder_.frame_count();
    outcome.vtu_files = folder_.vtu_count();
    outcome.keeps_exact_frames = keeps_exact_frames(scene);
  }

  RunFolder& folder() { return folder_; }

 private:
  RunFolder folder_;
  StepNotes notes_;
  CullingReport culling_;
};

// The start as the witness finds it; says what may surprise.
StartReport check_run_start(const Scene& scene, const RunRequest& request, const BuiltScene& built,
                            const RunEvents& events) {
  const std::string folder_name = request.folder.empty()
                                      ? std::filesystem::path(request.scene).stem().string()
                                      : std::filesystem::path(request.folder + "/").parent_path().string();
  // A run without guarantee may go on from where bodies intersect.
  StartReport checked =
      built.model.is_unguarded() && built.state.step > 0
          ? check_start(built.model, built.state)
          : require_clean_start(built.model, built.state, request.scene, folder_name + ".intersections.ply");
  for (const std::string& note : built.notes) tell(events.on_note, note);
  if (built.model.is_unguarded()) {
    tell(events.on_note,
         "contact is only detected (solver.projective.contact): bodies may pass through each other");
  }
  if (is_remeshed(scene) && (scene.output.viewer || scene.output.gltf)) {
    tell(events.on_note,
         "the meshes change in this run (remesh): VTU files (run.pvd) have all of its frames; run.mrw and "
         "run.glb have those since the last change");
  }
  if (const std::string note = describe_memory(built.model); !note.empty()) tell(events.on_note, note);
  if (request.resumes) return checked;
  for (const std::string& note : list_scene_notes(scene, built.model)) tell(events.on_note, note);
  for (const std::string& note : list_start_notes(checked, built.model.kinematics)) {
    tell(events.on_note, note);
  }
  return checked;
}

}  // namespace

std::string describe_for_folder(Scene scene, const std::string& scene_path, const std::string& target) {
  const std::string folder = canonical_path(target);
  const auto rename = [&](std::string& mesh) {
    mesh = locate_input(resolve_path(scene_path, mesh)).lexically_relative(folder).string();
  };
  for (BodyDescription& body : scene.bodies) {
    if (body.mesh) rename(*body.mesh);
    if (std::string* file = body.surface_file()) rename(*file);
    if (body.densities && body.densities->file) rename(*body.densities->file);
    for (PrescribedDescription& part : body.prescribed) {
      if (part.sequence) std::for_each(part.sequence->meshes.begin(), part.sequence->meshes.end(), rename);
    }
  }
  return describe_scene(scene);
}

RunOutcome run_scene(const Scene& scene, const RunRequest& request, const RunEvents& events) {
  BuiltScene built = build_scene(scene, request.scene);
  if (events.on_built) events.on_built(built);
  const bool is_written = !request.folder.empty();
  if (events.take_inputs && is_remeshed(scene)) {
    throw InputError({request.scene, 0, 0, {}}, "a scene with remesh cannot be played",
                     "Run it with `marrow run`, or remove remesh.");
  }
  if (is_file(request.folder)) {
    throw refuse_folder(request.folder, "is a file, not a folder", request.words.name_folder + ".");
  }
  if (is_written) check_inputs_are_safe(request, scene);
  const StartReport checked = check_run_start(scene, request, built, events);
  std::optional<RunLock> lock;
  if (is_written) lock.emplace(request.folder);
  if (is_written) prepare_folder(request);
  if (!request.trace.empty()) write_file(request.trace, "");  // known to work before the work begins
  State state = is_written ? choose_start(request, built, events) : built.state;
  std::vector<std::string> certified;
  if (built.model.remeshed.empty()) {  // certificates are of a surface that stays
    certified = add_certificates(scene, request.scene, built,
                                 [&](const std::string& text) { tell(events.on_progress, text); });
  }
  std::optional<Recording> recording;
  std::optional<Remesher> remesher;
  if (!built.model.remeshed.empty()) {
    remesher.emplace(built.model, state, [&] {
      if (recording) recording->folder().wait();
    });
  }
  if (events.on_start) events.on_start(built.model, state);
  for (const std::string& note : certified) tell(events.on_progress, "  " + note);

  // Run, writing after every step.
  const auto start = std::chrono::steady_clock::now();
  if (is_written) recording.emplace(scene, request, built, state, events, certified);
  RunHooks hooks;
  hooks.is_stop_requested = events.is_stop_requested;
  hooks.on_begin = [&](ContactTerms& contact) {
    if (recording) recording->folder().set_contact(&contact);
  };
  hooks.on_step = [&](const State& now, const StepReport& report) {
    if (recording) {
      recording->add(now, report);
      write_norms(scene, request.folder, built.model, now);
    }
    if (events.on_step) events.on_step(now, report);
  };
  if (remesher) {
    hooks.take_step = [&](StepMaker& maker, State& now) { return remesher->take_step(maker, now); };
  }
  if (scene.output.iterates && recording) {
    hooks.on_move = [&](int step, const VecX& n, bool is_start) {
      recording->folder().add_move(step, n, is_start);
    };
  }
  std::optional<PlayedInputs> played;
  if (events.take_inputs || (is_written && is_file(inputs_file(request.folder)))) {
    const auto end_reading = [&] {
      if (recording) recording->folder().wait();
    };
    played.emplace(built.model, end_reading, request.folder, state.step);
    hooks.take_inputs = [&](const State& now) {
      const int step = now.step + 1;
      return played->take(events.take_inputs ? events.take_inputs(step, played->hands())
                                             : release_all(played->hands(), step));
    };
  }
  if (!request.trace.empty()) trace::start_recording();
  RunOutcome outcome;
  outcome.report = simulate(built.model, state, checked, hooks);
  if (recording) recording->close(state, scene.name, outcome.report.end);
  if (!request.trace.empty()) write_file(request.trace, trace::export_chrome_trace());
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (recording) recording->add_to(scene, outcome);
  if (outcome.report.failure && is_written) {
    const StepReport& failure = *outcome.report.failure;
    outcome.replay_command = leave_failure(request, scene, built, state, failure);
    if (played) {  // a replay of that step alone would lack the inputs
      outcome.replay_command =
          fmt::format("{} play {} --replay", request.program, quote_for_shell(request.folder));
    }
    recording->folder().log().add(describe_failure(failure) + ". " + explain_failure(failure));
  } else if (outcome.report.end == RunEnd::Finished && is_written) {
    remove_failure(request.folder);  // that step has been taken
  }
  return outcome;
}

std::string describe_failure(const StepReport& failure) {
  return fmt::format(
      "step {} failed: {} after {}, last change {:.3g} m", failure.step, to_string(failure.newton.verdict),
      format_count(failure.newton.iterations, "iteration", "iterations"), failure.newton.last_step);
}

}  // namespace marrow
