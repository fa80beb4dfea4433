#include "preprocess/medial/medial_debris.h"

#include <algorithm>

#include "preprocess/volume/solid_surface.h"

namespace marrow {
namespace {

constexpr double kDebris = 0.01;

struct Piece {
  Index count = 0;
  Index largest = kNone;  // its largest sphere
};

std::vector<Piece> list_pieces(const Mesh& axis, const std::vector<Index>& piece_of) {
  std::vector<Piece> pieces(static_cast<size_t>(1 + *std::max_element(piece_of.begin(), piece_of.end())));
  for (size_t i = 0; i < piece_of.size(); ++i) {
    Piece& piece = pieces[piece_of[i]];
    ++piece.count;
    if (piece.largest == kNone || axis.radii[i] > axis.radii[piece.largest]) {
      piece.largest = static_cast<Index>(i);
    }
  }
  return pieces;
}

void keep_vertices(const std::vector<std::uint8_t>& is_kept, Mesh& axis) {
  std::vector<Index> numbers(axis.points.size(), kNone);
  Mesh kept;
  for (size_t i = 0; i < axis.points.size(); ++i) {
    if (is_kept[i] == 0) continue;
    numbers[i] = static_cast<Index>(kept.points.size());
    kept.points.push_back(axis.points[i]);
    kept.radii.push_back(axis.radii[i]);
  }
  for (const Edge& e : axis.edges) {
    if (numbers[e[0]] != kNone) kept.edges.push_back({numbers[e[0]], numbers[e[1]]});
  }
  for (const Triangle& t : axis.triangles) {
    if (numbers[t[0]] != kNone) kept.triangles.push_back({numbers[t[0]], numbers[t[1]], numbers[t[2]]});
  }
  axis = std::move(kept);
}

}  // namespace

void drop_debris(const Mesh& surface, const TriangleTree& tree, Mesh& axis) {
  if (axis.points.empty()) return;
  std::vector<Triangle> joined;
  joined.reserve(axis.edges.size());
  for (const Edge& e : axis.edges) joined.push_back({e[0], e[1], e[1]});
  const std::vector<Index> piece_of = find_parts(axis.points.size(), joined);
  const std::vector<Piece> pieces = list_pieces(axis, piece_of);
  if (pieces.size() == 1) return;
  // Pieces compete with those of the part of the surface next to their largest spheres.
  const std::vector<Index> part_of = find_parts(surface.points.size(), surface.triangles);
  std::vector<Index> parts, most(surface.points.size(), 0);
  for (const Piece& piece : pieces) {
    const NearestPoint nearest = tree.find_nearest(axis.points[piece.largest]);
    parts.push_back(part_of[surface.triangles[nearest.triangle][0]]);
    most[parts.back()] = std::max(most[parts.back()], piece.count);
  }
  std::vector<std::uint8_t> is_kept(axis.points.size());
  for (size_t i = 0; i < is_kept.size(); ++i) {
    const Index p = piece_of[i];
    is_kept[i] = pieces[p].count >= kDebris * most[parts[p]] ? 1 : 0;
  }
  keep_vertices(is_kept, axis);
}

}  // namespace marrow
