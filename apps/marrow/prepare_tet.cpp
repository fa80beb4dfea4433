// marrow prepare tet MESH: a tet mesh from a surface, conforming to it or a lattice around it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/activity.h"
#include "marrow/prepare.h"
#include "mesh/io/curved_file.h"
#include "mesh/mesh_summary.h"
#include "mesh/point_box.h"
#include "preprocess/volume/curve_tets.h"
#include "preprocess/volume/lattice.h"
#include "preprocess/volume/solid_surface.h"
#include "preprocess/volume/tet_mesher.h"
#include "run/output_file.h"

namespace marrow {
namespace {

using Json = nlohmann::ordered_json;

struct TetArguments {
  std::string mesh;
  std::string output;
  bool lattice = false;
  int cells = 32;
  TetMesherOptions mesher;
  int order = 1;
  bool json = false;
};

struct TetReport {
  std::vector<std::string> notes;
  bool is_lattice = false;
  bool is_closed = true;
  double filled = 1;  // of a lattice: the part of its volume that is inside the surface; 1 if that is open
  CurvedTetsReport curved;
};

Mesh make_lattice(const Mesh& input, const TetArguments& arguments, TetReport& report) {
  const SolidSurface surface = clean_surface(input, arguments.mesh);
  report.notes = surface.notes;
  const MeshSummary summary = summarize(surface.mesh);
  const bool is_closed = summary.closed && summary.manifold && summary.oriented && summary.volume > 0;
  const TriangleTree tree(surface.mesh.points, surface.mesh.triangles);
  const Lattice lattice =
      build_lattice(surface.mesh, tree, arguments.cells,
                    is_closed ? LatticeSolid::Closed : LatticeSolid::Open, LatticeBoundary::Manifold);
  if (lattice.inner_cells == 0) {
    report.notes.emplace_back(
        "no lattice cell lies fully inside: the surface is open or thin, and only its skin is covered");
  }
  report.is_lattice = true;
  report.is_closed = is_closed;
  double filled = 0;
  for (const double fill : lattice.fills) filled += fill;
  report.filled = filled / static_cast<double>(lattice.fills.size());
  return lattice.mesh;
}

// Curved towards the surface if an order above 1 is asked for.
CurvedFile make_conforming(const Mesh& input, const TetArguments& arguments, TetReport& report) {
  const SolidSurface surface = make_solid_surface(input, arguments.mesh);
  report.notes = surface.notes;
  Mesh tets = mesh_solid(surface.mesh, arguments.mesh, arguments.mesher);
  if (arguments.order == 1) return {std::move(tets)};
  const TriangleTree tree(surface.mesh.points, surface.mesh.triangles);
  CurvedMesh curved = curve_tets(tets, tree, arguments.order, report.curved);
  tets.points = std::move(curved.nodes);
  return {std::move(tets), arguments.order, std::move(curved.tets)};
}

void print_curving(const CurvedTetsReport& report, double diagonal) {
  fmt::print(
      "  distance of the boundary from the surface: {:.3g} m ({:.2g} of the box diagonal), straight {:.3g} "
      "m\n",
      report.deviation, report.deviation / diagonal, report.straight_deviation);
  if (report.held_back > 0) {
    fmt::print("  {} of {} nodes on the boundary are held back so that no tet turns over\n", report.held_back,
               report.boundary_nodes);
  }
  fmt::print("  every tet keeps at least {:.2f} of its straight Jacobian, by a bound\n",
             report.least_jacobian);
}

int run_prepare_tet(TetArguments arguments) {
  if (arguments.output.empty()) {
    arguments.output = std::filesystem::path(arguments.mesh).stem().string() + "_tets.msh";
  }
  check_output(arguments.output, {arguments.mesh}, {".msh", ".vtk", ".node", ".ele"});
  const auto start = std::chrono::steady_clock::now();
  const Mesh input = read_mesh(arguments.mesh);
  TetReport report;
  const Activity activity(fmt::format("filling {} with tets", arguments.mesh));
  const CurvedFile file = arguments.lattice ? CurvedFile{make_lattice(input, arguments, report)}
                                            : make_conforming(input, arguments, report);
  const Mesh& tets = file.mesh;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  write_curved_file(arguments.output, file);
  const MeshSummary summary = summarize(tets);
  if (arguments.json) {
    const Json root = {{"mesh", arguments.mesh},
                       {"output", arguments.output},
                       {"method", report.is_lattice ? "lattice" : "conforming"},
                       {"points", summary.points},
                       {"tets", summary.tets},
                       {"volume", summary.volume},
                       {"filled", report.filled},
                       {"worst_quality", summary.worst_tet_quality},
                       {"order", arguments.order},
                       {"straight_deviation", report.curved.straight_deviation},
                       {"deviation", report.curved.deviation},
                       {"boundary_nodes", report.curved.boundary_nodes},
                       {"held_back", report.curved.held_back},
                       {"least_jacobian", report.curved.least_jacobian},
                       {"seconds", seconds},
                       {"notes", report.notes}};
    fmt::print("{}\n", root.dump(1));
    return kExitOk;
  }
  for (const std::string& note : report.notes) fmt::print("Note: {}.\n", note);
  fmt::print("{}: {} tet mesh of {} points and {} tets, volume {:.6g} m³, worst quality {:.3f}, {:.2f} s\n",
             arguments.output, report.is_lattice ? "lattice" : "conforming", summary.points, summary.tets,
             summary.volume, summary.worst_tet_quality, seconds);
  if (file.is_curved()) print_curving(report.curved, compute_diagonal(input.points));
  if (report.is_lattice && report.is_closed)
    fmt::print("  {:.1f} % of the lattice is inside the surface\n", 100 * report.filled);
  return kExitOk;
}

}  // namespace

void add_prepare_tet(Verb prepare_verb) {
  auto a = std::make_shared<TetArguments>();
  const Verb kind = prepare_verb.add_verb("tet", "Make a tet mesh from a surface");
  kind.add_option("mesh", a->mesh, "Surface; must be closed unless --lattice is given").required();
  kind.add_option("-o,--output", a->output, "File to write; default <name>_tets.msh").file({".msh", ".vtk"});
  const Option lattice =
      kind.add_flag("--lattice", a->lattice,
                    "Cover the surface with a lattice of cubes; works for any surface, even a defective one");
  kind.add_option("--cells", a->cells, "Lattice cells along the longest side")
      .needs(lattice)
      .check(whole(1, 400));
  kind.add_option("--size", a->mesher.size, "Edge length of the tets, as a fraction of the box diagonal")
      .excludes(lattice)
      .check(between(0.002, 1));
  kind.add_option("--deviation", a->mesher.deviation,
                  "Largest distance of the new surface from the old, as a fraction of the box diagonal")
      .excludes(lattice)
      .check(between(0.0001, 0.5));
  kind.add_option(
          "--sharp-angle", a->mesher.sharp_angle,
          "Keep edges where the surface turns by more degrees; 180: none, for coarse tets in rough surfaces")
      .excludes(lattice)
      .check(between(10, 180));
  kind.add_option("--order", a->order,
                  "Order of the tets, 1 to 4; above 1 their boundary is curved towards the surface")
      .excludes(lattice)
      .check(whole(1, 4));
  kind.add_flag("--json", a->json, "Print one JSON object");
  kind.add_example("marrow prepare tet bunny.obj -o bunny.msh", "fills a closed surface with tets")
      .add_example("marrow prepare tet bunny.obj --order 3 --size 0.2 --deviation 0.02 -o bunny_3.msh",
                   "a few curved tets that follow the surface")
      .add_example("marrow prepare tet soup.obj --lattice --cells 24",
                   "covers any surface with a lattice, 24 cells long");
  kind.set_action([a] { return run_prepare_tet(*a); });
}

}  // namespace marrow
