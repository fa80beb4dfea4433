#include "preprocess/volume/prepare_tets.h"

#include <fmt/format.h>

#include "core/activity.h"
#include "core/error.h"
#include "core/file.h"
#include "mesh/io/mesh_file.h"
#include "preprocess/store.h"
#include "preprocess/volume/solid_surface.h"

namespace marrow {
namespace {

// Raised whenever the mesher gives other results: old files are then made again.
constexpr int kPreparationVersion = 1;

std::uint64_t hash_input(const Mesh& surface, const TetMesherOptions& options) {
  const auto bytes_of = [](const auto& list) {
    return std::string_view(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  };
  const std::uint64_t options_hash =
      hash_bytes(fmt::format("tets {} {} {}", kPreparationVersion, options.size, options.deviation));
  return hash_bytes(bytes_of(surface.triangles), hash_bytes(bytes_of(surface.points), options_hash));
}

}  // namespace

Mesh prepare_tets_cached(const Mesh& surface, const std::string& name, const TetMesherOptions& options) {
  const std::string store = find_store();
  const std::string path = fmt::format("{}/{:016x}.msh", store, hash_input(surface, options));
  if (!store.empty() && is_file(path)) {
    try {
      return read_mesh(path);
    } catch (const InputError&) {
      // Damaged: made again below.
    }
  }
  const Activity activity(fmt::format("filling {} with tets", name));
  const Mesh tets = mesh_solid(make_solid_surface(surface, name).mesh, name, options);
  if (!store.empty()) {
    try {
      make_folder(store);
      write_mesh(path, tets);
    } catch (const OutputError&) {
      // It will be made again next time.
    }
  }
  return tets;
}

}  // namespace marrow
