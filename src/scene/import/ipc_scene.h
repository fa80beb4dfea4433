// From an IPC script to a scene of ours (docs/ipc_scripts.md).
#pragma once

#include "scene/description.h"
#include "scene/import/ipc_script.h"

namespace marrow {

struct IpcScene {
  Scene scene;
  std::string script;              // the file itself, where the one given only names another
  std::vector<IpcNotice> notices;  // what is different or ignored, by line
};

// Whether the file's name is that of a script: .txt or .ipc.
bool is_ipc_script(const std::string& path);

// Reads a script and its meshes. target: the file the scene goes to; mesh names are relative to its folder.
// Throws InputError.
IpcScene read_ipc_scene(const std::string& path, const std::string& target);

}  // namespace marrow
