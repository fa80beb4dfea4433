// Whether a scene starts free of intersections and inverted tets, as every run must.
#pragma once

#include "marrow/check_surfaces.h"
#include "scene/build.h"

namespace marrow {

struct StartReport {
  Witness witness;
  WitnessReport report;
};

// Exact (output/witness.h). Pairs that the run would not keep apart do not count: obstacles among
// themselves, bodies that ignore each other, and all where contact is off.
StartReport check_start(const BuiltScene& built);

// Throws an InputError that names bodies and elements, after writing these to mesh_path, if there are any.
void require_clean_start(const BuiltScene& built, const std::string& scene_path,
                         const std::string& mesh_path);

}  // namespace marrow
