// marrow prepare repair MESH and marrow prepare hull MESH: surfaces that bodies can be made of.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/file.h"
#include "core/text.h"
#include "marrow/prepare.h"
#include "mesh/io/mesh_file.h"
#include "mesh/io/obj_details.h"
#include "mesh/mend.h"
#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "preprocess/volume/convex_hull.h"
#include "preprocess/volume/fill_holes.h"
#include "run/output_file.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

struct SurfaceArguments {
  std::string mesh;
  std::string output;
  int most_edges = 100;
  bool json = false;
};

std::string choose_surface_output(const SurfaceArguments& arguments, const char* what) {
  const std::string output = arguments.output.empty()
                                 ? std::filesystem::path(arguments.mesh).stem().string() + "_" + what + ".obj"
                                 : arguments.output;
  check_output(output, {arguments.mesh}, {".obj", ".stl", ".ply", ".off", ".msh", ".vtk"});
  return output;
}

// Prints what was done and what the surface is now.
void print_surface(const SurfaceArguments& arguments, const std::string& output, const Mesh& mesh,
                   const std::vector<std::string>& notes) {
  const MeshSummary summary = summarize(mesh);
  if (arguments.json) {
    const Json root = {{"mesh", arguments.mesh},
                       {"output", output},
                       {"points", summary.points},
                       {"triangles", summary.triangles},
                       {"closed", summary.closed && summary.manifold},
                       {"volume", summary.volume},
                       {"notes", notes}};
    fmt::print("{}\n", root.dump(1));
    return;
  }
  for (const std::string& note : notes) fmt::print("Note: {}.\n", note);
  const std::string state = !summary.closed || !summary.manifold
                                ? "not closed"
                                : fmt::format("closed, volume {:.6g} m³", summary.volume);
  fmt::print("{}: {}, {}, {}\n", output, format_count(summary.points, "point", "points"),
             format_count(summary.triangles, "triangle", "triangles"), state);
}

int run_repair(const SurfaceArguments& arguments) {
  const std::string output = choose_surface_output(arguments, "repaired");
  Mesh mesh = read_mesh(arguments.mesh);
  std::vector<int> lines;
  if (mesh_format_of(arguments.mesh) == MeshFormat::Obj)
    lines = read_obj_details(read_file(arguments.mesh)).lines;
  const auto line_of = [&](Index t) {
    return static_cast<size_t>(t) < lines.size() ? lines[static_cast<size_t>(t)] : 0;
  };
  std::vector<std::string> notes;
  for (const FaultText& text : describe_faults(mend_mesh(mesh, false), line_of)) {
    notes.push_back(text.fault + ": " + text.cure);
  }
  if (mesh.tets.empty() && !mesh.triangles.empty()) {
    const HoleReport holes = fill_holes(mesh, static_cast<size_t>(arguments.most_edges));
    if (holes.closed > 0) {
      notes.push_back(fmt::format("{} closed with {}",
                                  format_count(static_cast<long>(holes.closed), "hole", "holes"),
                                  format_count(static_cast<long>(holes.triangles), "triangle", "triangles")));
    }
    if (holes.left > 0) {
      notes.push_back(fmt::format("{} left, the largest with {} edges: --holes {} closes {}",
                                  format_count(static_cast<long>(holes.left), "hole is", "holes are"),
                                  holes.largest, holes.largest, holes.left == 1 ? "it" : "them"));
    } else if (holes.open_edges > 0) {
      notes.push_back(fmt::format(
          "{} not in two triangles: sheets meet there, or holes in a point. `marrow prepare tet --lattice` "
          "takes such a surface, and so does \"surface\": \"carried\"",
          format_count(static_cast<long>(holes.open_edges), "edge lies", "edges lie")));
    }
    // New triangles may show which side is outside.
    for (const FaultText& text : describe_faults(mend_mesh(mesh, false), {})) {
      notes.push_back("then: " + text.fault + ": " + text.cure);
    }
  }
  check_mesh(mesh, arguments.mesh);
  write_mesh(output, mesh);
  print_surface(arguments, output, mesh, notes);
  return kExitOk;
}

int run_hull(const SurfaceArguments& arguments) {
  const std::string output = choose_surface_output(arguments, "hull");
  const Mesh hull = build_convex_hull(read_mesh(arguments.mesh).points, arguments.mesh);
  write_mesh(output, hull);
  print_surface(arguments, output, hull, {});
  return kExitOk;
}

}  // namespace

void add_prepare_repair(Verb prepare_verb) {
  auto a = std::make_shared<SurfaceArguments>();
  const Verb repair = prepare_verb.add_verb(
      "repair", "Mend a surface: double or flat triangles, equal points, sides, small holes");
  repair.add_option("mesh", a->mesh, "Surface").required();
  repair.add_option("-o,--output", a->output, "File to write; default <name>_repaired.obj");
  repair.add_option("--holes", a->most_edges, "Close holes with at most this many edges; 0 closes none")
      .check(whole(0, 2000))
      .show_default();
  repair.add_flag("--json", a->json, "Print one JSON object");
  repair.add_example("marrow prepare repair scan.obj -o closed.obj", "mends small faults and closes holes");
  repair.set_action([a] { return run_repair(*a); });

  auto b = std::make_shared<SurfaceArguments>();
  const Verb hull = prepare_verb.add_verb("hull", "Make the convex hull of a mesh's points");
  hull.add_option("mesh", b->mesh, "Any mesh").required();
  hull.add_option("-o,--output", b->output, "File to write; default <name>_hull.obj");
  hull.add_flag("--json", b->json, "Print one JSON object");
  hull.add_example("marrow prepare hull bunny.obj -o hull.obj", "wraps a mesh in its convex hull");
  hull.set_action([b] { return run_hull(*b); });
}

}  // namespace marrow
