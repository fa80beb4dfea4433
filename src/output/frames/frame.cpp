#include "output/frames/frame.h"

#include <algorithm>

namespace marrow {

Index count_points(const OutputTopology& topology) {
  Index count = 0;
  for (const OutputBody& body : topology.bodies) count = std::max(count, body.first_point + body.point_count);
  return count;
}

std::vector<Index> list_curved_nodes(const OutputTopology& topology) {
  std::vector<Index> nodes;
  for (const OutputCurvedTets& tets : topology.curved) {
    const OutputBody& body = topology.bodies[static_cast<size_t>(tets.body)];
    for (Index i = 0; i < body.node_count; ++i) nodes.push_back(body.first_node + i);
  }
  return nodes;
}

std::vector<Index> compute_body_of_points(const OutputTopology& topology) {
  std::vector<Index> body_of(static_cast<size_t>(count_points(topology)), kNone);
  for (size_t body = 0; body < topology.bodies.size(); ++body) {
    const auto first = body_of.begin() + topology.bodies[body].first_point;
    std::fill(first, first + topology.bodies[body].point_count, static_cast<Index>(body));
  }
  return body_of;
}

std::vector<Index> find_loose_points(const OutputTopology& topology) {
  std::vector<bool> used(static_cast<size_t>(count_points(topology)), false);
  const auto mark = [&](const auto& simplices) {
    for (const auto& simplex : simplices) {
      for (const Index point : simplex) used[static_cast<size_t>(point)] = true;
    }
  };
  mark(topology.edges);
  mark(topology.triangles);
  mark(topology.tets);
  for (const OutputBody& body : topology.bodies) {
    const auto end = used.begin() + body.first_point + body.point_count;
    std::fill(end - body.hidden_count, end, true);
  }
  std::vector<Index> loose;
  for (size_t point = 0; point < used.size(); ++point) {
    if (!used[point]) loose.push_back(static_cast<Index>(point));
  }
  return loose;
}

FrameCells list_cells(const OutputTopology& topology) {
  const std::vector<Index> body_of = compute_body_of_points(topology);
  std::vector<char> has_tets(topology.bodies.size(), 0);
  for (const Tet& tet : topology.tets) {
    has_tets[static_cast<size_t>(body_of[static_cast<size_t>(tet[0])])] = 1;
  }
  FrameCells cells{topology.tets, {}, topology.edges, find_loose_points(topology)};
  for (const Triangle& triangle : topology.triangles) {
    const Index body = body_of[static_cast<size_t>(triangle[0])];
    if (has_tets[static_cast<size_t>(body)] == 0) cells.triangles.push_back(triangle);
  }
  return cells;
}

}  // namespace marrow
