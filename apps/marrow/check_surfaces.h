// How `marrow check` says what is wrong with surfaces and tets.
#pragma once

#include <string>
#include <vector>

#include "run/found_surfaces.h"

namespace marrow {

struct CheckArguments {
  std::string path;
  std::vector<std::string> overrides;
  std::string write;  // where the offending elements go; empty: a name made from the input
  bool json = false;
  bool is_strict = false;  // small faults of meshes are refused
  bool parts = false;      // moves bodies apart
  std::string parted;      // the scene's file afterwards; empty: a name made from the input
};

// How many pairs are shown to a person.
inline constexpr size_t kShownPairs = 5;

// Prints the first pairs, a line each.
void print_pairs(const IntersectionReport& report, const Kinematics* kinematics);

// Writes the offending elements where the arguments say; returns the file's name, empty if there is nothing
// to show.
std::string write_offenders(const CheckArguments& arguments, const SurfaceSet& surfaces,
                            const IntersectionReport& report);

// Checks every frame of a run and every recorded iterate (run/check_run.h). Returns the exit code.
int print_run_check(const CheckArguments& arguments);

}  // namespace marrow
