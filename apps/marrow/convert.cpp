// marrow convert SCRIPT.txt -o SCENE.json: turns a scene of another program into one of ours.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "marrow/console.h"
#include "marrow/verbs.h"
#include "scene/build.h"
#include "scene/describe.h"
#include "scene/ipc_scene.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

struct ConvertArguments {
  std::string path;
  std::string output;
};

int convert(const ConvertArguments& arguments) {
  if (!is_ipc_script(arguments.path)) {
    throw InputError({arguments.path, 0, 0, {}}, "is not a kind of scene that can be converted",
                     "Known are IPC's text scripts: .txt and .ipc.");
  }
  std::string output = arguments.output;
  if (output.empty()) output = std::filesystem::path(arguments.path).stem().string() + ".json";
  const IpcScene converted = read_ipc_scene(arguments.path, output);
  // What is written must be a scene that we read and can build.
  const std::string text = describe_scene(converted.scene);
  const BuiltScene built = build_scene(parse_scene(text, output), output);
  write_file(output, text);
  for (const IpcNotice& notice : converted.notices) {
    fmt::print("{}: {}\n", to_string(Location{converted.script, notice.line, 0, {}}), notice.text);
  }
  const Kinematics& kinematics = built.model.kinematics;
  fmt::print("{}: {}, {}, {}, {} of {:g} s\n", output,
             format_count(static_cast<long>(kinematics.bodies.size()), "body", "bodies"),
             format_count(kinematics.node_count, "node", "nodes"),
             format_count(static_cast<long>(kinematics.elements.count()), "element", "elements"),
             format_count(built.model.step_count(), "step", "steps"), built.model.time.step);
  return kExitOk;
}

}  // namespace

void add_convert_verb(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* verb = app.add_subcommand("convert", "Turn an IPC script into a scene");
  verb->add_option("script", arguments->path, "IPC script (.txt, .ipc)")->required();
  verb->add_option("-o,--output", arguments->output,
                   "Scene file; default: the script's name with .json, in this folder");
  verb->callback([arguments, &action] { action = [arguments] { return convert(*arguments); }; });
}

}  // namespace marrow
