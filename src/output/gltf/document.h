// The JSON half of a glTF model: it describes what the binary half holds, piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/gltf/part.h"

namespace marrow {

// A range of float vectors in the binary half, with its bounds.
struct GltfVectors {
  std::uint64_t offset = 0;
  Vec3f min = Vec3f::Zero();
  Vec3f max = Vec3f::Zero();
};

// What the binary half holds of one part.
struct GltfPartData {
  std::uint64_t corners_offset = 0;
  GltfVectors positions;
  GltfVectors normals;                        // unused if the part has none
  std::uint64_t texture_offset = 0;           // of u, v, 0; unused if the part has none
  std::vector<GltfVectors> target_positions;  // one per morph target
  std::vector<GltfVectors> target_normals;
};

// How a body is animated: it stands still, its node moves, or it has a morph target per frame.
enum class GltfMotion { Still, Node, Morph };

struct GltfBodyData {
  GltfMotion motion = GltfMotion::Still;
  Vec3f centre = Vec3f::Zero();  // Node: the origin of its vertices at the first frame
  GltfVectors translations;      // Node: one per key
  std::uint64_t rotations_offset = 0;
};

// The layout of the binary half: corners, then vectors, then key times, weights, translations and rotations.
struct GltfLayout {
  std::uint64_t corners_size = 0;
  std::uint64_t vectors_size = 0;
  std::uint64_t animation_size = 0;
  int key_count = 0;
  float first_key = 0;  // [s]
  float last_key = 0;   // [s]
  std::uint64_t weights_offset = 0;
  std::vector<GltfBodyData> bodies;
  std::vector<GltfPartData> parts;

  std::uint64_t size() const { return corners_size + vectors_size + animation_size; }
};

// The JSON text. An empty buffer_file means that the binary half follows in the same file (GLB).
std::string format_gltf(const OutputTopology& topology, const std::vector<GltfPart>& parts,
                        const GltfLayout& layout, const std::string& buffer_file);

}  // namespace marrow
