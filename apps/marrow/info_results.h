// What `marrow info` says about the poses and forces of a run.
#pragma once

#include <string>

namespace marrow {

// Prints a table of bodies, of pairs that touched, and of joints; nothing for files that are not there.
void print_results(const std::string& folder);

}  // namespace marrow
