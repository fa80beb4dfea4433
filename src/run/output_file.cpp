#include "run/output_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "core/error.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

InputError refuse(const std::string& path, const std::string& problem, const std::string& advice) {
  return InputError({path, 0, 0, {}}, problem, advice);
}

void check_ending(const std::string& path, const std::vector<std::string>& endings) {
  if (endings.empty()) return;
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (std::find(endings.begin(), endings.end(), ending) != endings.end()) return;
  throw refuse(path, "has the wrong extension for this output",
               fmt::format("Use a name that ends in {}.", fmt::join(endings, " or ")));
}

// TetGen's files come in threes.
std::vector<fs::path> list_parts(const std::string& path) {
  const fs::path name(path);
  const std::string ending = name.extension().string();
  if (ending != ".node" && ending != ".ele" && ending != ".face") return {name};
  std::vector<fs::path> parts;
  for (const char* other : {".node", ".ele", ".face"}) {
    parts.push_back(name);
    parts.back().replace_extension(other);
  }
  return parts;
}

}  // namespace

void check_not_input(const std::string& path, const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const fs::path& written : list_parts(path)) {
    for (const std::string& input : inputs) {
      for (const fs::path& read : list_parts(input)) {
        if (!fs::equivalent(written, read, ignored)) continue;
        throw refuse(path, fmt::format("would overwrite the input {}", read.string()),
                     "Choose another output file.");
      }
    }
  }
}

void check_output(const std::string& path, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& endings) {
  check_not_input(path, inputs);
  check_ending(path, endings);
  std::error_code ignored;
  for (const fs::path& written : list_parts(path)) {
    if (!fs::exists(written, ignored) || fs::is_regular_file(written, ignored)) continue;
    const bool is_folder = fs::is_directory(written, ignored);
    throw refuse(written.string(),
                 is_folder ? "is a folder, not a file" : "is a device or a pipe, not a file",
                 "Choose another output file.");
  }
  const fs::path parent = fs::path(path).parent_path();
  const fs::path folder = parent.empty() ? fs::path(".") : parent;
  if (!fs::is_directory(folder, ignored)) {
    throw refuse(path, "there is no folder " + folder.string(), "Create it, or choose another output file.");
  }
}

std::vector<std::string> list_input_files(const std::string& scene_path, const Scene& scene) {
  std::vector<std::string> inputs = {scene_path};
  for (const std::string& file : scene.included) inputs.push_back(resolve_path(scene_path, file));
  for (const BodyDescription& body : scene.bodies) {
    if (body.mesh) inputs.push_back(resolve_path(scene_path, *body.mesh));
    if (const std::string* file = body.surface_file()) inputs.push_back(resolve_path(scene_path, *file));
    if (body.densities && body.densities->file) {
      inputs.push_back(resolve_path(scene_path, *body.densities->file));
    }
    for (const PrescribedDescription& part : body.prescribed) {
      if (!part.sequence) continue;
      for (const std::string& mesh : part.sequence->meshes) {
        inputs.push_back(resolve_path(scene_path, mesh));
      }
    }
  }
  return inputs;
}

}  // namespace marrow
