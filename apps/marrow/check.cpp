// marrow check: is it sound? A scene is read and built without running it; the surfaces of a mesh, a frame
// or every frame of a run are checked exactly for intersections, their tets for inversion
// (docs/models/checker.md).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "geometry/mesh_file.h"
#include "marrow/check_start.h"
#include "marrow/check_surfaces.h"
#include "marrow/verbs.h"
#include "output/pvd.h"
#include "output/run_folder.h"
#include "scene/build.h"
#include "scene/ipc_scene.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct CheckArguments {
  std::string path;
  std::vector<std::string> overrides;
  std::string write;  // where the offending elements go; empty: a name made from the input
  bool json = false;
};

constexpr size_t kShownPairs = 5;
constexpr size_t kJsonPairs = 1000;

Json to_json(const SurfaceElement& element) {
  Json vertices = Json::array();
  for (const Index v : element.vertices) {
    if (v != kNone) vertices.push_back(v);
  }
  return {
      {"kind", enum_name(element.kind)}, {"id", element.id}, {"body", element.body}, {"vertices", vertices}};
}

Json to_json(const StateReport& report) {
  Json pairs = Json::array();
  for (size_t i = 0; i < std::min(kJsonPairs, report.surfaces.pairs.size()); ++i) {
    const OffendingPair& pair = report.surfaces.pairs[i];
    pairs.push_back({{"a", to_json(pair.a)}, {"b", to_json(pair.b)}, {"undecided", pair.is_undecided}});
  }
  return {{"intersections", report.surfaces.intersections},
          {"undecided", report.surfaces.undecided},
          {"duplicates", report.surfaces.duplicates},
          {"not_finite", report.surfaces.not_finite.size()},
          {"inversions", report.tets.inverted.size()},
          {"flat", report.tets.flat.size()},
          {"pairs", pairs}};
}

void print_pairs(const IntersectionReport& report) {
  for (size_t i = 0; i < std::min(kShownPairs, report.pairs.size()); ++i) {
    fmt::print("  {}\n", describe_pair(report.pairs[i]));
  }
  if (report.pairs.size() > kShownPairs) {
    fmt::print("  and {} more\n", report.intersections + report.undecided - static_cast<long>(kShownPairs));
  }
}

// Writes what is wrong; returns the file's name, empty if there is nothing to show.
std::string write_report(const CheckArguments& arguments, const CheckedState& state,
                         const StateReport& report) {
  if (report.surfaces.pairs.empty()) return {};
  fs::path name = fs::path(arguments.path).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  const std::string path =
      arguments.write.empty() ? name.stem().string() + ".intersections.ply" : arguments.write;
  write_offenders(path, state.surfaces, report.surfaces);
  return path;
}

int check_scene(const CheckArguments& arguments) {
  std::vector<std::string> notices;
  const Scene scene = read_scene_or_script(arguments.path, arguments.overrides, notices);
  const BuiltScene built = build_scene(scene, arguments.path);
  const Model& model = built.model;
  size_t prescribed = 0;
  for (const PrescribedNodes& group : model.prescribed) prescribed += group.nodes.size();
  const auto [state, report] = check_start(built);
  const std::string written = write_report(arguments, state, report);
  const int code = report.is_clean() ? kExitOk : kExitIntersecting;
  if (arguments.json) {
    Json root = {{"scene", arguments.path},
                 {"bodies", model.kinematics.bodies.size()},
                 {"nodes", model.kinematics.node_count},
                 {"prescribed", prescribed},
                 {"elements", model.kinematics.elements.count()},
                 {"steps", model.step_count()},
                 {"step", model.time.step},
                 {"notices", notices}};
    root.update(to_json(report));
    if (!written.empty()) root["written"] = written;
    fmt::print("{}\n", root.dump(1));
    return code;
  }
  for (const std::string& notice : notices) fmt::print("Note: {}.\n", notice);
  fmt::print("{}: {}. {} bodies, {} nodes ({} prescribed), {} elements, {} steps of {:g} s.\n",
             arguments.path, report.is_clean() ? "good" : "at the start " + describe_report(report),
             model.kinematics.bodies.size(), model.kinematics.node_count, prescribed,
             model.kinematics.elements.count(), model.step_count(), model.time.step);
  const std::vector<OffendingPair>& pairs = report.surfaces.pairs;
  for (size_t i = 0; i < std::min(kShownPairs, pairs.size()); ++i) {
    fmt::print("  {}\n", describe_pair(pairs[i], model.kinematics));
  }
  if (pairs.size() > kShownPairs) fmt::print("  and {} more\n", pairs.size() - kShownPairs);
  if (!written.empty()) fmt::print("  written to {}\n", written);
  return code;
}

