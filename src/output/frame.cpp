#include "output/frame.h"

#include <algorithm>

namespace marrow {

Index count_points(const OutputTopology& topology) {
  Index count = 0;
  for (const OutputBody& body : topology.bodies) count = std::max(count, body.first_point + body.point_count);
  return count;
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

}  // namespace marrow
