// Words of other programs, and what they are called here.
#pragma once

#include <string>
#include <vector>

namespace marrow {

// The name among those that are valid at a place which a word probably means: by its sense, else by its
// spelling; empty if none is near.
std::string suggest_name(const std::string& word, const std::vector<std::string>& valid);

}  // namespace marrow
