#include "mesh/surface.h"

#include <algorithm>
#include <utility>

#include "mesh/buckets.h"
#include "mesh/surface_edges.h"

namespace marrow {
namespace {

// The faces of a positively oriented tet, seen from outside.
constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

// A face without its smallest vertex, which is its bucket.
struct Face {
  Index middle = 0;
  Index high = 0;
  Index second = 0;  // the vertex after the smallest one in outward order

  bool same_vertices(const Face& other) const { return middle == other.middle && high == other.high; }
};

Triangle rotate_to_smallest(Triangle t) {
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  return t;
}

template <class Simplices>
size_t count_vertices(const Simplices& simplices) {
  Index highest = -1;
  for (const auto& simplex : simplices) {
    for (const Index v : simplex) highest = std::max(highest, v);
  }
  return static_cast<size_t>(highest) + 1;
}

template <class Simplices>
std::vector<Edge> collect_unique_edges(const Simplices& simplices) {
  const auto for_each_edge = [&](const auto& visit) {
    for (const auto& simplex : simplices) {
      for (size_t i = 0; i < simplex.size(); ++i) {
        for (size_t j = i + 1; j < simplex.size(); ++j) {
          const auto [low, high] = std::minmax(simplex[i], simplex[j]);
          visit(low, high);
        }
      }
    }
  };
  Buckets<Index> buckets = fill_buckets<Index>(count_vertices(simplices), for_each_edge);
  std::vector<Edge> edges;
  edges.reserve(buckets.values.size() / 2);
  for (size_t low = 0; low < buckets.key_count(); ++low) {
    const std::span<Index> highs = buckets.of(low);
    std::sort(highs.begin(), highs.end());
    const auto end = std::unique(highs.begin(), highs.end());
    for (auto high = highs.begin(); high != end; ++high) edges.push_back({static_cast<Index>(low), *high});
  }
  return edges;
}

}  // namespace

std::vector<Triangle> extract_surface(const std::vector<Tet>& tets) {
  // Collect all faces by their smallest vertex.
  const auto for_each_face = [&](const auto& visit) {
    for (const Tet& tet : tets) {
      for (const auto& corners : kFaces) {
        const Triangle t =
            rotate_to_smallest({tet[static_cast<size_t>(corners[0])], tet[static_cast<size_t>(corners[1])],
                                tet[static_cast<size_t>(corners[2])]});
        visit(t[0], Face{std::min(t[1], t[2]), std::max(t[1], t[2]), t[1]});
      }
    }
  };
  Buckets<Face> buckets = fill_buckets<Face>(count_vertices(tets), for_each_face);

  // Keep those that occur once.
  std::vector<Triangle> surface;
  for (size_t low = 0; low < buckets.key_count(); ++low) {
    const std::span<Face> faces = buckets.of(low);
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
      return std::pair(a.middle, a.high) < std::pair(b.middle, b.high);
    });
    for (size_t i = 0; i < faces.size();) {
      size_t end = i + 1;
      while (end < faces.size() && faces[end].same_vertices(faces[i])) ++end;
      const Face& f = faces[i];
      const Index third = f.second == f.middle ? f.high : f.middle;
      if (end == i + 1) surface.push_back({static_cast<Index>(low), f.second, third});
      i = end;
    }
  }
  return surface;
}

std::vector<Edge> unique_edges(const std::vector<Triangle>& triangles) {
  return collect_unique_edges(triangles);
}

std::vector<Edge> unique_edges(const std::vector<Tet>& tets) { return collect_unique_edges(tets); }

std::vector<Edge> extract_border(const std::vector<Triangle>& triangles) {
  std::vector<Edge> border;
  for_each_surface_edge(triangles, [&](const SurfaceEdge& e) {
    if (e.forward + e.backward == 1) border.push_back({e.low, e.high});
  });
  return border;
}

}  // namespace marrow
