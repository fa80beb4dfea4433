#include "contact/tiles.h"

#include <algorithm>
#include <numeric>

namespace marrow {
namespace {

// Finds edges by their vertices.
class EdgeNumbers {
 public:
  explicit EdgeNumbers(std::span<const Edge> edges) {
    for (size_t i = 0; i < edges.size(); ++i) sorted_.push_back({sort(edges[i]), static_cast<Index>(i)});
    std::sort(sorted_.begin(), sorted_.end());
  }

  // kNone: there is no such edge.
  Index find(Index a, Index b) const {
    const Edge wanted = sort({a, b});
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), Entry{wanted, 0});
    return at != sorted_.end() && at->first == wanted ? at->second : kNone;
  }

 private:
  using Entry = std::pair<Edge, Index>;
  static Edge sort(const Edge& e) { return {std::min(e[0], e[1]), std::max(e[0], e[1])}; }
  std::vector<Entry> sorted_;
};

CenterBox merge(const CenterBox& a, const CenterBox& b) {
  const Vec3 lower = (a.center - a.half).cwiseMin(b.center - b.half);
  const Vec3 upper = (a.center + a.half).cwiseMax(b.center + b.half);
  return {0.5 * (lower + upper), 0.5 * (upper - lower)};
}

}  // namespace

std::vector<Tile> build_tiles(const CollisionMesh& mesh) {
  std::vector<Tile> tiles;
  std::vector<std::uint8_t> is_taken(static_cast<size_t>(mesh.point_count), 0);
  std::vector<std::uint8_t> is_edge_taken(mesh.edges.size(), 0);
  const auto add = [&](std::span<const Index> corners, Index triangle) -> Tile& {
    Tile tile;
    tile.triangle = triangle;
    for (const Index corner : corners) {
      tile.corners[tile.corner_count++] = corner;
      if (is_taken[corner] != 0) continue;
      is_taken[corner] = 1;
      tile.vertices[tile.vertex_count++] = corner;
    }
    return tiles.emplace_back(tile);
  };
  const EdgeNumbers numbers(std::span(mesh.edges).first(mesh.wire_start));
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    Tile& tile = add(t, static_cast<Index>(i));
    for (size_t k = 0; k < 3; ++k) {
      const Index edge = numbers.find(t[k], t[(k + 1) % 3]);
      if (edge == kNone || is_edge_taken[edge] != 0) continue;
      is_edge_taken[edge] = 1;
      tile.edges[tile.edge_count++] = edge;
    }
  }
  for (size_t i = 0; i < mesh.edges.size(); ++i) {
    if (is_edge_taken[i] != 0) continue;
    Tile& tile = add(mesh.edges[i], kNone);
    tile.edges[tile.edge_count++] = static_cast<Index>(i);
  }
  for (const Index point : mesh.loose) add(std::span(&point, 1), kNone);
  return tiles;
}

CenterBox box_of_points(std::span<const Vec3> points) {
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& x : points) {
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
  }
  return {0.5 * (lower + upper), 0.5 * (upper - lower)};
}

void TileTree::build(std::vector<Index> tiles, std::span<const CenterBox> boxes) {
  nodes_.clear();
  if (tiles.empty()) return;
  nodes_.reserve(2 * tiles.size() - 1);
  build_node(tiles, boxes);
}

Index TileTree::build_node(std::span<Index> tiles, std::span<const CenterBox> boxes) {
  const auto number = static_cast<Index>(nodes_.size());
  nodes_.emplace_back();
  if (tiles.size() == 1) {
    nodes_[number].box = boxes[tiles[0]];
    nodes_[number].tile = tiles[0];
    return number;
  }
  // Split at the median along the axis on which the centres spread most.
  Vec3 lower = boxes[tiles[0]].center, upper = lower;
  for (const Index tile : tiles) {
    lower = lower.cwiseMin(boxes[tile].center);
    upper = upper.cwiseMax(boxes[tile].center);
  }
  int axis = 0;
  (upper - lower).maxCoeff(&axis);
  const size_t half = tiles.size() / 2;
  std::nth_element(tiles.begin(), tiles.begin() + static_cast<std::ptrdiff_t>(half), tiles.end(),
                   [&](Index a, Index b) {
                     const double at_a = boxes[a].center[axis], at_b = boxes[b].center[axis];
                     return at_a != at_b ? at_a < at_b : a < b;
                   });
  const Index left = build_node(tiles.first(half), boxes);
  const Index right = build_node(tiles.subspan(half), boxes);
  nodes_[number].right = right;
  nodes_[number].box = merge(nodes_[left].box, nodes_[right].box);
  return number;
}

void TileTree::refit(std::span<const CenterBox> boxes) {
  for (size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    node.box = node.is_leaf() ? boxes[node.tile] : merge(nodes_[i + 1].box, nodes_[node.right].box);
  }
}

}  // namespace marrow
