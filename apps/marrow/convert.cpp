// marrow convert FILE -o SCENE.json: turns a scene of another program into one of ours.
#include <fmt/format.h>

#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "marrow/console.h"
#include "marrow/kind_option.h"
#include "marrow/model_words.h"
#include "marrow/verbs.h"
#include "run/output_file.h"
#include "scene/build/build.h"
#include "scene/describe.h"
#include "scene/import/import_scene.h"
#include "scene/read_scene.h"

namespace marrow {
namespace {

struct ConvertArguments {
  std::string path;
  std::string output;
  std::string kind;  // of the bodies of a rigid-ipc fixture
};

int convert(const ConvertArguments& arguments) {
  std::string output = arguments.output;
  if (output.empty()) output = std::filesystem::path(arguments.path).stem().string() + ".json";
  check_output(output, {arguments.path}, {".json"});
  const ImportedScene converted = import_scene(arguments.path, output, read_import_options(arguments.kind));
  // What is written must be a scene that we read and can build.
  const std::string text = describe_scene(converted.scene);
  const BuiltScene built = build_scene(parse_scene(text, output), output);
  write_file(output, text);
  for (const std::string& notice : converted.notices) fmt::print("{}\n", notice);
  fmt::print("{}: {}, {} of {:g} s\n", output, describe_counts(built.model.kinematics),
             format_count(built.model.step_count(), "step", "steps"), built.model.time.step);
  return kExitOk;
}

}  // namespace

void add_convert_verb(Verb root) {
  auto arguments = std::make_shared<ConvertArguments>();
  const Verb verb = root.add_verb("convert", "Convert a scene of another program to a Marrow scene");
  verb.add_option("file", arguments->path, "IPC script (.txt, .ipc) or rigid-ipc fixture (.json)")
      .required()
      .file({".txt", ".ipc", ".json"});
  verb.add_option("-o,--output", arguments->output,
                  "Scene file to write; default: the input's name with .json, in the current folder")
      .file({".json"});
  add_kind_option(verb, arguments->kind);
  verb.add_example("marrow convert script.txt -o scene.json", "turns an IPC script into a scene");
  verb.set_action([arguments] { return convert(*arguments); });
}

}  // namespace marrow
