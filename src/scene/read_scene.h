// From a scene file to a checked Scene. Nothing is built yet and no mesh is opened: that is
// scene/build/build.
#pragma once

#include <string>
#include <vector>

#include "scene/description.h"

namespace marrow {

// Reads a scene file. Overrides are "path=value", for example "time.step=0.02" or
// "bodies[0].material.density=500"; a value that is not JSON counts as text. Throws InputError.
Scene read_scene(const std::string& path, const std::vector<std::string>& overrides = {});

// The same from text; file is the name used in messages.
Scene parse_scene(const std::string& text, const std::string& file,
                  const std::vector<std::string>& overrides = {});

// The path of a file named in a scene: relative names are relative to the scene file.
std::string resolve_path(const std::string& scene_path, const std::string& named);

// The reverse: a file's name as seen from the folder of a scene.
std::string relative_name(const std::string& file, const std::string& scene_path);

}  // namespace marrow
