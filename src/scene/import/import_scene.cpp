#include "scene/import/import_scene.h"

#include <fmt/format.h>

#include "core/error.h"
#include "scene/describe.h"
#include "scene/import/ipc_scene.h"
#include "scene/import/rigid_ipc_scene.h"
#include "scene/polyfem/polyfem_file.h"
#include "scene/polyfem/polyfem_scene.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

void refuse_kind(const std::string& path, const ImportOptions& options) {
  if (!options.kind) return;
  throw InputError({path, 0, 0, {}}, "is not a rigid-ipc fixture; only for these can a kind be chosen",
                   "Leave out --kind, or set the kind of each body in the scene.");
}

}  // namespace

bool is_foreign_scene(const std::string& path) {
  return is_ipc_script(path) || is_rigid_ipc_fixture(path) || is_polyfem_scene(path);
}

ImportedScene import_scene(const std::string& path, const std::string& target, const ImportOptions& options) {
  ImportedScene imported;
  if (is_ipc_script(path)) {
    refuse_kind(path, options);
    IpcScene converted = read_ipc_scene(path, target);
    imported.scene = std::move(converted.scene);
    for (const IpcNotice& notice : converted.notices) {
      imported.notices.push_back(
          fmt::format("{}: {}", to_string(Location{converted.script, notice.line, 0, {}}), notice.text));
    }
  } else if (is_rigid_ipc_fixture(path)) {
    RigidIpcScene converted = read_rigid_ipc_scene(path, target, options.kind.value_or(BodyKind::Rigid));
    imported.scene = std::move(converted.scene);
    for (const std::string& notice : converted.notices)
      imported.notices.push_back(fmt::format("{}: {}", path, notice));
  } else if (is_polyfem_scene(path)) {
    refuse_kind(path, options);
    PolyfemScene converted = read_polyfem_scene(path, target);
    imported.scene = std::move(converted.scene);
    imported.scene.solver.newton.balance = kImportedBalance;
    for (const std::string& notice : converted.notices)
      imported.notices.push_back(fmt::format("{}: {}", path, notice));
  } else {
    throw InputError({path, 0, 0, {}}, "is not a scene that can be converted",
                     "Known are IPC's text scripts (.txt, .ipc), rigid-ipc's fixtures (.json with the key "
                     "rigid_body_problem) and PolyFEM's scenes (.json with the key geometry or common).");
  }
  return imported;
}

Scene read_scene_or_import(const std::string& path, const std::vector<std::string>& overrides,
                           const ImportOptions& options, std::vector<std::string>& notices) {
  if (!is_foreign_scene(path)) {
    refuse_kind(path, options);
    return read_scene(path, overrides);
  }
  ImportedScene imported = import_scene(path, path, options);
  notices.insert(notices.end(), imported.notices.begin(), imported.notices.end());
  return parse_scene(describe_scene(imported.scene), path, overrides);
}

}  // namespace marrow
