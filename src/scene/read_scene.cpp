#include "scene/read_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/mesh_file.h"
#include "scene/json/json.h"
#include "scene/read_written.h"
#include "scene/validate.h"

namespace marrow {
namespace {

// A variable that the scene does not have would change nothing.
void check_variable(const JsonDocument& document, const std::string& assignment) {
  constexpr std::string_view kPrefix = "variables.";
  const size_t end = assignment.find('=');
  if (!assignment.starts_with(kPrefix) || end == std::string::npos) return;
  const std::string name = assignment.substr(kPrefix.size(), end - kPrefix.size());
  const JsonPath variables = JsonPath() / "variables";
  if (document.has(variables / name.c_str())) return;
  const auto member = document.root().member("variables");
  const bool has_some = member && member->kind() == JsonNode::Kind::Object && !member->keys().empty();
  const std::string nearest = has_some ? nearest_name(name, member->keys()) : std::string();
  throw InputError({"--set " + assignment, 0, 0, {}}, fmt::format("the scene has no variable \"{}\"", name),
                   !nearest.empty() ? fmt::format("Did you mean \"{}\"?", nearest)
                   : has_some       ? fmt::format("Its variables are: {}.", fmt::join(member->keys(), ", "))
                                    : "It defines none.");
}

// Who gives a mesh where a scene is wanted gets a scene around it.
void refuse_mesh(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::vector<std::string>& known = mesh_extensions();
  if (std::find(known.begin(), known.end(), ending) == known.end() || !is_file(path)) return;
  throw InputError({path, 0, 0, {}}, "is a mesh, not a scene",
                   fmt::format("Write a scene beside it: `marrow new NAME --mesh {0}`, or\n"
                               "  {{\"ground\": {{}}, \"bodies\": [{{\"kind\": \"rigid\", \"mesh\": \"{1}\", "
                               "\"size\": 1, \"rest_on\": \"ground\"}}]}}",
                               path, std::filesystem::path(path).filename().string()));
}

}  // namespace

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides) {
  refuse_mesh(path);
  return parse_scene(read_file(path), path, overrides);
}

Scene parse_scene(const std::string& text, const std::string& file,
                  const std::vector<std::string>& overrides) {
  JsonDocument document(text, file);
  for (const std::string& assignment : overrides) {
    check_variable(document, assignment);
    document.set(assignment);
  }
  ReadScene read = read_written_scene(document);
  if (const auto found = find_problem(read.scene)) {
    const std::string copy = read.copy_of(found->path);
    throw InputError(read.locate(found->path),
                     copy.empty() ? found->problem : fmt::format("{} (copy {})", found->problem, copy),
                     found->advice);
  }
  return std::move(read.scene);
}

std::string resolve_path(const std::string& scene_path, const std::string& named) {
  return (std::filesystem::path(scene_path).parent_path() / named).string();
}

std::string relative_name(const std::string& file, const std::string& scene_path) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::absolute(scene_path).parent_path();
  return fs::weakly_canonical(file).lexically_proximate(fs::weakly_canonical(folder)).string();
}

}  // namespace marrow
