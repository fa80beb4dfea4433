#include <marrow/scene.h>

#include "exec/parallel.h"
#include "library/parts.h"
#include "scene/describe.h"
#include "scene/import/import_scene.h"
#include "scene/read_scene.h"

namespace marrow::api {

std::string get_version() { return MARROW_VERSION; }

void set_thread_count(int count) { exec::set_thread_count(count); }

Scene::Scene(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

void Scene::set(const std::string& key, const std::string& value) {
  call_library([&] {
    auto changed = std::make_shared<Parts>(*parts_);
    changed->scene = marrow::parse_scene(describe_scene(parts_->scene), parts_->path, {key + "=" + value});
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
    return Scene(std::move(parts));
  });
}

Scene parse_scene(const std::string& json, const std::string& folder) {
  return call_library([&] {
    auto parts = std::make_shared<Scene::Parts>();
    parts->path = folder + "/scene.json";
    parts->scene = marrow::parse_scene(json, parts->path);
    return Scene(std::move(parts));
  });
}

}  // namespace marrow::api
