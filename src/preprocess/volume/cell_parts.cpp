#include "preprocess/volume/cell_parts.h"

#include <bit>
#include <map>
#include <span>

#include "core/disjoint_sets.h"
#include "exec/parallel.h"

namespace marrow {
namespace {

using Places = std::uint64_t;

constexpr int kSide = 4;  // places along an edge of a cell; bit (4 a + b) 4 + c is place (a, b, c)
constexpr Places kAll = ~Places{0};

// How far behind a triangle its part is looked for, in cells.
constexpr double kBehind = 0.75, kBehindStep = 1.0 / 16;

// Points so near to the surface are on it, in cells.
constexpr double kOnSurface = 1e-3;

// The first and the last layer of places along each axis, and the shift from one layer to the next.
constexpr std::array<Places, 3> kFirst = {0x000000000000FFFF, 0x000F000F000F000F, 0x1111111111111111};
constexpr std::array<Places, 3> kLast = {0xFFFF000000000000, 0xF000F000F000F000, 0x8888888888888888};
constexpr std::array<int, 3> kShift = {16, 4, 1};

// The places among all that are joined to the seed by faces.
Places flood(Places seed, Places all) {
  for (Places before = 0; seed != before;) {
    before = seed;
    for (int axis = 0; axis < 3; ++axis) {
      seed |= ((seed & ~kLast[axis]) << kShift[axis]) | ((seed & ~kFirst[axis]) >> kShift[axis]);
      seed &= all;
    }
  }
  return seed;
}

std::vector<Places> split(Places all) {
  std::vector<Places> parts;
  while (all != 0) {
    parts.push_back(flood(all & (~all + 1), all));
    all &= ~parts.back();
  }
  return parts;
}

// Whether places of a cell and of the next one along the axis share a face.
bool meet(Places a, Places b, int axis) {
  return (((a & kLast[axis]) >> (kShift[axis] * (kSide - 1))) & b & kFirst[axis]) != 0;
}

Places bit(int place) { return Places{1} << place; }

}  // namespace

int CellParts::place_of(const CellPlace& at, const Vec3& x) const {
  const Vec3 local = (x - grid_.corner_of(at)) * (kSide / grid_.size);
  int place = 0;
  for (int k = 0; k < 3; ++k) {
    place = kSide * place + std::clamp(static_cast<int>(std::floor(local[k])), 0, kSide - 1);
  }
  return place;
}

Vec3 CellParts::center_of(const CellPlace& at, int place) const {
  const CellPlace local = {place / (kSide * kSide), place / kSide % kSide, place % kSide};
  return grid_.corner_of(at) + Vec3(local[0] + 0.5, local[1] + 0.5, local[2] + 0.5) * (grid_.size / kSide);
}

CellParts::CellParts(const CellGrid& grid, const Mesh& surface, const TriangleTree& tree)
    : grid_(grid), inside_(grid.states.size(), 0), divided_(grid.states.size(), kNone) {
  sample(tree);
  std::map<CellPlace, std::vector<Index>> triangles;
  for (size_t t = 0; t < surface.triangles.size(); ++t) {
    grid_.for_each_touched(gather_corners(surface, surface.triangles[t]),
                           [&](const CellPlace& at) { triangles[at].push_back(static_cast<Index>(t)); });
  }
  for (auto& [at, list] : triangles) divide(surface, tree, at, list);
  for (int i = 0; i < grid_.counts[0]; ++i) {
    for (int j = 0; j < grid_.counts[1]; ++j) {
      for (int k = 0; k < grid_.counts[2]; ++k) link_by_places({i, j, k});
    }
  }
  link_by_triangles(surface);
  join_at_neighbors();
}

// Which places are inside. Eight at a time where the surface is too far to pass between them.
void CellParts::sample(const TriangleTree& tree) {
  const double half = grid_.size / 4, reach = std::sqrt(3.0) * grid_.size / 8;
  exec::parallel_for("lattice.parts", grid_.states.size(), [&](size_t cell) {
    if (grid_.states[cell] == CellState::Unknown) inside_[cell] = kAll;
    if (grid_.states[cell] != CellState::Skin) return;
    const auto rest = static_cast<int>(cell % (static_cast<size_t>(grid_.counts[1]) * grid_.counts[2]));
    const CellPlace at = {static_cast<int>(cell / (static_cast<size_t>(grid_.counts[1]) * grid_.counts[2])),
                          rest / grid_.counts[2], rest % grid_.counts[2]};
    for (int block = 0; block < 8; ++block) {
      const CellPlace first = {2 * (block / 4), 2 * (block / 2 % 2), 2 * (block % 2)};
      const Vec3 center = grid_.corner_of(at) + Vec3(first[0] + 1, first[1] + 1, first[2] + 1) * half;
      const double distance = tree.compute_signed_distance(center);
      for (int k = 0; k < 8; ++k) {
        const int place = ((first[0] + k / 4) * kSide + first[1] + k / 2 % 2) * kSide + first[2] + k % 2;
        const bool is_inside =
            std::abs(distance) > reach ? distance < 0 : tree.is_inside(center_of(at, place));
        if (is_inside) inside_[cell] |= bit(place);
      }
    }
  });
}

namespace {

// What is in a cell: first the sets of places, then the triangles.
struct CellContents {
  std::vector<Places> places;
  std::vector<Index> triangles;
  std::vector<Vec3> points;  // of each triangle, in the cell
};

// Triangles that share an edge in the cell are one.
void join_by_edges(const Mesh& surface, const CellContents& contents, const Vec3& center, double half,
                   DisjointSets& sets) {
  const size_t first = contents.places.size();
  std::map<Edge, size_t> seen;
  for (size_t k = 0; k < contents.triangles.size(); ++k) {
    const Triangle& t = surface.triangles[contents.triangles[k]];
    for (int i = 0; i < 3; ++i) {
      const auto [a, b] = std::minmax(t[i], t[(i + 1) % 3]);
      const auto [other, is_new] = seen.emplace(Edge{a, b}, k);
      if (is_new) continue;
      const std::array<Vec3, 3> edge = {surface.points[a], surface.points[b], surface.points[b]};
      if (touches_box(edge, center, Vec3::Constant(half))) sets.join(first + k, first + other->second);
    }
  }
}

// Whether the way between two points of the surface is inside.
bool is_joined(const TriangleTree& tree, const Vec3& a, const Vec3& b) {
  for (const double s : {0.25, 0.5, 0.75}) {
    if (!tree.is_inside((1 - s) * a + s * b)) return false;
  }
  return true;
}

// A patch without places behind it is the side of a wall thinner than a place, and one with the other side;
// or what is behind it is in the next cell.
void join_thin_walls(const TriangleTree& tree, const CellContents& contents, DisjointSets& sets) {
  const size_t first = contents.places.size();
  for (size_t k = 0; k < contents.triangles.size(); ++k) {
    if (sets.find(first + k) != first + k) continue;      // one of each patch, if it has nothing behind
    std::map<size_t, std::pair<double, size_t>> nearest;  // of every other patch: distance, triangle
    for (size_t j = 0; j < contents.triangles.size(); ++j) {
      const size_t other = sets.find(first + j);
      if (other == first + k) continue;
      const double distance = (contents.points[j] - contents.points[k]).norm();
      const auto [found, is_new] = nearest.try_emplace(other, distance, j);
      if (!is_new) found->second = std::min(found->second, {distance, j});
    }
    for (const auto& [other, candidate] : nearest) {
      if (is_joined(tree, contents.points[k], contents.points[candidate.second])) sets.join(first + k, other);
    }
  }
}

}  // namespace

// The set of places behind a triangle, as far as it is in the cell; kNone if none is found.
int CellParts::find_behind(const CellPlace& at, const std::vector<Places>& places,
                           const std::array<Vec3, 3>& triangle, const Vec3& start) const {
  const Vec3 lower = grid_.corner_of(at), upper = lower + Vec3::Constant(grid_.size);
  const Vec3 normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]).normalized();
  for (double depth = kBehindStep; depth <= kBehind; depth += kBehindStep) {
    const Vec3 x = start - depth * grid_.size * normal;
    if ((x.array() < lower.array()).any() || (x.array() > upper.array()).any()) break;
    for (size_t set = 0; set < places.size(); ++set) {
      if ((places[set] & bit(place_of(at, x))) != 0) return static_cast<int>(set);
    }
  }
  return kNone;
}

