// Tiles are simplices with the edges and vertices that belong to them; a tree is built over them.
//
// Every edge and every vertex belongs to exactly one of the simplices that contain it. Its box lies in the
// box of that simplex. So a search over the simplices alone finds every edge–edge and vertex–triangle pair,
// and finds it once.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "contact/candidates.h"

namespace marrow {

// A triangle, a wire or a loose point.
struct Tile {
  std::array<Index, 3> corners = {kNone, kNone, kNone};
  std::array<Index, 3> edges = {kNone, kNone, kNone};     // those that belong to it
  std::array<Index, 3> vertices = {kNone, kNone, kNone};  // likewise
  Index triangle = kNone;                                 // kNone: a wire or a point
  int corner_count = 0, edge_count = 0, vertex_count = 0;

  bool is_loose() const { return corner_count == 1; }
  bool is_wire() const { return corner_count == 2; }
};

// All simplices of the mesh that no other simplex contains.
std::vector<Tile> build_tiles(const CollisionMesh& mesh);

// A box by its centre and half its size, the form that affine maps need.
struct CenterBox {
  Vec3 center = Vec3::Zero();
  Vec3 half = Vec3::Zero();
};

CenterBox box_of_points(std::span<const Vec3> points);

// A binary tree over some tiles, split at the medians of their positions when it is built.
class TileTree {
 public:
  struct Node {
    CenterBox box;
    Index right = kNone;  // the left child is the next node; kNone: a leaf
    Index tile = kNone;   // of a leaf
    bool is_leaf() const { return right == kNone; }
  };

  // boxes: by tile.
  void build(std::vector<Index> tiles, std::span<const CenterBox> boxes);

  // The same tree over new boxes.
  void refit(std::span<const CenterBox> boxes);

  bool is_empty() const { return nodes_.empty(); }
  const Node& node(Index i) const { return nodes_[static_cast<size_t>(i)]; }
  CenterBox box() const { return nodes_.empty() ? CenterBox{} : nodes_.front().box; }

 private:
  Index build_node(std::span<Index> tiles, std::span<const CenterBox> boxes);

  std::vector<Node> nodes_;  // each before its children
};

}  // namespace marrow
