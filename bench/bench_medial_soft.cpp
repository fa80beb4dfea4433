// Medial bodies against soft ones in the same scenes with the same tolerances: time per step, and how far
// their surfaces differ.
//
// A figure of capsules (examples/medial) is filled with tets. Soft: every point is a node. Medial: moved by
// handles, affine or quadratic, with the elasticity of the same tets or of a coarser lattice around the same
// surface, colliding by that surface or by spheres, cones and slabs. Two scenes: the figure held at its feet
// and pulled at its hands; the figure falling on a floor. Deviation: distance of corresponding surface points
// at the end, in percent of the box diagonal. Times are of one thread and of the processor, so that a busy
// machine does not matter.
//
// Usage: bench_medial_soft [size of the tets, 0.02, or a tet mesh] [handles, 100,50,20,10] [cells of the
// lattice, 24] [one scene]
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "exec/parallel.h"
#include "mesh/io/mesh_file.h"
#include "mesh/surface.h"
#include "preprocess/volume/solid_surface.h"
#include "preprocess/volume/tet_mesher.h"
#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "sim/simulate.h"

namespace {

using namespace marrow;

double processor_seconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

// kind: "soft", or "medial" with its options.
std::string make_scene(const std::string& name, const std::string& mesh, const std::string& kind) {
  const std::string body =
      fmt::format(R"("mesh": "{}", {}, "material": {{"youngs_modulus": 2e5}})", mesh, kind);
  if (name == "pulled") {
    return fmt::format(R"({{"time": {{"step": 0.02, "duration": 0.3}}, "bodies": [{{{}, "self_contact": false,
      "prescribed": [
        {{"select": {{"relative_box": {{"min": [0, 0, 0], "max": [1, 0.06, 1]}}}}}},
        {{"select": {{"relative_box": {{"min": [0, 0.6, 0], "max": [0.06, 1, 1]}}}}, "velocity": [-0.5, 0.2, 0]}},
        {{"select": {{"relative_box": {{"min": [0.94, 0.6, 0], "max": [1, 1, 1]}}}}, "velocity": [0.5, 0.2, 0]}}]}}]}})",
                       body);
  }
  return fmt::format(R"({{"time": {{"step": 0.02, "duration": 0.4}}, "bodies": [{{{}, "rotation": [70, 0, 20],
      "position": [0, 0.75, 0], "velocity": [0, -2, 0], "self_contact": false}},
    {{"kind": "obstacle", "shape": {{"type": "box", "size": [6, 0.2, 6], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
      "position": [0, -0.1, 0]}}]}})",
                     body);
}

struct Outcome {
  Index nodes = 0;
  size_t tets = 0;
  int steps = 0, iterations = 0;
  double seconds = 0;
  std::map<std::array<double, 3>, Vec3> points;  // at the end, by place at rest
  std::map<std::string, double> scopes;
  double diagonal = 0;
  bool is_finished = false;
};

Outcome run(const std::string& text) {
  BuiltScene built = build_scene(parse_scene(text, "bench"), "bench");
  Outcome outcome;
  const Body& body = built.model.kinematics.bodies[0];
  outcome.nodes = body.node_count;
  outcome.tets = built.model.kinematics.elements.count();
  for (const ReducedElements& reduced : built.model.kinematics.reduced) outcome.tets += reduced.fine.count();
  RunHooks hooks;
  hooks.on_step = [&](const State&, const StepReport& report) {
    outcome.iterations += report.newton.iterations;
    for (const auto& [name, seconds] : report.scopes) outcome.scopes[name] += seconds;
  };
  const VecX initial = built.state.nodes;
  const double start = processor_seconds();
  const RunReport report = simulate(built.model, built.state, hooks);
  outcome.seconds = processor_seconds() - start;
  outcome.steps = report.steps;
  outcome.is_finished = report.end == RunEnd::Finished;
  Points x;
  compute_points(built.model.kinematics, built.state.nodes, x);
  Eigen::AlignedBox3d box;
  for (size_t i = 0; i < body.rest.points.size(); ++i) {
    const Vec3& X = body.rest.points[i];
    box.extend(X);
    // Rounded: the same point of both meshes, whichever way it was turned.
    const auto round = [](double value) { return std::round(1e6 * value); };
    outcome.points[{round(X[0]), round(X[1]), round(X[2])}] = x[static_cast<size_t>(body.first_point) + i];
  }
  outcome.diagonal = box.diagonal().norm();
  return outcome;
}

void print_row(const std::string& scene, const std::string& kind, const Outcome& outcome,
               const Outcome& soft) {
  double sum = 0, most = 0;
  int count = 0;
  for (const auto& [place, x] : outcome.points) {
    const auto found = soft.points.find(place);
    if (found == soft.points.end()) continue;
    const double distance = (x - found->second).norm() / soft.diagonal;
    sum += distance;
    most = std::max(most, distance);
    ++count;
  }
  const auto per_step = [&](const Outcome& o) { return 1e3 * o.seconds / std::max(1, o.steps); };
  fmt::print("| {} | {} | {} | {} | {:.1f} | {} | {:.1f} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {} |\n", scene,
             kind, outcome.tets, 3 * outcome.nodes, static_cast<double>(soft.nodes) / outcome.nodes,
             outcome.steps, static_cast<double>(outcome.iterations) / std::max(1, outcome.steps),
             per_step(outcome), per_step(soft) / per_step(outcome), 100 * sum / std::max(1, count),
             100 * most, outcome.is_finished ? "" : "not finished");
  std::fflush(stdout);
}

