// marrow check: is it sound? A scene is read and built without running it; the surfaces of a mesh, a frame
// or every frame of a run are checked exactly for intersections, their tets for inversion
// (docs/models/checker.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/activity.h"
#include "core/error.h"
#include "marrow/check_surfaces.h"
#include "marrow/console.h"
#include "marrow/model_words.h"
#include "marrow/verbs.h"
#include "mesh/io/mesh_file.h"
#include "run/output_file.h"
#include "scene/build/build.h"
#include "scene/import/import_scene.h"
#include "sim/start/check_start.h"
#include "sim/start/describe_found.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

int check_scene(const CheckArguments& arguments) {
  std::vector<std::string> notices;
  const Scene scene = read_scene_or_import(arguments.path, arguments.overrides, {}, notices);
  if (!arguments.write.empty()) check_not_input(arguments.write, list_input_files(arguments.path, scene));
  const BuiltScene built = build_scene(scene, arguments.path);
  const Model& model = built.model;
  size_t prescribed = 0;
  for (const PrescribedNodes& group : model.prescribed) prescribed += group.nodes.size();
  const StartReport start = check_start(model, built.state);
  const WitnessReport& report = start.found;
  const std::string written = write_offenders(arguments, start.witness.surfaces(), report.surfaces);
  const int code = report.is_clean() ? kExitOk : kExitIntersecting;
  if (report.is_clean() && !start.has_room()) {
    const StartProblem found = *find_start_problem(start, model.kinematics);
    throw InputError({arguments.path, 0, 0, {}}, found.problem, found.advice);
  }
  for (const std::string& note : list_start_notes(start, model.kinematics)) notices.push_back(note);
  if (arguments.json) {
    Json root = {{"scene", arguments.path},
                 {"bodies", model.kinematics.bodies.size()},
                 {"nodes", model.kinematics.node_count},
                 {"prescribed", prescribed},
                 {"elements", model.kinematics.elements.count()},
                 {"steps", model.step_count()},
                 {"step", model.time.step},
                 {"notices", notices}};
    root.update(to_json(report, &model.kinematics));
    if (!written.empty()) root["written"] = written;
    fmt::print("{}\n", root.dump(1));
    return code;
  }
  for (const std::string& notice : notices) fmt::print("Note: {}.\n", notice);
  fmt::print("{}: {}. {}, {}{} of {:g} s.\n", arguments.path,
             report.is_clean() ? "good" : "at the start " + describe_report(report),
             describe_counts(model.kinematics),
             prescribed > 0 ? fmt::format("{} prescribed nodes, ", prescribed) : std::string(),
             format_count(model.step_count(), "step", "steps"), model.time.step);
  print_pairs(report.surfaces, &model.kinematics);
  if (!written.empty()) fmt::print("  offending elements written to {}\n", written);
  return code;
}

int check_one(const CheckArguments& arguments, const Witness& witness) {
  std::optional<Activity> activity(std::in_place, "looking for intersections in " + arguments.path);
  const WitnessReport report = witness.check();
  activity.reset();
  const SurfaceSet& surfaces = witness.surfaces();
  const std::string written = write_offenders(arguments, surfaces, report.surfaces);
  if (arguments.json) {
    Json root = {{"file", arguments.path},
                 {"points", surfaces.points.size()},
                 {"triangles", surfaces.triangles.size()},
                 {"edges", surfaces.edges.size()},
                 {"tets", witness.tets().size()}};
    root.update(to_json(report, nullptr));
    if (!written.empty()) root["written"] = written;
    fmt::print("{}\n", root.dump(1));
  } else {
    fmt::print("{}: {} ({} triangles, {} edges, {} loose points, {} tets)\n", arguments.path,
               describe_report(report), surfaces.triangles.size(), surfaces.edges.size(),
               surfaces.loose_points.size(), witness.tets().size());
    print_pairs(report.surfaces, nullptr);
    if (!written.empty()) fmt::print("  offending elements written to {}\n", written);
  }
  return report.is_clean() ? kExitOk : kExitIntersecting;
}

int check_any(const CheckArguments& arguments) {
  if (!arguments.write.empty()) check_not_input(arguments.write, {arguments.path});
  std::string extension = fs::path(arguments.path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const std::vector<std::string>& meshes = mesh_extensions();
  if (fs::is_directory(arguments.path)) return print_run_check(arguments);
  if (extension == ".vtu") return check_one(arguments, make_witness(read_vtu(arguments.path)));
  if (std::count(meshes.begin(), meshes.end(), extension) > 0) {
    return check_one(arguments, make_witness(read_mesh(arguments.path)));
  }
  return check_scene(arguments);
}

}  // namespace

void add_check_verb(Verb root) {
  auto arguments = std::make_shared<CheckArguments>();
  const Verb verb =
      root.add_verb("check", "Check a scene, or a mesh, a frame or a run for intersections (exactly)");
  verb.add_option("file", arguments->path, "Scene (JSON or IPC script), mesh, frame (.vtu) or run folder")
      .required()
      .file();
  verb.add_option("--set", arguments->overrides, "Change a value of the scene: --set time.step=0.02")
      .type_name("KEY=VALUE")
      .take_one();
  verb.add_option(
          "--write", arguments->write,
          "Mesh file for the offending elements; default <name>.intersections.ply in the current folder")
      .type_name("FILE");
  verb.add_flag("--json", arguments->json, "Print one JSON object");
  verb.add_example("marrow check scene.json", "says whether the scene can start, without running it")
      .add_example("marrow check out/first", "checks every frame of a run exactly")
      .add_example("marrow check bunny.obj", "says where a mesh intersects itself");
  verb.set_action([arguments] { return check_any(*arguments); });
}

}  // namespace marrow
