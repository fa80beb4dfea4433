// The bundle that a failed step leaves: a run folder of its own that holds all it takes to replay that step.
//
//   failure/scene.json     the scene, with iterates recorded, up to the end of that step
//   failure/checkpoints/   the state before it
//   failure/failure.json   why it failed and the last iterations
//
// Resuming it takes the step again, to the same bits, and records every place the nodes were moved to.
#pragma once

#include <cstdint>
#include <string>

#include "sim/model/report.h"

namespace marrow {

// Where the bundle of a run goes: the folder itself if it is one already.
std::string failure_folder(const std::string& run_folder);

// The text of failure.json.
std::string format_failure(const StepReport& report, const std::string& replay_command);

// Replaces what an earlier failure left. before: the state before the step. scene_text: for that folder;
// empty keeps the one that is there. Throws OutputError.
void write_failure(const std::string& folder, const State& before, std::uint64_t fingerprint,
                   const std::string& scene_text, const std::string& text);

}  // namespace marrow