Mesh build_figure(double size) {
  const Mesh figure = read_mesh(std::string(MARROW_SOURCE_DIR) + "/examples/medial/meshes/figure.obj");
  return mesh_solid(clean_surface(figure, "figure").mesh, "figure", {.size = size, .deviation = 0.005});
}

struct Meshes {
  std::string tets, surface;  // files of the same solid

  // source: the size of the figure's tets, or a tet mesh.
  explicit Meshes(const std::string& source) {
    const Mesh solid =
        std::filesystem::exists(source) ? read_mesh(source) : build_figure(std::atof(source.c_str()));
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    tets = folder / "marrow_bench_medial.msh";
    surface = folder / "marrow_bench_medial.obj";
    write_mesh(tets, solid);
    // The boundary alone, with points by new numbers.
    Mesh boundary;
    std::map<Index, Index> numbers;
    for (Triangle t : extract_surface(solid.tets)) {
      for (Index& i : t) {
        const auto [place, is_new] = numbers.try_emplace(i, static_cast<Index>(boundary.points.size()));
        if (is_new) boundary.points.push_back(solid.points[static_cast<size_t>(i)]);
        i = place->second;
      }
      boundary.triangles.push_back(t);
    }
    write_mesh(surface, boundary);
    fmt::print("{} points, {} tets, {} triangles.\n\n", solid.points.size(), solid.tets.size(),
               boundary.triangles.size());
  }
  ~Meshes() {
    std::filesystem::remove(tets);
    std::filesystem::remove(surface);
  }
  Meshes(const Meshes&) = delete;
  Meshes& operator=(const Meshes&) = delete;
};

std::vector<int> parse_numbers(const std::string& text) {
  std::vector<int> numbers;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    numbers.push_back(std::atoi(text.substr(at, end - at).c_str()));
    at = end + 1;
  }
  return numbers;
}

// Where the time of a run went.
void print_scopes(const std::string& kind, const Outcome& outcome) {
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [name, seconds] : outcome.scopes) sorted.push_back({seconds, name});
  std::sort(sorted.rbegin(), sorted.rend());
  fmt::print(stderr, "{}:", kind);
  for (size_t i = 0; i < std::min<size_t>(14, sorted.size()); ++i) {
    fmt::print(stderr, " {} {:.1f}", sorted[i].second, 1e3 * sorted[i].first / std::max(1, outcome.steps));
  }
  fmt::print(stderr, "\n");
}

}  // namespace

int main(int argc, char** argv) {
  exec::set_thread_count(1);
  const Meshes meshes(argc > 1 ? argv[1] : "0.02");
  const std::vector<int> handles = parse_numbers(argc > 2 ? argv[2] : "100,50,20,10");
  const int cells = argc > 3 ? std::atoi(argv[3]) : 24;
  fmt::print(
      "| scene | kind | tets | unknowns | reduction | steps | iterations per step | ms per step | faster "
      "than soft |"
      " mean deviation % | max % | |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  const std::string only = argc > 4 ? argv[4] : "";
  for (const std::string scene : {"pulled", "falls"}) {
    if (!only.empty() && scene != only) continue;
    const Outcome soft = run(make_scene(scene, meshes.tets, R"("kind": "soft")"));
    print_row(scene, "soft", soft, soft);
    print_scopes("soft", soft);
    const auto compare = [&](const std::string& name, const std::string& mesh, const std::string& options) {
      const std::string kind = fmt::format(R"("kind": "medial", "weight_threshold": 0.01, {})", options);
      const Outcome medial = run(make_scene(scene, mesh, kind));
      print_row(scene, name, medial, soft);
      print_scopes(name, medial);
    };
    for (const int count : handles) {
      const std::string lattice = fmt::format(R"("handles": {}, "cells": {})", count, cells);
      compare(fmt::format("medial, {} handles, same tets", count), meshes.tets,
              fmt::format(R"("handles": {})", count));
      compare(fmt::format("medial, {} handles, lattice", count), meshes.surface, lattice);
      // As many unknowns: ten nodes a handle instead of four.
      const int bending = std::max(1, 2 * count / 5);
      compare(fmt::format("medial, {} quadratic handles, lattice", bending), meshes.surface,
              fmt::format(R"("handles": {}, "cells": {}, "handle": "quadratic")", bending, cells));
      if (scene == "pulled") continue;
      compare(fmt::format("medial, {} handles, lattice, medial collider", count), meshes.surface,
              lattice + R"(, "collider": "medial")");
    }
  }
}
