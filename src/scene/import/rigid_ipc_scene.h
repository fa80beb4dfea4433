// From a rigid-ipc fixture to a scene of ours (docs/rigid_ipc_fixtures.md).
#pragma once

#include "scene/description.h"

namespace marrow {

struct RigidIpcScene {
  Scene scene;
  std::vector<std::string> notices;  // what is different or ignored
};

// Whether the file is a fixture: JSON with the key rigid_body_problem.
bool is_rigid_ipc_fixture(const std::string& path);

// Reads a fixture and its meshes. kind: of the bodies that move by themselves. target: the file the scene
// goes to; mesh names are relative to its folder, and meshes that the fixture itself contains are written
// beside it (if it is the fixture, into the system's folder for temporary files). Throws InputError.
RigidIpcScene read_rigid_ipc_scene(const std::string& path, const std::string& target, BodyKind kind);

}  // namespace marrow
