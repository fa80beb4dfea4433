// What `marrow check` looks at: the surfaces and tets of a mesh, a frame or a scene; and how it says what is
// wrong with them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "kinematics/body.h"
#include "mesh/mesh.h"
#include "output/vtk/vtu.h"
#include "sim/model/model.h"
#include "sim/start/check_start.h"
#include "sim/start/describe_found.h"
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

// Refuses a start that intersects or leaves no room (sim/start/check_start.h), after writing the elements
// that meet to mesh_path.
StartReport require_clean_start(const Model& model, const State& state, const std::string& scene_path,
                                const std::string& mesh_path);

// Every frame of a run and every recorded iterate (check_run.cpp). Returns the exit code.
int check_run(const CheckArguments& arguments);

}  // namespace marrow
