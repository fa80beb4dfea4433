// marrow prepare medial MESH: a reduced body from a surface (docs/models/medial.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/file.h"
#include "marrow/console.h"
#include "marrow/prepare.h"
#include "mesh/io/mesh_file.h"
#include "mesh/point_box.h"
#include "output/gltf/meshes.h"
#include "preprocess/medial/medial_file.h"
#include "preprocess/medial/tessellate_medial.h"
#include "preprocess/medial_body/measure_bounds.h"
#include "run/output_file.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct MedialArguments {
  std::string mesh;
  std::string output;
  std::string medial;   // a medial mesh made elsewhere
  std::string ma;       // where to write the medial mesh
  std::string picture;  // where to write the glTF
  MedialOptions options;
  std::vector<double> extra;   // x y z of each
  std::vector<double> anchor;  // a box
  bool json = false;
};

Json to_json(const BoundReport& bounds) {
  return {{"rest", bounds.rest},     {"bent", bounds.bent},           {"measured", bounds.measured},
          {"points", bounds.points}, {"outside", bounds.outside},     {"primitives", bounds.primitives},
          {"pairs", bounds.pairs},   {"neighbors", bounds.neighbors}, {"overlaps", bounds.overlaps}};
}

Json to_json(const MedialArguments& arguments, const MedialReport& report, const BoundReport& bounds) {
  Json stages = Json::object();
  for (const auto& [stage, seconds] : report.seconds) stages[stage] = seconds;
  return {{"mesh", arguments.mesh},
          {"output", arguments.output},
          {"handles", report.handles},
          {"mean_error", report.mean_error},
          {"max_error", report.max_error},
          {"fitted_mean_error", report.fitted_mean_error},
          {"enclosed", report.enclosed},
          {"enclosed_triangles", report.enclosed_triangles},
          {"spheres", report.spheres},
          {"cones", report.cones},
          {"slabs", report.slabs},
          {"samples", report.samples},
          {"axis_vertices", report.axis_vertices},
          {"volume_points", report.volume_points},
          {"tets", report.tets},
          {"handles_per_point", report.handles_per_point},
          {"bounds", to_json(bounds)},
          {"seconds", report.total_seconds()},
          {"stages", stages},
          {"notes", report.notes}};
}

// What bounding and culling will do.
void print_bounds(const BoundReport& bounds) {
  fmt::print(
      "  bounds       {:.2f} % of the largest side from the surface; bent by 90 degrees {:.2f} %, {:.2f} % "
      "if every "
      "point is looked at; {} of {} points outside\n",
      100 * bounds.rest, 100 * bounds.bent, 100 * bounds.measured, bounds.outside, bounds.points);
  fmt::print("  culling      {} of {} pairs of primitives share a sphere, {} more overlap when it is bent\n",
             bounds.neighbors, bounds.pairs, bounds.overlaps);
}

void print_report(const MedialArguments& arguments, const MedialReport& report, const BoundReport& bounds) {
  for (const std::string& note : report.notes) fmt::print("Note: {}.\n", note);
  fmt::print("{}: {} ({} spheres, {} cones, {} slabs) from {} vertices of the medial axis\n",
             arguments.output, format_count(report.handles, "handle", "handles"), report.spheres,
             report.cones, report.slabs, report.axis_vertices);
  fmt::print("  distance     mean {:.3f} %, max {:.2f} % of the box diagonal ({:.3f} % before enlarging)\n",
             100 * report.mean_error, 100 * report.max_error, 100 * report.fitted_mean_error);
  fmt::print(
      "  enclosed     {:.2f} % of the surface's vertices, {:.2f} % of its triangles in one primitive\n",
      100 * report.enclosed, 100 * report.enclosed_triangles);
  fmt::print("  weights      {} points, {} tets, {:.1f} handles per point\n", report.volume_points,
             report.tets, report.handles_per_point);
  print_bounds(bounds);
  fmt::print("  time         {:.2f} s\n", report.total_seconds());
  for (const auto& [stage, seconds] : report.seconds) fmt::print("    {:<24} {:.2f} s\n", stage, seconds);
}

void write_picture(const std::string& path, const PreparedMedial& prepared) {
  const double spacing = compute_diagonal(prepared.surface.points) / 80;
  Mesh spheres = prepared.medial;
  spheres.edges.clear();
  spheres.triangles.clear();
  Mesh skeleton = prepared.medial;
  skeleton.triangles.clear();
  write_file(path, format_gltf_meshes(
                       {{"surface", prepared.surface, {0.7, 0.7, 0.75, 0.35}},
                        {"medial solid", tessellate_medial(prepared.medial, spacing), {0.35, 0.6, 0.85, 1}},
                        {"spheres", tessellate_primitives(spheres, spacing), {0.9, 0.55, 0.25, 1}},
                        {"medial mesh", skeleton, {0.1, 0.1, 0.1, 1}}}));
}

