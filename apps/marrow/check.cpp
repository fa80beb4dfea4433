// marrow check SCENE.json: reads and checks a scene and all it names, without running it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "marrow/verbs.h"
#include "scene/build.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

int check_scene(const std::string& path, const std::vector<std::string>& overrides) {
  const Scene scene = read_scene(path, overrides);
  const BuiltScene built = build_scene(scene, path);
  const Model& model = built.model;
  size_t prescribed = 0;
  for (const PrescribedNodes& group : model.prescribed) prescribed += group.nodes.size();
  fmt::print("{}: good. {} bodies, {} nodes ({} prescribed), {} elements, {} steps of {:g} s.\n", path,
             model.kinematics.bodies.size(), model.kinematics.node_count, prescribed,
             model.kinematics.elements.count(), model.step_count(), model.time.step);
  return kExitOk;
}

}  // namespace

void add_check_verb(CLI::App& app, Action& action) {
  auto path = std::make_shared<std::string>();
  auto overrides = std::make_shared<std::vector<std::string>>();
  CLI::App* verb = app.add_subcommand("check", "Check a scene without running it");
  verb->add_option("scene", *path, "Scene file (JSON)")->required();
  verb->add_option("--set", *overrides, "Change a value of the scene: --set time.step=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->callback(
      [path, overrides, &action] { action = [path, overrides] { return check_scene(*path, *overrides); }; });
}

}  // namespace marrow
