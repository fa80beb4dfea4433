#include "scene/body_names.h"

namespace marrow {

std::vector<Index> find_named_bodies(const Scene& scene, const std::string& name) {
  std::vector<Index> found;
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.name_of(i) == name || scene.bodies[i].group == name) found.push_back(static_cast<Index>(i));
  }
  return found;
}

Index find_body(const Scene& scene, const std::string& name) {
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.name_of(i) == name) return static_cast<Index>(i);
  }
  return kNone;
}

}  // namespace marrow
