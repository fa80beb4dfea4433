#include "marrow/view_source.h"

#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "mesh/io/mesh_file.h"
#include "mesh/surface.h"
#include "output/vtk/vtu.h"

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

}  // namespace

std::unique_ptr<RunSource> open_source(const std::string& path) {
  if (is_folder(path)) return RunSource::open_folder(path);
  if (!is_file(path)) throw InputError({path, 0, 0, {}}, "does not exist", "Check the name.");
  if (std::filesystem::path(path).extension() == ".vtu") return open_frame(path);
  return RunSource::from_mesh(path, read_mesh(path));
}

}  // namespace marrow
