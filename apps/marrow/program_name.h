// How this program is called, for commands that messages propose.
#pragma once

#include <string>

namespace marrow {

// As a shell takes it: "marrow" if that is on the PATH, "./dev run" if ./dev started it (it says so in
// MARROW_COMMAND), otherwise the path by which it was started.
std::string command_name();

// The same in a word for help and usage: "./dev run" or "marrow".
std::string short_command_name();

}  // namespace marrow
