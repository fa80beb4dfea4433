#include "output/vtk/frame_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "geometry/curved/lattice.h"

namespace marrow {
namespace {

using Difference = std::optional<std::string>;

std::string format_cell(const Index& point) { return std::to_string(point); }
template <size_t N>
std::string format_cell(const std::array<Index, N>& corners) {
  return fmt::format("{}", fmt::join(corners, "-"));
}

template <class Cell>
Difference compare_cells(const char* one, const char* many, const std::vector<Cell>& found,
                         const std::vector<Cell>& wanted) {
  if (found.size() != wanted.size()) {
    return fmt::format("it has {} {}, but the scene has {}", found.size(), many, wanted.size());
  }
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] != wanted[i]) {
      return fmt::format("{} {} is {}, but in the scene {}", one, i, format_cell(found[i]),
                         format_cell(wanted[i]));
    }
  }
  return {};
}

// what: "point", "cell", "node" or "curved tet".
Difference compare_bodies(const char* what, const std::vector<VtuFrame::Data>& fields,
                          const std::vector<Index>& wanted) {
  for (const VtuFrame::Data& data : fields) {
    if (data.name != "body") continue;
    if (data.values.size() != wanted.size()) {
      return fmt::format("its array \"body\" has {} {}s, but the scene has {}", data.values.size(), what,
                         wanted.size());
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (data.values[i] != wanted[i]) {
        return fmt::format("{} {} belongs to body {}, but in the scene to body {}", what, i, data.values[i],
                           wanted[i]);
      }
    }
    return {};
  }
  return fmt::format("it has no array \"body\" for its {}s", what);
}

// The body of each cell, in the order of the file.
std::vector<Index> list_bodies(const FrameCells& cells, const std::vector<Index>& body_of) {
  std::vector<Index> bodies;
  const auto add = [&](Index point) { bodies.push_back(body_of[static_cast<size_t>(point)]); };
  for (const Tet& tet : cells.tets) add(tet[0]);
  for (const Triangle& triangle : cells.triangles) add(triangle[0]);
  for (const Edge& edge : cells.edges) add(edge[0]);
  for (const Index point : cells.vertices) add(point);
  return bodies;
}

// Curved tets node by node; nodes are numbered in the order of the file.
Difference compare_curved(const VtuFrame& frame, const OutputTopology& topology) {
  const std::vector<Index> nodes = list_curved_nodes(topology);
  if (frame.nodes.size() != nodes.size()) {
    return fmt::format("it has {} nodes of curved tets, but the scene has {}", frame.nodes.size(),
                       nodes.size());
  }
  std::vector<Index> wanted, found;
  Index first = 0;
  for (const OutputCurvedTets& tets : topology.curved) {
    const OutputBody& body = topology.bodies[static_cast<size_t>(tets.body)];
    for (const Index node : tets.nodes) wanted.push_back(first + node - body.first_node);
    first += body.node_count;
  }
  for (const VtuFrame::Curved& tets : frame.curved) {
    found.insert(found.end(), tets.nodes.begin(), tets.nodes.end());
  }
  if (auto other = compare_cells("node of the curved tets, number", "nodes in curved tets", found, wanted)) {
    return other;
  }
  std::vector<Index> bodies_of_nodes, bodies_of_tets;
  for (const OutputCurvedTets& tets : topology.curved) {
    const auto nodes_of_body =
        static_cast<size_t>(topology.bodies[static_cast<size_t>(tets.body)].node_count);
    const size_t count = tets.nodes.size() / static_cast<size_t>(count_lattice(tets.order));
    bodies_of_nodes.insert(bodies_of_nodes.end(), nodes_of_body, tets.body);
    bodies_of_tets.insert(bodies_of_tets.end(), count, tets.body);
  }
  if (topology.curved.empty()) return {};
  if (auto other = compare_bodies("node", frame.node_data, bodies_of_nodes)) return other;
  return compare_bodies("curved tet", frame.curved_data, bodies_of_tets);
}

}  // namespace

Difference find_difference(const VtuFrame& frame, const OutputTopology& topology) {
  const std::vector<Index> body_of = compute_body_of_points(topology);
  if (frame.points.size() != body_of.size()) {
    return fmt::format("it has {} points, but the scene has {}", frame.points.size(), body_of.size());
  }
  const FrameCells cells = list_cells(topology);
  if (auto found = compare_cells("tet", "tets", frame.tets, cells.tets)) return found;
  if (auto found = compare_cells("triangle", "triangles", frame.triangles, cells.triangles)) return found;
  if (auto found = compare_cells("edge", "edges", frame.edges, cells.edges)) return found;
  if (auto found = compare_cells("vertex", "vertices", frame.vertices, cells.vertices)) return found;
  if (auto found = compare_curved(frame, topology)) return found;
  if (auto found = compare_bodies("point", frame.point_data, body_of)) return found;
  return compare_bodies("cell", frame.cell_data, list_bodies(cells, body_of));
}

}  // namespace marrow