int check_one(const CheckArguments& arguments, const CheckedState& state) {
  const StateReport report = check_state(state);
  const std::string written = write_report(arguments, state, report);
  if (arguments.json) {
    Json root = {{"file", arguments.path},
                 {"points", state.surfaces.points.size()},
                 {"triangles", state.surfaces.triangles.size()},
                 {"edges", state.surfaces.edges.size()},
                 {"tets", state.tets.size()}};
    root.update(to_json(report));
    if (!written.empty()) root["written"] = written;
    fmt::print("{}\n", root.dump(1));
  } else {
    fmt::print("{}: {} ({} triangles, {} edges, {} loose points, {} tets)\n", arguments.path,
               describe_report(report), state.surfaces.triangles.size(), state.surfaces.edges.size(),
               state.surfaces.loose_points.size(), state.tets.size());
    print_pairs(report.surfaces);
    if (!written.empty()) fmt::print("  written to {}\n", written);
  }
  return report.is_clean() ? kExitOk : kExitIntersecting;
}

std::vector<PvdFrame> list_frames(const std::string& folder) {
  const std::string list = folder + "/run.pvd";
  std::vector<PvdFrame> frames = fs::exists(list) ? read_pvd(list) : std::vector<PvdFrame>();
  if (frames.empty()) {
    throw InputError({folder, 0, 0, {}}, "is a folder without frames to check",
                     "Name a mesh, a scene, or the folder given to `marrow run -o`; run with \"vtu\": true.");
  }
  return frames;
}

int check_run(const CheckArguments& arguments) {
  Json total = {
      {"run", arguments.path}, {"frames", 0},     {"intersections", 0}, {"undecided", 0},
      {"not_finite", 0},       {"inversions", 0}, {"flat", 0},          {"bad_frames", Json::array()}};
  std::string written;
  for (const PvdFrame& frame : list_frames(arguments.path)) {
    const CheckedState state = make_checked(read_vtu(arguments.path + "/" + frame.file));
    const StateReport report = check_state(state);
    Json counts = to_json(report);
    for (const char* key : {"intersections", "undecided", "not_finite", "inversions", "flat"}) {
      total[key] = total[key].get<std::int64_t>() + counts[key].get<std::int64_t>();
    }
    total["frames"] = total["frames"].get<int>() + 1;
    if (report.is_clean()) continue;
    if (written.empty()) written = write_report(arguments, state, report);
    if (!arguments.json) {
      fmt::print("{}/{}, time {:g} s: {}\n", arguments.path, frame.file, frame.time, describe_report(report));
      print_pairs(report.surfaces);
    }
    counts["file"] = frame.file;
    counts["time"] = frame.time;
    total["bad_frames"].push_back(std::move(counts));
  }
  const size_t bad = total["bad_frames"].size();
  if (!written.empty()) total["written"] = written;
  if (arguments.json) {
    fmt::print("{}\n", total.dump(1));
  } else {
    fmt::print("{}: {} of {} frames free of intersections and inverted tets\n", arguments.path,
               total["frames"].get<size_t>() - bad, total["frames"].get<size_t>());
    if (!written.empty()) fmt::print("  the first written to {}\n", written);
  }
  return bad == 0 ? kExitOk : kExitIntersecting;
}

int check_any(const CheckArguments& arguments) {
  std::string extension = fs::path(arguments.path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  const std::vector<std::string>& meshes = mesh_extensions();
  if (fs::is_directory(arguments.path)) return check_run(arguments);
  if (extension == ".vtu") return check_one(arguments, make_checked(read_vtu(arguments.path)));
  if (std::count(meshes.begin(), meshes.end(), extension) > 0) {
    return check_one(arguments, make_checked(read_mesh(arguments.path)));
  }
  return check_scene(arguments);
}

}  // namespace

void add_check_verb(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* verb = app.add_subcommand(
      "check", "Check a scene without running it; a mesh, a frame or a run exactly for intersections");
  verb->add_option("file", arguments->path, "Scene (JSON or IPC script), mesh, frame (.vtu) or run folder")
      ->required();
  verb->add_option("--set", arguments->overrides, "Change a value of the scene: --set time.step=0.02")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--write", arguments->write,
                   "Mesh file for the offending elements; default <name>.intersections.ply in this folder")
      ->type_name("FILE");
  verb->add_flag("--json", arguments->json, "Print one JSON object");
  verb->callback([arguments, &action] { action = [arguments] { return check_any(*arguments); }; });
}

}  // namespace marrow
