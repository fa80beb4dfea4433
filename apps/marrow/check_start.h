// Whether a scene starts free of intersections and inverted tets and with room to move, as every run must.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "marrow/check_surfaces.h"
#include "scene/build.h"

namespace marrow {

struct StartReport {
  Witness witness;
  WitnessReport report;
};

// Exact (witness/witness.h). Pairs that the run would not keep apart do not count: obstacles among
// themselves, bodies that ignore each other, and all where contact is off.
StartReport check_start(const BuiltScene& built);

// Throws an InputError if bodies are apart by little more than rounding: they could only stay where they are.
// If they are apart, but well within the distance at which they repel each other, a sentence that says so.
std::optional<std::string> require_room(const BuiltScene& built, const std::string& scene_path);

// Sentences that name bodies which start in the volume of others. The guarantee is about surfaces, so that is
// no error.
std::vector<std::string> describe_enclosed(const BuiltScene& built, const Witness& witness);

// Throws an InputError also for lack of room; for what check_start finds, one that names bodies and
// elements, after writing these to mesh_path, if there are any. What a user should know all the same is
// returned.
std::vector<std::string> require_clean_start(const BuiltScene& built, const std::string& scene_path,
                                             const std::string& mesh_path);

}  // namespace marrow
