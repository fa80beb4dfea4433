#include <marrow/scene.h>

#include "core/file.h"
#include "exec/parallel.h"
#include "library/parts.h"
#include "scene/describe.h"
#include "scene/import/import_scene.h"
#include "scene/read_scene.h"

namespace marrow::api {
namespace {

// A change is "--set KEY=VALUE" in messages of the program.
marrow::InputError in_library_words(const marrow::InputError& error) {
  constexpr std::string_view kOption = "--set ";
  Location where = error.where();
  if (where.file.starts_with(kOption)) where.file = "Scene::set " + where.file.substr(kOption.size());
  return {where, error.problem(), error.advice()};
}

}  // namespace

std::string get_version() { return MARROW_VERSION; }

void set_thread_count(int count) {
  if (count < 0)
    throw InputError("set_thread_count: the count must be 0 or above, not " + std::to_string(count));
  exec::set_thread_count(count);
}

Scene::Scene(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

void Scene::set(const std::string& key, const std::string& value) { set({key + "=" + value}); }

void Scene::set(const std::vector<std::string>& assignments) {
  call_library([&] {
    auto changed = std::make_shared<Parts>(*parts_);
    changed->changes.insert(changed->changes.end(), assignments.begin(), assignments.end());
    try {
      changed->scene = marrow::parse_scene(changed->text, changed->path, changed->changes);
    } catch (const marrow::InputError& error) {
      throw in_library_words(error);
    }
    parts_ = std::move(changed);
    return 0;
  });
}

std::string Scene::to_json() const { return describe_scene(parts_->scene); }

const std::vector<std::string>& Scene::notices() const { return parts_->notices; }

Scene read_scene(const std::string& path, const std::vector<std::string>& overrides) {
  return call_library([&] {
    auto parts = std::make_shared<Scene::Parts>();
    parts->path = path;
    parts->scene = read_scene_or_import(path, overrides, {}, parts->notices);
    parts->text = describe_scene(parts->scene);
    if (!is_foreign_scene(path)) {
      parts->text = read_file(path);
      parts->changes = overrides;
    }
    return Scene(std::move(parts));
  });
}

Scene parse_scene(const std::string& json, const std::string& folder) {
  return call_library([&] {
    auto parts = std::make_shared<Scene::Parts>();
    parts->path = folder + "/scene.json";
    parts->text = json;
    parts->scene = marrow::parse_scene(json, parts->path);
    return Scene(std::move(parts));
  });
}

}  // namespace marrow::api
