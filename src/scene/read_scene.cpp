#include "scene/read_scene.h"

#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "scene/json/json.h"
#include "scene/json/read_fields.h"
#include "scene/validate.h"

namespace marrow {

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return parse_scene(read_file(path), path, overrides);
}

Scene parse_scene(const std::string& text, const std::string& file,
                  const std::vector<std::string>& overrides) {
  JsonDocument document(text, file);
  for (const std::string& assignment : overrides) document.set(assignment);
  Scene scene;
  read_struct(document.root(), scene);
  if (const auto found = find_problem(scene)) {
    throw InputError(document.locate(found->path), found->problem, found->advice);
  }
  return scene;
}

std::string resolve_path(const std::string& scene_path, const std::string& named) {
  return (std::filesystem::path(scene_path).parent_path() / named).string();
}

}  // namespace marrow
