// What was built: for reports of bugs, and for tables that name the program.
#pragma once

#include <string>

namespace marrow {

// Version, commit, compiler, libraries and processor, one a line.
std::string describe_build();

}  // namespace marrow
