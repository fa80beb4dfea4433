#include "preprocess/volume/fill_holes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <map>

#include "mesh/surface_edges.h"

namespace marrow {
namespace {

// For each point at the rim of holes the next one, against the triangles; kNone where that is not unique.
std::map<Index, Index> list_rims(const std::vector<Triangle>& triangles) {
  std::map<Index, Index> next;
  for_each_surface_edge(triangles, [&](const SurfaceEdge& e) {
    if (e.forward + e.backward != 1) return;
    const Index from = e.forward == 1 ? e.high : e.low, to = e.forward == 1 ? e.low : e.high;
    const auto [known, is_new] = next.emplace(from, to);
    if (!is_new) known->second = kNone;
  });
  return next;
}

std::vector<std::vector<Index>> list_holes(const std::vector<Triangle>& triangles) {
  std::map<Index, Index> next = list_rims(triangles);
  std::vector<std::vector<Index>> holes;
  while (!next.empty()) {
    std::vector<Index> loop;
    const Index first = next.begin()->first;
    Index at = first;
    bool is_closed = false;
    while (true) {
      const auto found = next.find(at);
      if (found == next.end() || found->second == kNone) break;
      loop.push_back(at);
      const Index to = found->second;
      next.erase(found);
      at = to;
      if (at == first) {
        is_closed = true;
        break;
      }
    }
    if (!is_closed) next.erase(at);
    if (is_closed) holes.push_back(std::move(loop));
  }
  return holes;
}

class HoleFiller {
 public:
  HoleFiller(const Points& points, const std::vector<Index>& loop) : points_(points), loop_(loop) {
    const size_t n = loop.size();
    cost_.assign(n * n, 0);
    middle_.assign(n * n, 0);
    for (size_t width = 2; width < n; ++width) {
      for (size_t i = 0; i + width < n; ++i) choose_middle(i, i + width);
    }
  }

  void add_triangles(std::vector<Triangle>& triangles) const { add(0, loop_.size() - 1, triangles); }

 private:
  size_t at(size_t i, size_t k) const { return i * loop_.size() + k; }
  const Vec3& point(size_t i) const { return points_[static_cast<size_t>(loop_[i])]; }

  void choose_middle(size_t i, size_t k) {
    double least = std::numeric_limits<double>::infinity();
    for (size_t m = i + 1; m < k; ++m) {
      const double area = (point(m) - point(i)).cross(point(k) - point(i)).norm() / 2;
      const double cost = cost_[at(i, m)] + cost_[at(m, k)] + area;
      if (cost >= least) continue;
      least = cost;
      middle_[at(i, k)] = m;
    }
    cost_[at(i, k)] = least;
  }

  void add(size_t i, size_t k, std::vector<Triangle>& triangles) const {
    std::vector<std::array<size_t, 2>> open = {{i, k}};
    while (!open.empty()) {
      const auto [low, high] = open.back();
      open.pop_back();
      if (high - low < 2) continue;
      const size_t m = middle_[at(low, high)];
      triangles.push_back({loop_[low], loop_[m], loop_[high]});
      open.push_back({m, high});
      open.push_back({low, m});
    }
  }

  const Points& points_;
  const std::vector<Index>& loop_;
  std::vector<double> cost_;  // least area of the polygon from i to k
  std::vector<size_t> middle_;
};

}  // namespace

HoleReport fill_holes(Mesh& mesh, size_t most_edges) {
  HoleReport report;
  for (const std::vector<Index>& loop : list_holes(mesh.triangles)) {
    if (loop.size() < 3) continue;
    if (loop.size() > most_edges) {
      ++report.left;
      report.largest = std::max(report.largest, loop.size());
      continue;
    }
    const size_t before = mesh.triangles.size();
    HoleFiller(mesh.points, loop).add_triangles(mesh.triangles);
    report.triangles += mesh.triangles.size() - before;
    ++report.closed;
  }
  for_each_surface_edge(mesh.triangles, [&](const SurfaceEdge& e) {
    if (e.forward + e.backward != 2) ++report.open_edges;
  });
  return report;
}

}  // namespace marrow
