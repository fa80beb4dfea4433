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
#include "core/file.h"
#include "core/text.h"
#include "marrow/check_surfaces.h"
#include "marrow/console.h"
#include "marrow/curved_words.h"
#include "marrow/model_words.h"
#include "marrow/verbs.h"
#include "mesh/io/mesh_file.h"
#include "run/output_file.h"
#include "run/part_scene.h"
#include "run/scene_notes.h"
#include "scene/build/build.h"
#include "scene/import/import_scene.h"
#include "sim/start/check_start.h"
#include "sim/start/describe_found.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The bodies that meet, with the moves that part them.
Json list_meeting(const StartReport& start, const Kinematics& kinematics) {
  Json list = Json::array();
  const auto name = [&](Index b) { return kinematics.bodies[static_cast<size_t>(b)].name; };
  for (const MeetingBodies& pair : start.meeting) {
    Json entry = {{"a", name(pair.a)}, {"b", name(pair.b)}, {"joined", pair.is_joined}};
    if (pair.depth) entry["depth"] = *pair.depth;
    if (pair.mover != kNone) {
      entry["body"] = name(pair.mover);
      entry["move"] = {pair.move.x(), pair.move.y(), pair.move.z()};
    }
    list.push_back(entry);
  }
  return list;
}

std::string describe_size(const Model& model) {
  size_t prescribed = 0;
  for (const PrescribedNodes& group : model.prescribed) prescribed += group.nodes.size();
  return fmt::format("{}, {}{} of {:g} s", describe_counts(model.kinematics),
                     prescribed > 0 ? fmt::format("{} prescribed nodes, ", prescribed) : std::string(),
                     format_count(model.step_count(), "step", "steps"), model.time.step);
}

Json describe_scene_json(const CheckArguments& arguments, const Model& model, const StartReport& start,
                         const std::vector<std::string>& notices) {
  size_t prescribed = 0;
  for (const PrescribedNodes& group : model.prescribed) prescribed += group.nodes.size();
  Json root = {{"scene", arguments.path},
               {"bodies", model.kinematics.bodies.size()},
               {"nodes", model.kinematics.node_count},
               {"prescribed", prescribed},
               {"elements", model.kinematics.elements.count()},
               {"steps", model.step_count()},
               {"step", model.time.step},
               {"notices", notices},
               {"meeting", list_meeting(start, model.kinematics)}};
  Json curved = Json::array();
  for (const CurvedBodyFacts& facts : list_curved_bodies(model.kinematics, model.initial_nodes)) {
    curved.push_back({{"body", model.kinematics.bodies[static_cast<size_t>(facts.body)].name},
                      {"order", facts.order},
                      {"tets", facts.tets},
                      {"cells", facts.cells},
                      {"deviation", facts.cells > 0 ? Json(facts.deviation) : Json()}});
  }
  if (!curved.empty()) root["curved"] = std::move(curved);
  root.update(to_json(start.found, &model.kinematics));
  return root;
}

Scene read_checked_scene(const CheckArguments& arguments, std::vector<std::string>& notices) {
  Scene scene = read_scene_or_import(arguments.path, arguments.overrides, {}, notices);
  if (arguments.is_strict) scene.strict = true;
  return scene;
}

int check_scene(const CheckArguments& arguments) {
  std::vector<std::string> notices;
  const Scene scene = read_checked_scene(arguments, notices);
  if (!arguments.write.empty()) check_not_input(arguments.write, list_input_files(arguments.path, scene));
  const BuiltScene built = build_scene(scene, arguments.path);
  const Model& model = built.model;
  const StartReport start = check_start(model, built.state);
  const WitnessReport& report = start.found;
  const std::string written = write_offenders(arguments, start.witness.surfaces(), report.surfaces);
  const int code = report.is_clean() ? kExitOk : kExitIntersecting;
  const std::optional<StartProblem> problem = find_start_problem(start, model.kinematics);
  const std::string part = problem && problem->can_be_parted ? describe_part_command(arguments.path) : "";
  if (problem && report.is_clean()) {
    throw InputError({arguments.path, 0, 0, {}}, problem->problem, problem->advice + " " + part);
  }
  notices.insert(notices.end(), built.notes.begin(), built.notes.end());
  for (const std::string& note : list_scene_notes(scene, model)) notices.push_back(note);
  for (const std::string& note : list_fall_notes(scene, model)) notices.push_back(note);
  for (const std::string& note : list_start_notes(start, model.kinematics)) notices.push_back(note);
  if (arguments.json) {
    Json root = describe_scene_json(arguments, model, start, notices);
    if (!written.empty()) root["written"] = written;
    fmt::print("{}\n", root.dump(1));
    return code;
  }
  for (const std::string& notice : notices) fmt::print("Note: {}.\n", notice);
  if (!problem) {
    fmt::print("{}: good. {}.\n", arguments.path, describe_size(model));
    for (const CurvedBodyFacts& facts : list_curved_bodies(model.kinematics, model.initial_nodes)) {
      fmt::print("  {}: {}\n", model.kinematics.bodies[static_cast<size_t>(facts.body)].name,
                 describe_curved_body(facts));
    }
    return code;
  }
  fmt::print("{}: {}\n{}\n", arguments.path, problem->problem, problem->advice);
  if (!part.empty()) fmt::print("{}\n", part);
  fmt::print("{}.\n", describe_size(model));
  print_pairs(report.surfaces, &model.kinematics);
  if (!written.empty()) fmt::print("  offending elements written to {}\n", written);
  return code;
}

