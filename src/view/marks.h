// What `marrow check --json` found, as the viewer marks it.
#pragma once

#include <string>

namespace marrow {

// Reads the object that `marrow check --json` printed and returns a JSON list of
// {"step": number or null for all frames, "text": "triangle 3 (body 0) and edge 7 (body 1)",
//  "elements": [[points of one element], …]}, points numbered as in the run. Throws InputError.
std::string read_marks(const std::string& path);

// The same from text; file is the name used in messages.
std::string parse_marks(const std::string& text, const std::string& file);

}  // namespace marrow
