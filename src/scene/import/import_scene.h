// Scenes of other programs: which they are, and what becomes of them.
#pragma once

#include "scene/description.h"

namespace marrow {

// Forces of scenes of others balance ten times better than of our own: with less, bodies that slide without
// friction drift by up to 5 % of their motion. [measured: bench/results/imported.md]
inline constexpr double kImportedBalance = 1e-4;

struct ImportOptions {
  // Of the bodies of rigid-ipc fixtures that move by themselves; absent: rigid. Other scenes say it
  // themselves.
  std::optional<BodyKind> kind;
};

struct ImportedScene {
  Scene scene;
  std::vector<std::string> notices;  // "file:line: text": what is different or ignored
};

// Whether the file is a scene of another program: an IPC script, a rigid-ipc fixture, or a scene of PolyFEM.
bool is_foreign_scene(const std::string& path);

// target: the file the scene goes to; mesh names are relative to its folder. Throws InputError, also for
// files that are not foreign.
ImportedScene import_scene(const std::string& path, const std::string& target, const ImportOptions& options);

// Reads a scene, or another program's as one; overrides as in scene/read_scene.h.
Scene read_scene_or_import(const std::string& path, const std::vector<std::string>& overrides,
                           const ImportOptions& options, std::vector<std::string>& notices);

}  // namespace marrow
