// Checks a finished or unfinished run: every frame, every place the solver moved the nodes to, and every path
// between these, as far as they are recorded (output/run/iterates.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/body.h"
#include "witness/witness.h"

namespace marrow {

// A frame, an iterate or a path that is wrong.
struct BadPlace {
  std::string kind;        // "frames", "iterates", "paths"
  size_t number;           // among those of its kind
  std::string where;       // for people
  std::string difference;  // to the scene's topology; empty: none
  const WitnessReport& report;
  const Kinematics* kinematics;  // null: the scene could not be built
};

// Each may be empty.
struct RunCheckEvents {
  std::function<void(const std::string& text)> on_note;
  std::function<void(const char* what, std::int64_t done, std::int64_t total)> on_progress;
  std::function<void(const BadPlace& bad)> on_bad;  // the first hundred of each kind
  // Writes the elements that meet, asked for once; returns the file's name.
  std::function<std::string(const SurfaceSet& surfaces, const IntersectionReport& report)> write_offenders;
};

struct RunCheck {
  std::int64_t frames = 0, iterates = 0, paths = 0;   // looked at
  std::int64_t intersections = 0;                     // pairs of elements, undecided ones included
  std::int64_t inversions = 0;                        // tets, flat ones included
  std::int64_t not_finite = 0;                        // points
  std::int64_t other_topology = 0;                    // frames that are not of the scene
  std::int64_t bad = 0;                               // frames, iterates and paths
  std::optional<std::int64_t> allowed_intersections;  // where the scene switches contact off
  std::optional<double> smallest_gap;                 // in a frame [m]
  std::string written;                                // where offending elements are; empty: nowhere
  std::vector<std::string> notes;
  std::string json;  // all of it, as `marrow check --json` prints it
};

// Throws InputError if the folder has nothing to check.
RunCheck check_run(const std::string& folder, const RunCheckEvents& events = {});

}  // namespace marrow
