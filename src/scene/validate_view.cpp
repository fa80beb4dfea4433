#include "scene/validate_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace marrow {
namespace {

using Problem = std::optional<SceneProblem>;

constexpr const char* kColorAdvice =
    "Give a colour as \"#d08020\", or a name of CSS such as orange, teal, gray, lightblue.";

Problem check_hidden(const Scene& scene) {
  std::vector<std::string> known;
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    known.push_back(scene.name_of(i));
    if (!scene.bodies[i].group.empty()) known.push_back(scene.bodies[i].group);
  }
  for (size_t i = 0; i < scene.view->hide.size(); ++i) {
    const std::string& name = scene.view->hide[i];
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = nearest_name(name, known);
    return SceneProblem{JsonPath() / "view" / "hide" / i,
                        fmt::format("no body or group is called \"{}\"", name),
                        nearest.empty() ? "Name a body, or a group of bodies."
                                        : fmt::format("Did you mean \"{}\"?", nearest)};
  }
  return {};
}

}  // namespace

Problem find_view_problem(const Scene& scene) {
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::optional<std::string>& color = scene.bodies[i].color;
    if (!color || parse_color(*color)) continue;
    return SceneProblem{JsonPath() / "bodies" / i / "color", fmt::format("\"{}\" is no colour", *color),
                        kColorAdvice};
  }
  if (!scene.view) return {};
  const ViewDescription& view = *scene.view;
  const JsonPath path = JsonPath() / "view";
  if (view.camera.has_value() != view.target.has_value()) {
    return SceneProblem{path / (view.camera ? "camera" : "target"), "camera and target belong together",
                        "Give both, or neither and a side."};
  }
  if (view.camera && view.side) {
    return SceneProblem{path / "side", "both a side and a camera are given", "Give one of them."};
  }
  if (view.camera && *view.camera == *view.target) {
    return SceneProblem{path / "target", "the camera stands where it looks at", "Move one of them."};
  }
  if (!view.section.empty() && !parse_section(view.section)) {
    return SceneProblem{path / "section", fmt::format("\"{}\" is no plane", view.section), kSectionAdvice};
  }
  return check_hidden(scene);
}

}  // namespace marrow
