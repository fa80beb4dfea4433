// marrow convert FILE -o SCENE.json: turns a scene of another program into one of ours.
// marrow convert DIR -o OUT: turns the frames of a run into files of other programs.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "marrow/console.h"
#include "marrow/kind_option.h"
#include "marrow/model_words.h"
#include "marrow/progress_line.h"
#include "marrow/verbs.h"
#include "run/convert_run.h"
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
  std::string to;    // a run: vtu, obj or ply
  std::string frames;
};

// "10", "0:100" or "0:100:5", as frames are counted.
FrameRange parse_range(const std::string& text) {
  FrameRange range;
  if (text.empty()) return range;
  std::vector<int> numbers;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(':', at), text.size());
    int number = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, number);
    if (error != std::errc() || stop != text.data() + end || number < 0) numbers.resize(4);  // refused below
    numbers.push_back(number);
    at = end + 1;
  }
  if (numbers.size() > 3 || (numbers.size() == 3 && numbers[2] == 0)) {
    throw UsageError("--frames", text + " is none of FRAME, FIRST:LAST and FIRST:LAST:EVERY");
  }
  range.first = numbers[0];
  range.last = numbers.size() > 1 ? numbers[1] : numbers[0];
  range.every = numbers.size() > 2 ? numbers[2] : 1;
  return range;
}

int convert_frames(const ConvertArguments& arguments) {
  RunConversion conversion;
  conversion.run = arguments.path;
  conversion.output = arguments.output;
  conversion.range = parse_range(arguments.frames);
  const std::string ending = std::filesystem::path(arguments.output).extension().string();
  if (arguments.output.empty())
    throw UsageError("--output", "name the folder, or the .glb or .gltf file, to write to");
  if (!arguments.kind.empty()) throw UsageError("--kind", "is for scenes, not for the folder of a run");
  const bool is_gltf = ending == ".glb" || ending == ".gltf";
  if (is_gltf && !arguments.to.empty()) {
    throw UsageError("--to", "is for folders; the name of the file says that glTF is wanted");
  }
  if (is_gltf) conversion.to = ConvertTo::Gltf;
  if (arguments.to == "obj") conversion.to = ConvertTo::Obj;
  if (arguments.to == "ply") conversion.to = ConvertTo::Ply;
  ProgressLine progress;
  conversion.on_frame = [&](int done, int total) {
    if (progress.is_due()) progress.show(fmt::format("writing frame {} of {}", done, total));
  };
  const RunConversionReport report = convert_run(conversion);
  progress.clear();
  fmt::print("{}: {}\n", arguments.output, format_count(report.frames, "frame", "frames"));
  if (conversion.to == ConvertTo::Vtu && report.copied < report.frames) {
    fmt::print(
        "  {} copied from the run, with all fields. The others have exact positions, but no velocities; "
        "contact pressures are rounded to 16 bits\n",
        report.copied);
  }
  return kExitOk;
}

int convert(const ConvertArguments& arguments) {
  if (is_folder(arguments.path)) return convert_frames(arguments);
  if (!arguments.to.empty()) throw UsageError("--to", "is for the folder of a run");
  if (!arguments.frames.empty()) throw UsageError("--frames", "is for the folder of a run");
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
  const Verb verb = root.add_verb(
      "convert", "Convert a scene of another program to a Marrow scene, or frames of a run to other files");
  verb.add_option("file", arguments->path,
                  "IPC script (.txt, .ipc), rigid-ipc fixture or PolyFEM scene (.json), or run folder")
      .required()
      .file({".txt", ".ipc", ".json"});
  verb.add_option(
          "-o,--output", arguments->output,
          "Scene file to write; default: the input's name with .json, in the current folder. Of a run: a "
          "new folder, or a file .glb or .gltf")
      .file({".json", ".glb", ".gltf"});
  verb.add_option("--to", arguments->to, "Of a run, into a folder: vtu (default), obj or ply")
      .check(one_of({"vtu", "obj", "ply"}));
  verb.add_option("--frames", arguments->frames, "Of a run: which frames, counted from 0; default: all")
      .type_name("FIRST:LAST:EVERY");
  add_kind_option(verb, arguments->kind);
  verb.add_example("marrow convert script.txt -o scene.json", "turns an IPC script into a scene")
      .add_example("marrow convert out/first -o frames", "writes all frames of a run as VTU files");
  verb.set_action([arguments] { return convert(*arguments); });
}

}  // namespace marrow