void CellParts::divide(const Mesh& surface, const TriangleTree& tree, const CellPlace& at,
                       const std::vector<Index>& triangles) {
  const Vec3 lower = grid_.corner_of(at), upper = lower + Vec3::Constant(grid_.size);
  CellContents contents{split(inside_[grid_.index(at)]), triangles, {}};
  const size_t count = contents.places.size();
  DisjointSets sets(count + triangles.size());
  for (size_t k = 0; k < triangles.size(); ++k) {
    const std::array<Vec3, 3> corners = gather_corners(surface, surface.triangles[triangles[k]]);
    contents.points.push_back(
        find_nearest_point((lower + upper) / 2, corners).cwiseMax(lower).cwiseMin(upper));
    const int behind = find_behind(at, contents.places, corners, contents.points.back());
    if (behind != kNone) sets.join(static_cast<size_t>(behind), count + k);
  }
  join_by_edges(surface, contents, (lower + upper) / 2, grid_.size / 2, sets);
  join_thin_walls(tree, contents, sets);
  DividedCell cell;
  std::map<size_t, int> part_of;  // by set
  for (size_t k = 0; k < count + triangles.size(); ++k) {
    const auto [part, is_new] = part_of.emplace(sets.find(k), static_cast<int>(cell.parts.size()));
    if (is_new) cell.parts.push_back(0);
    if (k < count) {
      cell.parts[part->second] |= contents.places[k];
    } else {
      const Index triangle = triangles[k - count];
      cell.pieces.push_back({triangle, gather_corners(surface, surface.triangles[triangle]), part->second});
    }
  }
  if (cell.parts.size() == 1) return;
  divided_[grid_.index(at)] = static_cast<Index>(cells_.size());
  cells_.push_back(std::move(cell));
}

