// Runs a scene under the eyes of the exact checker: every place that Newton moves the nodes to, and the
// path there, is checked for intersections, and every element for inversion.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/build/build.h"
#include "sim/simulate.h"

namespace marrow::test {

struct WitnessedRun {
  RunReport run;
  std::vector<StepReport> steps;
  State state;  // at the end
  VecX initial;
  int iterates = 0;
  std::int64_t intersections = 0;  // pairs that meet, undecided ones included
  std::int64_t inversions = 0;     // elements, over all iterates
  std::int64_t jumps = 0;          // solves that begin where no solve has been

  bool is_finished() const { return run.end == RunEnd::Finished; }
  bool is_clean() const { return intersections == 0 && inversions == 0 && jumps == 0; }
};

// A scene from its text; overrides as on the command line.
BuiltScene build_text(const std::string& text, const std::vector<std::string>& overrides = {});

// All points at the start.
Points list_points(const BuiltScene& built);

WitnessedRun run_witnessed(BuiltScene built);

// The scene examples/ipc/NAME.json; overrides as on the command line.
std::string ipc_scene_path(const std::string& name);
BuiltScene build_ipc_scene(const std::string& name, const std::vector<std::string>& overrides = {});

// The same with every soft body moved and turned a little, differently for each seed > 0: at most a
// thousandth of the scene's size, and less where bodies are so close that they would meet. Bodies of which a
// part is prescribed are only moved.
BuiltScene build_jittered_scene(const std::string& name, int seed);

// All of examples/ipc, sorted.
std::vector<std::string> list_ipc_scenes();

}  // namespace marrow::test
