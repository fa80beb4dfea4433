// The meshes of scenes in two dimensions.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace marrow {

// Checks a mesh in the world for a planar body: every point at z = 0; of a soft body triangles only, with
// area, at most two at an edge, and no point outside them. All triangles become counter-clockwise. Throws
// InputError with this name.
void finish_planar_mesh(const std::string& name, bool is_soft, Mesh& mesh);

}  // namespace marrow
