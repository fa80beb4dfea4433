// A whole run as an animated glTF 2.0 model, for Blender and web viewers: one .glb file, or .gltf with .bin.
//
// Each body is a mesh of its surface (wires as lines, loose points as points) at the first frame. What rests
// has no animation. Of affine and rigid bodies the node is moved and rotated, if that puts every vertex to
// within 1/2000 of the body's size in every frame; affine bodies that stretch or shear more, and all others,
// have a morph target per frame, and the animation moves the weight from one target to the next, so that in
// between points go straight. Frames are read one at a time. docs/decisions/0002-gltf-writer.md and
// 0032-small-output.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "output/frames/frame.h"

namespace marrow {

struct GltfFrames {
  std::vector<double> times;  // [s]
  std::function<Points(size_t frame)> read_points;
};

struct GltfOptions {
  // Frames in the animation at most if there are morph targets. A longer run is thinned evenly, keeping the
  // first and the last frame. Every WebGL 2 device offers 256 vertex uniforms and texture layers, and viewers
  // spend one of each per morph target.
  int max_frames = 200;  // at least 2
  // Size of the binary half at most, kept by thinning further; viewers load all of it.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
};

struct GltfReport {
  int frames_in_run = 0;
  int frames_written = 0;
};

// Writes path, all or nothing: .glb, or .gltf and beside it .bin. Throws OutputError; InputError if a frame
// cannot be read or does not fit the topology.
GltfReport write_gltf(const std::string& path, const OutputTopology& topology, const GltfFrames& frames,
                      const GltfOptions& options = {});

}  // namespace marrow
