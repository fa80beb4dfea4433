// Throughput of the mesh readers and writers, from memory to memory, as a Markdown table.
//
//   bench_mesh_io [FILE.md]
//
// The body is a ball of several hundred thousand tets; formats without tets get the surface of a finer one.
// Each figure is the best of a few repetitions.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/file.h"
#include "mesh/io/mesh_file.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

template <class Work>
double best_seconds(const Work& work) {
  using Clock = std::chrono::steady_clock;
  double best = 1e300;
  for (int i = 0; i < 5; ++i) {
    const Clock::time_point start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

// The surface alone, with its points renumbered.
Mesh surface_of(const Mesh& body) {
  std::vector<Index> numbers(body.points.size(), kNone);
  Mesh surface;
  for (Triangle t : body.triangles) {
    for (Index& v : t) {
      Index& number = numbers[static_cast<size_t>(v)];
      if (number == kNone) {
        number = static_cast<Index>(surface.points.size());
        surface.points.push_back(body.points[static_cast<size_t>(v)]);
      }
      v = number;
    }
    surface.triangles.push_back(t);
  }
  return surface;
}

struct Inputs {
  Mesh body;
  Mesh surface;
  Mesh medial;
};

Inputs build_inputs() {
  Inputs inputs;
  inputs.body = build_shape(SphereShape{.resolution = 22});
  inputs.surface = surface_of(build_shape(BoxShape{.cells_x = 260, .cells_y = 4, .cells_z = 260}));
  // Flat faces would have short coordinates; bend them.
  for (Vec3& p : inputs.surface.points)
    p += 0.1 * Vec3(std::sin(7 * p.y()), std::sin(7 * p.z()), std::sin(7 * p.x()));
  inputs.medial = inputs.surface;
  inputs.medial.radii.assign(inputs.medial.points.size(), 1.0 / 3);
  return inputs;
}

const Mesh& mesh_for(MeshFormat format, const Inputs& inputs) {
  const bool holds_tets =
      format == MeshFormat::Msh || format == MeshFormat::Vtk || format == MeshFormat::TetGen;
  if (holds_tets) return inputs.body;
  return format == MeshFormat::Ma ? inputs.medial : inputs.surface;
}

template <class Write>
std::string measure(const std::string& label, MeshFormat format, const Mesh& mesh, const Write& write) {
  const std::string bytes = write(mesh);
  const double megabytes = static_cast<double>(bytes.size()) * 1e-6;
  size_t sink = 0;
  const double read = best_seconds([&] { sink += parse_mesh(format, bytes, "bench").points.size(); });
  const double written = best_seconds([&] { sink += write(mesh).size(); });
  return fmt::format("| {} | {} | {:.1f} | {:.0f} | {:.0f} |\n", label,
                     mesh.triangles.size() + mesh.tets.size(), sink > 0 ? megabytes : 0, megabytes / read,
                     megabytes / written);
}

std::string measure_all() {
  const Inputs inputs = build_inputs();
  std::string table =
      "| format | encoding | elements | MB | read MB/s | write MB/s |\n| --- | --- | ---: | ---: | ---: | "
      "---: |\n";
  for (int f = 0; f < kMeshFormatCount; ++f) {
    const auto format = static_cast<MeshFormat>(f);
    const Mesh& mesh = mesh_for(format, inputs);
    for (const MeshEncoding encoding : {MeshEncoding::Ascii, MeshEncoding::Binary}) {
      if (!has_encoding(format, encoding)) continue;
      const std::string label = fmt::format("{} | {}", enum_name(format), enum_name(encoding));
      table += measure(label, format, mesh, [&](const Mesh& m) { return format_mesh(format, m, encoding); });
      if (format != MeshFormat::Msh) continue;
      table += measure(fmt::format("MSH 2.2 | {}", enum_name(encoding)), format, mesh,
                       [&](const Mesh& m) { return format_msh(m, encoding, MshVersion::V22); });
    }
  }
  return table;
}

}  // namespace
}  // namespace marrow

int main(int count, char** values) {
  const std::string table = marrow::measure_all();
  fmt::print("{}", table);
  if (count > 1) marrow::write_file(values[1], table);
  return 0;
}
