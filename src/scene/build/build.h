// From a scene's description to what the solver runs: meshes read and checked, bodies placed, motions
// resolved.
#pragma once

#include <cstdint>
#include <string>

#include "scene/description.h"
#include "sim/model/model.h"

namespace marrow {

struct BuiltScene {
  Model model;
  State state;  // at time 0
  // Of everything that decides the motion; the duration and what is written do not.
  std::uint64_t fingerprint = 0;
  std::vector<std::string> notes;  // what a user should know of the bodies
};

// scene_path: mesh names are relative to it. Throws InputError.
BuiltScene build_scene(const Scene& written, const std::string& scene_path);

}  // namespace marrow