std::span<const CellParts::Places> CellParts::parts_of(size_t cell) const {
  if (divided_[cell] == kNone) return {&inside_[cell], 1};
  return cells_[divided_[cell]].parts;
}

int CellParts::count(size_t cell) const { return static_cast<int>(parts_of(cell).size()); }

void CellParts::link_by_places(const CellPlace& at) {
  if (!grid_.is_kept(at)) return;
  const std::span<const Places> own = parts_of(grid_.index(at));
  for (int axis = 0; axis < 3; ++axis) {
    CellPlace next = at;
    ++next[axis];
    if (!grid_.has(next) || !grid_.is_kept(next)) continue;
    const std::span<const Places> others = parts_of(grid_.index(next));
    for (size_t a = 0; a < own.size(); ++a) {
      for (size_t b = 0; b < others.size(); ++b) {
        if (meet(own[a], others[b], axis)) {
          links_.push_back({at, next, static_cast<int>(a), static_cast<int>(b)});
        }
      }
    }
  }
}

int CellParts::part_of_triangle(size_t cell, Index triangle) const {
  if (divided_[cell] == kNone) return 0;
  const std::vector<Piece>& pieces = cells_[divided_[cell]].pieces;
  const auto found = std::lower_bound(pieces.begin(), pieces.end(), triangle,
                                      [](const Piece& piece, Index id) { return piece.triangle < id; });
  return found->part;
}

