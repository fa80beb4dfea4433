// Whether a scene starts free of intersections and inverted tets, as every run must.
#pragma once

#include "marrow/check_surfaces.h"
#include "scene/build.h"

namespace marrow {

struct StartReport {
  CheckedState state;
  StateReport report;  // without pairs of bodies that ignore each other
};

// Exact (contact/checker.h). Pairs of bodies that ignore each other, or all where contact is off, do not
// count.
StartReport check_start(const BuiltScene& built);

// "triangle 12 of "ball" and edge 7 of "wall"", with points as the bodies' meshes number them.
std::string describe_pair(const OffendingPair& pair, const Kinematics& kinematics);

// Throws an InputError that names bodies and elements, after writing these to mesh_path, if there are any.
void require_clean_start(const BuiltScene& built, const std::string& scene_path,
                         const std::string& mesh_path);

}  // namespace marrow
