#include "marrow/view_source.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/curved_file.h"
#include "mesh/surface.h"
#include "output/frames/overlays.h"
#include "output/run/run_folder.h"
#include "output/vtk/vtu.h"
#include "run/found_surfaces.h"
#include "run/scene_look.h"
#include "scene/build/build.h"
#include "scene/build/build_curved.h"
#include "scene/import/import_scene.h"
#include "sim/start/check_start.h"
#include "sim/start/describe_found.h"
#include "view/marks.h"

namespace marrow {
namespace {

// Bodies are not named in a frame, only numbered.
std::unique_ptr<RunSource> open_frame(const std::string& path) {
  const VtuFrame read = read_vtu(path);
  OutputTopology topology;
  for (const VtuFrame::Data& data : read.point_data) {
    if (data.name != "body" || data.values.size() != read.points.size()) continue;
    for (size_t i = 0; i < data.values.size(); ++i) {
      const auto body = static_cast<size_t>(data.values[i]);
      if (topology.bodies.size() <= body) topology.bodies.resize(body + 1);
      OutputBody& b = topology.bodies[body];
      if (b.point_count++ == 0) b.first_point = static_cast<Index>(i);
    }
  }
  for (size_t b = 0; b < topology.bodies.size(); ++b) {
    topology.bodies[b].name = "body " + std::to_string(b);
    topology.bodies[b].kind = "unknown";
  }
  topology.tets = read.tets;
  topology.edges = read.edges;
  topology.triangles = extract_surface(read.tets);
  topology.triangles.insert(topology.triangles.end(), read.triangles.begin(), read.triangles.end());
  Frame frame;
  frame.step = read.step;
  frame.time = read.time;
  frame.points = read.points;
  for (const VtuFrame::Data& data : read.point_data) {
    if (data.components == 1 && data.name != "body") frame.point_scalars.push_back({data.name, data.values});
  }
  return RunSource::from_frame(path, topology, frame);
}

// The start of a scene, with what the start check finds.
ViewedSource open_scene(const std::string& path, const std::vector<std::string>& overrides) {
  ViewedSource viewed;
  const Scene scene = read_scene_or_import(path, overrides, {}, viewed.notes);
  const BuiltScene built = build_scene(scene, path);
  viewed.notes.insert(viewed.notes.end(), built.notes.begin(), built.notes.end());
  const Model& model = built.model;
  const StartReport start = check_start(model, built.state);
  if (!start.found.is_clean()) {
    viewed.marks = parse_marks(to_json(start.found, &model.kinematics).dump(), path);
    viewed.notes.push_back("at the start " + describe_report(start.found) + "; they are marked");
  } else if (const auto problem = find_start_problem(start, model.kinematics)) {
    viewed.notes.push_back(problem->problem);
  } else {
    const std::vector<std::string> more = list_start_notes(start, model.kinematics);
    viewed.notes.insert(viewed.notes.end(), more.begin(), more.end());
  }
  Points points;
  compute_points(model.kinematics, built.state.nodes, points);
  Frame frame;
  frame.points = points;
  frame.overlays.push_back(make_handles(model, built.state));
  add_balls(model, points, frame.overlays);
  if (!model.joints.empty()) frame.overlays.push_back(make_joints(model, built.state));
  const std::string name = scene.name.empty() ? std::filesystem::path(path).filename().string() : scene.name;
  viewed.source = RunSource::from_frame(name, make_topology(model.kinematics, describe_look(scene)), frame);
  return viewed;
}

bool is_scene(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  const std::vector<std::string>& meshes = mesh_extensions();
  return std::find(meshes.begin(), meshes.end(), extension) == meshes.end() &&
         (extension == ".json" || is_foreign_scene(path));
}

}  // namespace

ViewedSource open_source(const std::string& path, const std::vector<std::string>& overrides) {
  if (!is_folder(path) && !is_file(path))
    throw InputError({path, 0, 0, {}}, "does not exist", "Check the name.");
  if (is_file(path) && is_scene(path)) return open_scene(path, overrides);
  if (!overrides.empty()) {
    throw InputError({path, 0, 0, {}}, "is not a scene, so --set changes nothing",
                     "Name a scene, or remove --set.");
  }
  ViewedSource viewed;
  if (is_folder(path)) {
    viewed.source = RunSource::open_folder(path);
  } else if (std::filesystem::path(path).extension() == ".vtu") {
    viewed.source = open_frame(path);
  } else {
    const CurvedFile file = read_curved_file(path);
    const Mesh mesh = file.is_curved()
                          ? cut_surface({file.order, file.mesh.points, file.tet_nodes}, file.order)
                          : file.mesh;
    viewed.source = RunSource::from_mesh(path, mesh);
  }
  return viewed;
}

}  // namespace marrow
