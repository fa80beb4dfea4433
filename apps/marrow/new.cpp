// marrow new NAME: starts a scene from a template.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "marrow/program_name.h"
#include "marrow/verbs.h"
#include "scene/guide/templates.h"

namespace marrow {
namespace {

struct NewArguments {
  std::string name;
  std::string chosen;
  std::string mesh;
  bool lists = false;
};

int print_templates() {
  for (const SceneTemplate& known : list_templates()) fmt::print("{:8}  {}\n", known.name, known.about);
  return kExitOk;
}

const SceneTemplate& find_template(const std::string& name) {
  std::vector<std::string> names;
  for (const SceneTemplate& known : list_templates()) {
    if (known.name == name) return known;
    names.emplace_back(known.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw UsageError(
      "--template",
      fmt::format("there is no template \"{}\"{}; there are {}", name,
                  nearest.empty() ? "" : fmt::format(", did you mean {}?", nearest), fmt::join(names, ", ")));
}

// The mesh as the scene names it: relative to the scene's folder.
std::string name_mesh(const std::string& mesh, const std::filesystem::path& scene) {
  if (!is_file(mesh)) throw InputError({mesh, 0, 0, {}}, "there is no such file", "Name a mesh file.");
  const std::filesystem::path path(mesh);
  if (path.is_absolute()) return mesh;
  // Absolute: the folder need not exist yet, and relative() finds no way to a folder that does not.
  return std::filesystem::relative(path, std::filesystem::absolute(scene).parent_path()).string();
}

int start_scene(const NewArguments& arguments) {
  if (arguments.lists) return print_templates();
  if (arguments.name.empty()) throw UsageError("NAME", "is missing; --list shows the templates");
  const bool has_mesh = !arguments.mesh.empty();
  const SceneTemplate& chosen = find_template(!arguments.chosen.empty() ? arguments.chosen
                                              : has_mesh                ? "mesh"
                                                                        : "drop");
  if ((std::string(chosen.name) == "mesh") != has_mesh) {
    throw UsageError(
        "--mesh",
        has_mesh ? fmt::format("the template {} has no place for a mesh; use --template mesh", chosen.name)
                 : "the template mesh needs a mesh file: --mesh FILE");
  }
  std::filesystem::path scene(arguments.name);
  if (scene.extension() != ".json") scene += ".json";
  if (std::filesystem::exists(scene)) {
    throw InputError({scene.string(), 0, 0, {}}, "is already there", "Choose another name, or remove it.");
  }
  const std::string mesh = has_mesh ? name_mesh(arguments.mesh, scene) : std::string();
  if (!scene.parent_path().empty()) make_folder(scene.parent_path().string());
  write_file(scene.string(), fill_template(chosen, scene.stem().string(), mesh));
  const std::string program = command_name(), file = quote_for_shell(scene.string());
  fmt::print("{}: {}\n  {} run {} -o out --live --open   # simulates it and shows it meanwhile\n",
             scene.string(), chosen.about, program, file);
  return kExitOk;
}

}  // namespace

void add_new_verb(Verb root) {
  auto arguments = std::make_shared<NewArguments>();
  const Verb verb = root.add_verb("new", "Start a scene from a template");
  verb.add_option("name", arguments->name, "Name of the scene; it is written to NAME.json");
  verb.add_option("--template", arguments->chosen, "What to start from; drop if absent").type_name("NAME");
  verb.add_option("--mesh", arguments->mesh, "A mesh file that the scene is about").type_name("FILE");
  verb.add_flag("--list", arguments->lists, "List the templates");
  verb.add_example("marrow new first", "writes first.json: a box and a ball that fall")
      .add_example("marrow new chain --template chain", "starts from a chain")
      .add_example("marrow new --list", "lists all templates")
      .add_example("marrow new bunny --mesh bunny.obj", "puts a mesh of your own on the ground");
  verb.set_action([arguments] { return start_scene(*arguments); });
}

}  // namespace marrow
