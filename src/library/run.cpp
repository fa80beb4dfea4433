#include <marrow/run.h>

#include "library/parts.h"
#include "run/check_run.h"
#include "run/run_scene.h"

namespace marrow::api {

RunOutcome run(const Scene& scene, const RunOptions& options) {
  if (options.resumes && options.overwrites) {
    throw InputError(options.folder +
                     ": RunOptions::resumes and RunOptions::overwrites are both true\n  Set one of them.");
  }
  return call_library([&] {
    RunRequest request;
    request.scene = scene.parts().path;
    request.folder = options.folder;
    request.resumes = options.resumes;
    request.overwrites = options.overwrites;
    request.words = {"Set another RunOptions::folder", "Set RunOptions::resumes to continue it",
                     "set RunOptions::overwrites to replace it", "Set RunOptions::overwrites to start again"};
    bool is_stopped = false;
    RunEvents events;
    events.on_note = options.on_note;
    events.is_stop_requested = [&] { return is_stopped; };
    events.on_step = [&](const State&, const marrow::StepReport& report) {
      if (options.on_step) is_stopped = !options.on_step(make_public(report));
    };
    const marrow::RunOutcome from = run_scene(scene.parts().scene, request, events);
    RunOutcome out;
    out.is_finished = from.report.end == RunEnd::Finished;
    out.steps = from.report.steps;
    out.newton_iterations = from.report.newton_iterations;
    out.seconds = from.seconds;
    if (from.report.failure) out.failure = make_public(*from.report.failure);
    out.replay_command = from.replay_command;
    out.notes = from.notes;
    return out;
  });
}

CheckReport check_run(const std::string& folder) {
  return call_library([&] {
    const RunCheck from = marrow::check_run(folder);
    CheckReport out;
    out.frames = from.frames;
    out.iterates = from.iterates;
    out.paths = from.paths;
    out.intersections = from.intersections;
    out.inversions = from.inversions;
    out.not_finite = from.not_finite;
    out.smallest_gap = from.smallest_gap;
    out.notes = from.notes;
    out.json = from.json;
    out.is_clean = from.bad == 0;
    return out;
  });
}

}  // namespace marrow::api
