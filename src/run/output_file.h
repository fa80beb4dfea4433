// What may be written where: asked before the work begins, so that nothing is lost and nothing done in vain.
#pragma once

#include <string>
#include <vector>

#include "scene/description.h"

namespace marrow {

// Throws InputError if the file to write is one of the inputs; their empty names are skipped.
void check_not_input(const std::string& path, const std::vector<std::string>& inputs);

// The same, and if it is a folder, a device or a pipe, if there is no folder for it, or if its name ends
// in none of these (with the dot, in lower case; none: any name will do).
void check_output(const std::string& path, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& endings = {});

// The scene file and the meshes that it names.
std::vector<std::string> list_input_files(const std::string& scene_path, const Scene& scene);

}  // namespace marrow
