// Other programs: where they are, and starting them without a shell.
#pragma once

#include <string>
#include <vector>

namespace marrow {

// A program on the PATH; empty if there is none.
std::string find_program(const std::string& name);

// A descriptor of ours that becomes one of the program's.
struct PassedDescriptor {
  int ours;
  int theirs;
};

// Starts words[0] with the others as its arguments, in a process group of its own, with nothing on its
// standard streams but what is passed. Returns its id, or minus the system's error number.
int start_program(std::vector<std::string> words, const std::vector<PassedDescriptor>& passed);

}  // namespace marrow