// Moves bodies apart, writes the scene that results, and says whether it can start.
int part_bodies(const CheckArguments& arguments) {
  std::vector<std::string> notices;
  const Scene scene = read_checked_scene(arguments, notices);
  const std::string target =
      arguments.parted.empty() ? fs::path(arguments.path).stem().string() + "_apart.json" : arguments.parted;
  check_output(target, list_input_files(arguments.path, scene), {".json"});
  const PartedScene parted = part_scene(scene, build_scene(scene, arguments.path));
  const BuiltScene built = build_scene(parted.scene, arguments.path);
  const StartReport start = check_start(built.model, built.state);
  const std::optional<StartProblem> problem = find_start_problem(start, built.model.kinematics);
  write_file(target, format_parted_scene(parted.scene, arguments.path, target));
  for (const BodyMove& move : parted.moves) {
    fmt::print("\"{}\" moved by [{:.4g}, {:.4g}, {:.4g}] m, to [{:.9g}, {:.9g}, {:.9g}]\n", move.body,
               move.move.x() + 0.0, move.move.y() + 0.0, move.move.z() + 0.0, move.position.x(),
               move.position.y(), move.position.z());
  }
  for (const std::string& sentence : parted.left) fmt::print("{}.\n", sentence);
  fmt::print("{}: {}, {}.\n", target,
             parted.moves.empty()
                 ? "nothing moved"
                 : format_count(static_cast<long>(parted.moves.size()), "body moved", "bodies moved"),
             problem ? "and it still cannot start" : "good");
  if (problem) fmt::print("{}\n{}\n", problem->problem, problem->advice);
  return problem ? kExitIntersecting : kExitOk;
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
    return check_one(arguments, make_witness(read_curved_file(arguments.path)));
  }
  return check_scene(arguments);
}

bool is_scene(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  const std::vector<std::string>& meshes = mesh_extensions();
  return !fs::is_directory(path) && extension != ".vtu" &&
         std::count(meshes.begin(), meshes.end(), extension) == 0;
}

int act(const CheckArguments& arguments) {
  if (!arguments.parts) return check_any(arguments);
  if (!is_scene(arguments.path)) throw UsageError("--part", "is for scenes, and this is none");
  return part_bodies(arguments);
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
  const Option json = verb.add_flag("--json", arguments->json, "Print one JSON object");
  const Option parts = verb.add_flag("--part", arguments->parts,
                                     "Move bodies of a scene apart that touch or overlap, by as little as "
                                     "possible, and write the scene to another file")
                           .excludes(json);
  verb.add_option("-o,--output", arguments->parted, "With --part: the file; default <name>_apart.json")
      .type_name("FILE")
      .needs(parts);
  verb.add_flag("--strict", arguments->is_strict,
                "Refuse meshes with small faults instead of mending them (strict)");
  verb.add_example("marrow check scene.json", "says whether the scene can start, without running it")
      .add_example("marrow check scene.json --part -o apart.json",
                   "moves bodies apart that touch at the start")
      .add_example("marrow check out/first", "checks every frame of a run exactly")
      .add_example("marrow check bunny.obj", "says where a mesh intersects itself");
  verb.set_action([arguments] { return act(*arguments); });
}

}  // namespace marrow
