// The texture coordinates and materials of the OBJ files that bodies are made of, for the glTF animation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinematics/body.h"
#include "output/frames/frame.h"
#include "scene/description.h"

namespace marrow {

// By body; null where the surface is not that of an OBJ file with texture coordinates. Images are named
// relative to the folder.
std::vector<std::shared_ptr<const OutputTexture>> load_textures(const Scene& scene,
                                                                const std::string& scene_path,
                                                                const Kinematics& kinematics,
                                                                const std::string& folder);

}  // namespace marrow