// The points of the mesh's surface in the box.
void select_anchors(const Mesh& mesh, MedialArguments& arguments) {
  if (arguments.anchor.empty()) return;
  const Vec3 lower(arguments.anchor[0], arguments.anchor[1], arguments.anchor[2]);
  const Vec3 upper(arguments.anchor[3], arguments.anchor[4], arguments.anchor[5]);
  Points& group = arguments.options.anchor_groups.emplace_back();
  for (const Vec3& x : mesh.points) {
    if ((x.array() >= lower.array()).all() && (x.array() <= upper.array()).all()) group.push_back(x);
  }
  if (group.size() == mesh.points.size()) {
    throw InputError({arguments.mesh, 0, 0, {}}, "all points of the mesh are in the box of --anchor",
                     "Handles would move nothing. Give a smaller box.");
  }
  if (group.empty()) {
    throw InputError({arguments.mesh, 0, 0, {}}, "no point of the mesh is in the box of --anchor",
                     "Compare the box with that of the mesh, which `marrow info` prints.");
  }
}

// What would only be noticed when the work is done.
void check_outputs(const MedialArguments& arguments) {
  std::vector<std::string> taken = {arguments.mesh, arguments.medial};
  const auto check = [&](const std::string& path, const std::string& ending) {
    if (path.empty()) return;
    check_output(path, taken, {ending});
    taken.push_back(path);
  };
  check(arguments.output, ".medial");
  check(arguments.ma, ".ma");
  check(arguments.picture, ".glb");
}

void add_extra_handles(MedialArguments& arguments) {
  const std::vector<double>& numbers = arguments.extra;
  if (numbers.size() % 3 != 0) {
    throw InputError({arguments.mesh, 0, 0, {}},
                     fmt::format("--extra-handle has {} numbers, but needs three per handle", numbers.size()),
                     "Give X Y Z for each, for example --extra-handle 0 0.5 0.");
  }
  for (size_t i = 0; i < numbers.size(); i += 3) {
    arguments.options.extra_handles.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  }
}

int run_prepare_medial(MedialArguments arguments) {
  if (arguments.output.empty()) arguments.output = fs::path(arguments.mesh).stem().string() + ".medial";
  check_outputs(arguments);
  const Mesh mesh = read_mesh(arguments.mesh);
  select_anchors(mesh, arguments);
  add_extra_handles(arguments);
  MedialReport report;
  GivenMedial given;
  if (!arguments.medial.empty()) given = {read_mesh(arguments.medial), arguments.medial};
  const PreparedMedial prepared = prepare_medial(mesh, arguments.mesh, arguments.options, report,
                                                 arguments.medial.empty() ? nullptr : &given);
  write_medial(arguments.output, prepared);
  if (!arguments.ma.empty()) write_mesh(arguments.ma, prepared.medial);
  if (!arguments.picture.empty()) write_picture(arguments.picture, prepared);
  const BoundReport bounds = measure_bounds(prepared);
  if (arguments.json) {
    fmt::print("{}\n", to_json(arguments, report, bounds).dump(1));
  } else {
    print_report(arguments, report, bounds);
  }
  return kExitOk;
}

}  // namespace

void add_prepare_medial(Verb prepare_verb) {
  auto a = std::make_shared<MedialArguments>();
  const Verb kind =
      prepare_verb.add_verb("medial", "Make a medial mesh with weights, for bodies of kind medial");
  kind.add_option("mesh", a->mesh, "Closed surface, or a tet mesh").required();
  kind.add_option("-o,--output", a->output, "File to write; default <name>.medial").file({".medial"});
  const Option handles =
      kind.add_option("--handles", a->options.handles, "Number of handles, the vertices of the medial mesh")
          .check(whole());
  const Option target =
      kind.add_option("--target-error", a->options.target_error,
                      "Instead of --handles: largest mean distance between surface and medial "
                      "mesh, as a fraction of the box diagonal")
          .excludes(handles)
          .check(between(1e-6, 0.5));
  kind.add_option("--cells", a->options.cells,
                  "Lattice cells along the longest side, if the mesh has no tets")
      .check(whole(4, 400));
  kind.add_option("--weight-threshold", a->options.weight_threshold, "Weights below this are dropped")
      .check(between(0, 0.5));
  kind.add_option("--medial", a->medial, "Use this medial mesh (.ma, .mat) instead of making one")
      .file({".ma", ".mat"})
      .excludes(handles)
      .excludes(target);
  kind.add_option("--extra-handle", a->extra, "Add a handle at X Y Z")
      .take_groups_of(3)
      .type_name("X Y Z")
      .check(finite());
  kind.add_option("--anchor", a->anchor, "No handle moves the mesh points in this box")
      .take_exactly(6)
      .check(finite())
      .type_name("X0 Y0 Z0 X1 Y1 Z1");
  kind.add_option("--ma", a->ma, "Also write the medial mesh to this .ma file").file({".ma"});
  kind.add_option("--picture", a->picture, "Also write surface, medial mesh and spheres to this .glb file")
      .file({".glb"});
  kind.add_flag("--json", a->json, "Print one JSON object");
  kind.add_example("marrow prepare medial bunny.obj -o bunny.medial --handles 60",
                   "makes a reduced body that 60 handles deform");
  kind.set_action([a] { return run_prepare_medial(*a); });
}

}  // namespace marrow
