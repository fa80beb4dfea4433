// Runs into folders, as `marrow run` and `marrow check` do (docs/cli.md).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <marrow/simulation.h>

namespace marrow {
MARROW_PUBLIC_NAMESPACE {
  struct RunOptions {
    std::string folder = "out";
    bool resumes = false;                                   // continue the run in the folder
    bool overwrites = false;                                // replace it
    std::function<void(const std::string& text)> on_note;   // what a person should know
    std::function<bool(const StepReport& report)> on_step;  // after every step; false ends the run
  };

  struct RunOutcome {
    bool is_finished = false;
    int steps = 0;  // taken by this call
    int newton_iterations = 0;
    double seconds = 0;
    std::optional<StepReport> failure;  // the step that failed
    std::string replay_command;         // replays it
    std::vector<std::string> notes;
  };

  // Throws InputError before anything is written if the scene or the folder cannot be used.
  RunOutcome run(const Scene& scene, const RunOptions& options);

  struct CheckReport {
    std::int64_t frames = 0, iterates = 0, paths = 0;  // looked at
    std::int64_t intersections = 0, inversions = 0, not_finite = 0;
    std::optional<double> smallest_gap;  // in a frame [m]
    std::vector<std::string> notes;
    std::string json;  // all of it
    bool is_clean = false;
  };

  CheckReport check_run(const std::string& folder);

}  // MARROW_PUBLIC_NAMESPACE
}  // namespace marrow
