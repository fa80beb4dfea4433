// From a scene of PolyFEM to a scene of ours (docs/polyfem_scenes.md).
#pragma once

#include "scene/description.h"

namespace marrow {

struct PolyfemScene {
  Scene scene;
  std::vector<std::string> notices;  // what is different or ignored
};

// Reads a scene and its meshes. target: the file the scene goes to; mesh names are relative to its folder.
// Throws InputError.
PolyfemScene read_polyfem_scene(const std::string& path, const std::string& target);

}  // namespace marrow
