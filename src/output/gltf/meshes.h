// Meshes that stand still as one glTF 2.0 model in a single file (.glb): pictures of what was prepared.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace marrow {

struct GltfMesh {
  std::string name;
  Mesh mesh;                                         // its triangles, or its edges as lines if it has none
  std::array<double, 4> color = {0.8, 0.8, 0.8, 1};  // red, green, blue, opacity
};

// The bytes of the file. Points become single precision; triangles are flat-shaded by the viewer, as they
// have no normals.
std::string format_gltf_meshes(const std::vector<GltfMesh>& meshes);

}  // namespace marrow
