#include "output/run/changed_meshes.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "core/error.h"
#include "core/file.h"

namespace marrow {
namespace {

constexpr std::string_view kMeshPrefix = "step_", kMeshSuffix = ".mesh";

std::string meshes_folder(const std::string& folder) { return folder + "/meshes"; }

// The step in a file's name; −1 if it is no such name.
int mesh_step_of(std::string_view name) {
  if (!name.starts_with(kMeshPrefix) || !name.ends_with(kMeshSuffix)) return -1;
  const std::string_view digits =
      name.substr(kMeshPrefix.size(), name.size() - kMeshPrefix.size() - kMeshSuffix.size());
  int step = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step);
  return error == std::errc() && end == digits.data() + digits.size() ? step : -1;
}

template <class T>
void append_raw(const T* values, size_t count, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

// Takes numbers from the front of the bytes.
class MeshBytes {
 public:
  MeshBytes(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  template <class T>
  void take(size_t count, std::vector<T>& values) {
    if (count > bytes_.size() / sizeof(T)) fail();
    values.resize(count);
    if (count > 0) std::memcpy(static_cast<void*>(values.data()), bytes_.data(), count * sizeof(T));
    bytes_.remove_prefix(count * sizeof(T));
  }

  size_t take_count() {
    std::vector<std::uint64_t> value;
    take(1, value);
    return value[0];
  }

  bool is_empty() const { return bytes_.empty(); }

  [[noreturn]] void fail() const {
    throw InputError({file_, 0, 0, {}}, "has damaged meshes", "Run the scene again.");
  }

 private:
  std::string_view bytes_;
  const std::string& file_;
};

bool is_sound(const ChangedMesh& mesh) {
  const auto count = static_cast<Index>(mesh.points.size());
  for (const Tet& tet : mesh.tets) {
    for (const Index i : tet) {
      if (i < 0 || i >= count) return false;
    }
  }
  for (const auto& [group, point] : mesh.held) {
    if (group < 0 || point < 0 || point >= count) return false;
  }
  return !mesh.tets.empty();
}

}  // namespace

std::string format_meshes(const std::vector<std::shared_ptr<const ChangedMesh>>& meshes) {
  std::string bytes;
  const std::uint64_t count = meshes.size();
  append_raw(&count, 1, bytes);
  for (const auto& mesh : meshes) {
    const std::uint64_t head[4] = {static_cast<std::uint64_t>(mesh->body), mesh->points.size(),
                                   mesh->tets.size(), mesh->held.size()};
    append_raw(head, 4, bytes);
    append_raw(mesh->points.data(), mesh->points.size(), bytes);
    append_raw(mesh->tets.data(), mesh->tets.size(), bytes);
    append_raw(mesh->origins.data(), mesh->origins.size(), bytes);
    append_raw(mesh->held.data(), mesh->held.size(), bytes);
  }
  return bytes;
}

std::vector<std::shared_ptr<const ChangedMesh>> parse_meshes(std::string_view bytes,
                                                             const std::string& file) {
  MeshBytes from(bytes, file);
  std::vector<std::shared_ptr<const ChangedMesh>> meshes;
  for (size_t left = from.take_count(); left > 0; --left) {
    auto mesh = std::make_shared<ChangedMesh>();
    mesh->body = static_cast<Index>(from.take_count());
    const size_t points = from.take_count(), tets = from.take_count(), held = from.take_count();
    from.take(points, mesh->points);
    from.take(tets, mesh->tets);
    from.take(points, mesh->origins);
    from.take(held, mesh->held);
    if (!is_sound(*mesh)) from.fail();
    meshes.push_back(std::move(mesh));
  }
  if (!from.is_empty()) from.fail();
  return meshes;
}

void write_meshes(const std::string& folder, int step,
                  const std::vector<std::shared_ptr<const ChangedMesh>>& meshes) {
  make_folder(meshes_folder(folder));
  std::string bytes = format_meshes(meshes);
  const std::uint64_t checksum = hash_bytes(bytes);
  append_raw(&checksum, 1, bytes);
  write_file(fmt::format("{}/{}{:08}{}", meshes_folder(folder), kMeshPrefix, step, kMeshSuffix), bytes);
}

void drop_meshes(const std::string& folder, int last_step) {
  for (const std::string& name : list_folder(meshes_folder(folder))) {
    const int step = mesh_step_of(name);
    if (step >= 0 && step > last_step) remove_file(meshes_folder(folder) + "/" + name);
  }
}

std::vector<std::shared_ptr<const ChangedMesh>> read_meshes(const std::string& folder, int step) {
  std::string newest;
  int found = -1;
  for (const std::string& name : list_folder(meshes_folder(folder))) {
    const int own = mesh_step_of(name);
    if (own < 0 || own > step || own <= found) continue;
    found = own;
    newest = meshes_folder(folder) + "/" + name;
  }
  if (found < 0) return {};
  const std::string bytes = read_file(newest);
  std::uint64_t checksum = 0;
  if (bytes.size() < sizeof(checksum)) MeshBytes({}, newest).fail();
  const std::string_view payload(bytes.data(), bytes.size() - sizeof(checksum));
  std::memcpy(&checksum, bytes.data() + payload.size(), sizeof(checksum));
  if (checksum != hash_bytes(payload)) MeshBytes({}, newest).fail();
  return parse_meshes(payload, newest);
}

}  // namespace marrow
