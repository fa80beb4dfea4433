// A whole run as an animated glTF 2.0 model, for Blender and web viewers: run.glb, and run.gltf with run.bin.
//
// Each body is a mesh of its surface (wires as lines, loose points as points) at the first frame; every later
// frame is a morph target, and the animation moves the weight from one target to the next, so that in between
// points go straight. Frames are read back from their VTU files one at a time; see
// docs/decisions/0002-gltf-writer.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/frames/frame.h"
#include "output/vtk/pvd.h"

namespace marrow {

struct GltfOptions {
  // Frames in the animation at most. A longer run is thinned evenly, keeping the first and the last frame.
  // Every WebGL 2 device offers 256 vertex uniforms and texture layers, and viewers spend one of each per
  // morph target.
  int max_frames = 200;  // at least 2
  // Size of the binary half at most, kept by thinning further; viewers load all of it.
  std::uint64_t max_bytes = std::uint64_t{1} << 30;
};

struct GltfReport {
  int frames_in_run = 0;
  int frames_written = 0;
};

// Writes folder/run.bin, run.gltf and run.glb, each all or nothing, from the frames listed (paths relative to
// folder). Throws OutputError; InputError if a frame cannot be read or does not fit the topology.
GltfReport write_gltf(const std::string& folder, const OutputTopology& topology,
                      const std::vector<PvdFrame>& frames, const GltfOptions& options = {});

}  // namespace marrow
