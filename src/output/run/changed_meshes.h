// Meshes that changed in a run (docs/models/remeshing.md), as bytes: in a checkpoint, and in
// meshes/step_NNNNNNNN.mesh, one file for each step that changed them. A frame has the meshes of the newest
// file of its step or an earlier one; of none: those of the scene.
//
// Little-endian: the count; then of each mesh the body, the counts of points, tets and held points (64 bits
// each), the points at rest (3 doubles each), the tets (4 × 32 bits each), the points' numbers in the scene's
// mesh (32 bits, −1: made by the run) and the held points (group and point, 32 bits each). Files end with a
// checksum.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/model.h"

namespace marrow {

std::string format_meshes(const std::vector<std::shared_ptr<const ChangedMesh>>& meshes);

// Throws InputError, which names the file, if the bytes are none, or not of this model.
std::vector<std::shared_ptr<const ChangedMesh>> parse_meshes(std::string_view bytes, const std::string& file);

void write_meshes(const std::string& folder, int step,
                  const std::vector<std::shared_ptr<const ChangedMesh>>& meshes);

// Removes the files of later steps; of all steps if it is negative.
void drop_meshes(const std::string& folder, int last_step);

// The meshes of the frame at a step; empty: the scene's. Throws InputError.
std::vector<std::shared_ptr<const ChangedMesh>> read_meshes(const std::string& folder, int step);

}  // namespace marrow
