// What `marrow check` looks at: the surfaces and tets of a mesh, a frame or a scene; and how it says what is
// wrong with them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kinematics/body.h"
#include "mesh/mesh.h"
#include "output/vtu.h"
#include "witness/witness.h"

namespace marrow {

struct CheckArguments {
  std::string path;
  std::vector<std::string> overrides;
  std::string write;  // where the offending elements go; empty: a name made from the input
  bool json = false;
};

// Surfaces are the boundaries of the tets and the triangles that are listed; loose points collide too.
// Nothing is left out.
Witness make_witness(Mesh mesh);
Witness make_witness(const VtuFrame& frame);

// "triangle 3-4-9 of "ball" and edge 0-7 of "wall"", by the numbers of the points in each body; without
// bodies that are known, kinematics = nullptr, "triangle 12 (body 0) and edge 7 (body 1)".
std::string describe_pair(const OffendingPair& pair, const Kinematics* kinematics);

// "3 pairs of elements intersect, 1 tet is inverted"; "no intersections, …" if all is well.
std::string describe_report(const WitnessReport& report);

// The counts and the first pairs, with the bodies' names where they are known.
nlohmann::ordered_json to_json(const WitnessReport& report, const Kinematics* kinematics);

// How many pairs are shown to a person.
inline constexpr size_t kShownPairs = 5;

// Prints the first pairs, a line each.
void print_pairs(const IntersectionReport& report, const Kinematics* kinematics);

// Writes the elements of the offending pairs, each once, in the format the name asks for.
void write_offenders(const std::string& path, const SurfaceSet& surfaces, const IntersectionReport& report);

// The same where the arguments say; returns the file's name,
// empty if there is nothing to show.
std::string write_offenders(const CheckArguments& arguments, const SurfaceSet& surfaces,
                            const IntersectionReport& report);

// Every frame of a run and every recorded iterate (check_run.cpp). Returns the exit code.
int check_run(const CheckArguments& arguments);

}  // namespace marrow
