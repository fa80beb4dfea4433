// Surfaces and tets of a mesh or a frame as the witness sees them, and what it found as JSON and as a mesh.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kinematics/body.h"
#include "mesh/io/curved_file.h"
#include "output/vtk/vtu.h"
#include "sim/start/check_start.h"
#include "witness/witness.h"

namespace marrow {

// Surfaces are the boundaries of the tets and the triangles that are listed; loose points collide too.
// Nothing is left out.
Witness make_witness(Mesh mesh);
Witness make_witness(const VtuFrame& frame);
// Curved tets are bounded exactly; their surface is the boundary cut into order² triangles per face.
Witness make_witness(CurvedFile file);

// The counts and the first pairs, with the bodies' names where they are known.
nlohmann::ordered_json to_json(const WitnessReport& report, const Kinematics* kinematics);

// Writes the elements of the offending pairs, each once, in the format the name asks for.
void write_offenders(const std::string& path, const SurfaceSet& surfaces, const IntersectionReport& report);

// The command that moves the bodies of a scene apart, in a sentence.
std::string describe_part_command(const std::string& scene_path);

// Refuses a start that intersects or leaves no room (sim/start/check_start.h), after writing the elements
// that meet to mesh_path.
StartReport require_clean_start(const Model& model, const State& state, const std::string& scene_path,
                                const std::string& mesh_path);

}  // namespace marrow