void CellParts::link_by_triangles(const Mesh& surface) {
  std::vector<Index> last(inside_.size(), kNone);  // by cell, the last triangle that touches it
  std::vector<CellPlace> touched;
  for (size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto triangle = static_cast<Index>(t);
    touched.clear();
    grid_.for_each_touched(gather_corners(surface, surface.triangles[t]), [&](const CellPlace& at) {
      touched.push_back(at);
      last[grid_.index(at)] = triangle;
    });
    for (const CellPlace& at : touched) {
      // Those of the 26 neighbours that come later.
      for (int n = 14; n < 27; ++n) {
        const CellPlace next = {at[0] + n / 9 - 1, at[1] + n / 3 % 3 - 1, at[2] + n % 3 - 1};
        if (!grid_.has(next) || last[grid_.index(next)] != triangle) continue;
        links_.push_back({at, next, part_of_triangle(grid_.index(at), triangle),
                          part_of_triangle(grid_.index(next), triangle)});
      }
    }
  }
}

// Parts of a cell that are linked to the same part of another one are near each other in the solid too: they
// are one after all. Links count as they were found, so that this does not go on from cell to cell.
void CellParts::join_at_neighbors() {
  using Part = std::pair<size_t, int>;  // of a cell
  std::vector<std::map<Part, size_t>> first_to(
      cells_.size());  // per divided cell: who was the first to link to it
  std::vector<DisjointSets> sets;
  for (const DividedCell& cell : cells_) sets.emplace_back(cell.parts.size());
  const auto note = [&](size_t cell, int part, const Part& other) {
    if (divided_[cell] == kNone) return;
    const auto own = static_cast<size_t>(part);
    const auto [first, is_new] = first_to[divided_[cell]].try_emplace(other, own);
    if (!is_new) sets[divided_[cell]].join(first->second, own);
  };
  for (const Link& link : links_) {
    const size_t a = grid_.index(link.at_a), b = grid_.index(link.at_b);
    note(a, link.part_a, {b, link.part_b});
    note(b, link.part_b, {a, link.part_a});
  }
  std::vector<std::vector<int>> numbers;  // the new ones, by cell and part
  for (size_t c = 0; c < cells_.size(); ++c) {
    DividedCell& cell = cells_[c];
    std::vector<Places> parts;
    numbers.emplace_back(cell.parts.size());
    for (size_t part = 0; part < cell.parts.size(); ++part) {
      const size_t root = sets[c].find(part);
      if (root == part) {
        numbers[c][part] = static_cast<int>(parts.size());
        parts.push_back(0);
      }
      numbers[c][part] = numbers[c][root];
      parts[numbers[c][part]] |= cell.parts[part];
    }
    cell.parts = std::move(parts);
    for (Piece& piece : cell.pieces) piece.part = numbers[c][piece.part];
  }
  for (Link& link : links_) {
    const Index a = divided_[grid_.index(link.at_a)], b = divided_[grid_.index(link.at_b)];
    if (a != kNone) link.part_a = numbers[a][link.part_a];
    if (b != kNone) link.part_b = numbers[b][link.part_b];
  }
}

int CellParts::find_part(const CellPlace& at, const Vec3& x) const {
  const size_t cell = grid_.index(at);
  if (divided_[cell] == kNone) return 0;
  const DividedCell& divided = cells_[divided_[cell]];
  int nearest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (const Piece& piece : divided.pieces) {
    const double distance = (find_nearest_point(x, piece.corners) - x).norm();
    if (distance < least) {
      least = distance;
      nearest = piece.part;
    }
  }
  if (least < kOnSurface * grid_.size) return nearest;
  for (size_t part = 0; part < divided.parts.size(); ++part) {
    if ((divided.parts[part] & bit(place_of(at, x))) != 0) return static_cast<int>(part);
  }
  return nearest;
}

}  // namespace marrow
