#include "run/found_surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text.h"
#include "mesh/io/mesh_file.h"
#include "sim/start/describe_found.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kJsonPairs = 1000;

template <class Element>
void mark(const std::vector<Element>& elements, std::vector<char>& used) {
  for (const Element& element : elements) {
    for (const Index v : element) used[static_cast<size_t>(v)] = 1;
  }
}

std::vector<Index> find_unused(const Mesh& mesh) {
  std::vector<char> used(mesh.points.size(), 0);
  mark(mesh.edges, used);
  mark(mesh.triangles, used);
  mark(mesh.tets, used);
  std::vector<Index> unused;
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i] == 0) unused.push_back(static_cast<Index>(i));
  }
  return unused;
}

Json element_to_json(const SurfaceElement& element, const Kinematics* kinematics) {
  Json vertices = Json::array();
  for (const Index v : element.vertices) {
    if (v != kNone) vertices.push_back(v);
  }
  Json json = {
      {"kind", enum_name(element.kind)}, {"id", element.id}, {"body", element.body}, {"vertices", vertices}};
  if (kinematics == nullptr) return json;
  const Body& body = kinematics->bodies[static_cast<size_t>(element.body)];
  json["name"] = body.name;
  json["points"] = list_own_points(element, body);
  return json;
}

}  // namespace

Witness make_witness(Mesh mesh) {
  SurfaceSet surfaces;
  surfaces.loose_points = find_unused(mesh);
  surfaces.triangles = unite_surfaces(mesh.tets, mesh.triangles);
  surfaces.points = std::move(mesh.points);
  surfaces.edges = std::move(mesh.edges);
  surfaces.radii = std::move(mesh.radii);
  return Witness({std::move(surfaces), std::move(mesh.tets)});
}

Witness make_witness(const VtuFrame& frame) {
  SurfaceSet surfaces;
  surfaces.points = frame.points;
  surfaces.triangles = unite_surfaces(frame.tets, frame.triangles);
  surfaces.edges = frame.edges;
  surfaces.loose_points = frame.vertices;
  for (const VtuFrame::Data& data : frame.point_data) {
    if (data.name != "body" || data.values.size() != frame.points.size()) continue;
    for (const double body : data.values) surfaces.bodies.push_back(static_cast<Index>(body));
  }
  WitnessedBodies bodies{std::move(surfaces), frame.tets};
  for (const VtuFrame::Curved& tets : frame.curved) bodies.curved.push_back({tets.order, tets.nodes});
  Witness witness(std::move(bodies));
  witness.move_to(frame.points, frame.nodes);
  return witness;
}

Witness make_witness(CurvedFile file) {
  if (!file.is_curved()) return make_witness(std::move(file.mesh));
  CurvedMesh volume{file.order, std::move(file.mesh.points), std::move(file.tet_nodes)};
  CurvedShape shape = make_curved_shape(std::move(volume), file.order, false);
  SurfaceSet surfaces;
  surfaces.triangles = std::move(shape.surface.triangles);
  Witness witness({std::move(surfaces), {}, {{file.order, std::move(shape.volume.tets)}}});
  witness.move_to(shape.surface.points, std::move(shape.volume.nodes));
  return witness;
}

nlohmann::ordered_json to_json(const WitnessReport& report, const Kinematics* kinematics) {
  Json pairs = Json::array();
  for (size_t i = 0; i < std::min(kJsonPairs, report.surfaces.pairs.size()); ++i) {
    const OffendingPair& pair = report.surfaces.pairs[i];
    pairs.push_back({{"a", element_to_json(pair.a, kinematics)},
                     {"b", element_to_json(pair.b, kinematics)},
                     {"undecided", pair.is_undecided}});
  }
  Json curved = Json::array();
  for (size_t i = 0; i < std::min(kJsonPairs, report.tets.curved.size()); ++i) {
    const CurvedInversion& one = report.tets.curved[i];
    curved.push_back({{"tet", one.tet},
                      {"barycentric", std::vector<double>(one.place.begin(), one.place.end())},
                      {"undecided", one.is_undecided}});
  }
  return {{"intersections", report.surfaces.intersections},
          {"undecided", report.surfaces.undecided},
          {"duplicates", report.surfaces.duplicates},
          {"not_finite", report.surfaces.not_finite.size()},
          {"inversions", report.tets.inverted.size() + report.tets.curved.size()},
          {"flat", report.tets.flat.size()},
          {"curved_tets", curved},
          {"pairs", pairs}};
}

void write_offenders(const std::string& path, const SurfaceSet& surfaces, const IntersectionReport& report) {
  write_mesh(path, collect_offenders(surfaces, report));
}

std::string describe_part_command(const std::string& scene_path) {
  const std::string stem = std::filesystem::path(scene_path).stem().string();
  return fmt::format("This moves all bodies apart: `marrow check {} --part -o {}`.",
                     quote_for_shell(scene_path), quote_for_shell(stem + "_apart.json"));
}

StartReport require_clean_start(const Model& model, const State& state, const std::string& scene_path,
                                const std::string& mesh_path) {
  StartReport start = check_start(model, state);
  const std::optional<StartProblem> found = find_start_problem(start, model.kinematics);
  if (!found) return start;
  std::string advice = found->advice;
  if (found->can_be_parted) advice += " " + describe_part_command(scene_path);
  if (!start.found.surfaces.pairs.empty()) {
    write_offenders(mesh_path, start.witness.surfaces(), start.found.surfaces);
    advice += fmt::format(" The offending elements are written to {}.", mesh_path);
  }
  throw InputError({scene_path, 0, 0, {}}, found->problem, advice);
}

}  // namespace marrow
