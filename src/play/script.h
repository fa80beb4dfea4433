// Scripts are files of inputs, one per line, in the order of their steps: those that people write, and the
// inputs.jsonl of a run that was played.
#pragma once

#include "play/hands.h"

namespace marrow {

// Throws InputError with the line of a mistake.
std::vector<Input> read_script(const std::string& path, const std::vector<PlayBody>& bodies);

// The lines of a recorded file for steps up to last_step. What follows a torn line is left out.
std::vector<Input> read_recorded(const std::string& path, const std::vector<PlayBody>& bodies, int last_step);

}  // namespace marrow
