#include "preprocess/volume/lattice.h"

#include <algorithm>
#include <cmath>

#include "core/disjoint_sets.h"
#include "exec/parallel.h"
#include "mesh/mesh_summary.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

constexpr std::array<std::array<int, 3>, 6> kAxisOrders = {
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};

// The corners of a Kuhn tet, positively oriented. Odd axis orders have two of them exchanged.
std::array<std::array<int, 3>, 4> kuhn_corners(int order) {
  std::array<std::array<int, 3>, 4> corners = {};
  for (int c = 1; c < 4; ++c) {
    corners[c] = corners[c - 1];
    corners[c][kAxisOrders[order][c - 1]] = 1;
  }
  if (order >= 3) std::swap(corners[1], corners[2]);
  return corners;
}

// Numbers of the lattice's points, in the order in which they are asked for.
class Corners {
 public:
  Corners(const CellGrid& grid, const std::optional<CellParts>& parts) : grid_(grid), counts_(grid.counts) {
    for (int& count : counts_) ++count;
    if (!parts) {
      numbers_.assign(static_cast<size_t>(counts_[0]) * counts_[1] * counts_[2], kNone);
      return;
    }
    // Every part of every cell has eight corners of its own; links make them the same.
    first_.resize(grid.states.size());
    size_t total = 0;
    for (size_t cell = 0; cell < grid.states.size(); ++cell) {
      first_[cell] = total;
      if (grid.states[cell] != CellState::Outside) total += 8 * static_cast<size_t>(parts->count(cell));
    }
    numbers_.assign(total, kNone);
    sets_.emplace(total);
    for (const CellParts::Link& link : parts->links()) join(link);
  }

  // corner: 0 or 1 along each axis.
  Index number(const CellPlace& at, int part, const CellPlace& corner, Points& points) {
    const CellPlace place = {at[0] + corner[0], at[1] + corner[1], at[2] + corner[2]};
    const size_t which =
        sets_ ? sets_->find(item(at, part, corner))
              : (static_cast<size_t>(place[0]) * counts_[1] + static_cast<size_t>(place[1])) * counts_[2] +
                    static_cast<size_t>(place[2]);
    if (numbers_[which] == kNone) {
      numbers_[which] = static_cast<Index>(points.size());
      points.push_back(grid_.corner_of(place));
    }
    return numbers_[which];
  }

 private:
  size_t item(const CellPlace& at, int part, const CellPlace& corner) const {
    return first_[grid_.index(at)] + 8 * static_cast<size_t>(part) +
           static_cast<size_t>(4 * corner[0] + 2 * corner[1] + corner[2]);
  }

  void join(const CellParts::Link& link) {
    for (int c = 0; c < 8; ++c) {
      const CellPlace a = {c / 4, c / 2 % 2, c % 2};
      CellPlace b = a;
      bool is_shared = true;
      for (int k = 0; k < 3; ++k) {
        b[k] -= link.at_b[k] - link.at_a[k];
        is_shared = is_shared && (b[k] == 0 || b[k] == 1);
      }
      if (is_shared) sets_->join(item(link.at_a, link.part_a, a), item(link.at_b, link.part_b, b));
    }
  }

  const CellGrid& grid_;
  CellPlace counts_;
  std::vector<Index> numbers_;
  std::vector<size_t> first_;  // by cell
  std::optional<DisjointSets> sets_;
};

// Adds the tets of a part of a cell. Where its corners are those of an earlier part, which others join to it,
// the tets are too.
void add_part(const CellPlace& at, int part, Corners& corners, Lattice& lattice) {
  const size_t cell = lattice.grid.index(at);
  const auto first = static_cast<size_t>(lattice.first_tets[cell]);
  for (int order = 0; order < 6; ++order) {
    Tet tet;
    const auto places = kuhn_corners(order);
    for (int c = 0; c < 4; ++c) tet[c] = corners.number(at, part, places[c], lattice.mesh.points);
    auto number = static_cast<Index>(lattice.mesh.tets.size());
    for (int earlier = 0; earlier < part; ++earlier) {
      const Index other = lattice.tets[first + 6 * static_cast<size_t>(earlier) + static_cast<size_t>(order)];
      if (lattice.mesh.tets[other] == tet) number = other;
    }
    lattice.tets.push_back(number);
    if (number < static_cast<Index>(lattice.mesh.tets.size())) continue;
    lattice.mesh.tets.push_back(tet);
    lattice.fills.push_back(lattice.grid.states[cell] == CellState::Skin ? 0 : 1);
  }
}

// Returns the cells that the surface touches.
std::vector<CellPlace> add_cells(Lattice& lattice) {
  const CellGrid& grid = lattice.grid;
  Corners corners(grid, lattice.parts);
  std::vector<CellPlace> skin;
  lattice.first_tets.assign(grid.states.size(), kNone);
  for (int i = 0; i < grid.counts[0]; ++i) {
    for (int j = 0; j < grid.counts[1]; ++j) {
      for (int k = 0; k < grid.counts[2]; ++k) {
        const CellPlace at = {i, j, k};
        const size_t cell = grid.index(at);
        if (grid.states[cell] == CellState::Outside) continue;
        if (grid.states[cell] == CellState::Skin) {
          skin.push_back(at);
        } else {
          ++lattice.inner_cells;
        }
        lattice.first_tets[cell] = static_cast<Index>(lattice.tets.size());
        const int count = lattice.parts ? lattice.parts->count(cell) : 1;
        for (int part = 0; part < count; ++part) add_part(at, part, corners, lattice);
      }
    }
  }
  return skin;
}

// The fraction of each tet of the skin that is inside, from four points (the Gauss points of degree two).
// These miss what is thinner than a cell, so the fractions are scaled: all tets together have the solid's
// volume.
void measure_fills(const TriangleTree& tree, double volume, const std::vector<CellPlace>& skin,
                   Lattice& lattice) {
  constexpr double kNear = 0.5854101966249685, kFar = 0.1381966011250105;
  exec::parallel_for("lattice.fill", skin.size(), [&](size_t k) {
    for (int order = 0; order < 6; ++order) {
      const auto places = kuhn_corners(order);
      for (int corner = 0; corner < 4; ++corner) {
        Vec3 local = Vec3::Zero();
        for (int c = 0; c < 4; ++c) {
          local += (c == corner ? kNear : kFar) * Vec3(places[c][0], places[c][1], places[c][2]);
        }
        const Vec3 x = lattice.grid.corner_of(skin[k]) + lattice.grid.size * local;
        if (tree.is_inside(x)) lattice.fills[lattice.find_tet(skin[k], x, order)] += 0.25;
      }
    }
  });
  std::vector<size_t> cut;
  for (const CellPlace& at : skin) {
    const size_t cell = lattice.grid.index(at);
    const int count = lattice.parts ? lattice.parts->count(cell) : 1;
    const auto first = lattice.tets.begin() + lattice.first_tets[cell];
    cut.insert(cut.end(), first, first + 6 * count);
  }
  std::sort(cut.begin(), cut.end());
  cut.erase(std::unique(cut.begin(), cut.end()), cut.end());
  const double tet = std::pow(lattice.grid.size, 3) / 6;
  const double wanted = volume / tet - 6.0 * lattice.inner_cells;
  if (!(wanted > 0)) return;
  double sum = 0;
  for (const size_t k : cut) sum += lattice.fills[k];
  for (const size_t k : cut) {
    lattice.fills[k] = sum > 0 ? lattice.fills[k] * (wanted / sum) : wanted / static_cast<double>(cut.size());
  }
}

size_t count_pieces(const Mesh& mesh) {
  DisjointSets sets(mesh.points.size());
  for (const Tet& t : mesh.tets) {
    for (int c = 1; c < 4; ++c) sets.join(static_cast<size_t>(t[0]), static_cast<size_t>(t[c]));
  }
  return sets.count_sets();
}

}  // namespace

Index Lattice::find_tet(const CellPlace& at, const Vec3& x, int order) const {
  const int part = parts ? parts->find_part(at, x) : 0;
  return tets[static_cast<size_t>(first_tets[grid.index(at)]) + 6 * static_cast<size_t>(part) +
              static_cast<size_t>(order)];
}

EmbeddedPoint Lattice::locate(const Vec3& x) const {
  // The cell of the point, or the nearest kept one.
  CellPlace at;
  for (int k = 0; k < 3; ++k) {
    at[k] =
        std::clamp(static_cast<int>(std::floor((x[k] - grid.origin[k]) / grid.size)), 0, grid.counts[k] - 1);
  }
  CellPlace best = at;
  double least = std::numeric_limits<double>::infinity();
  const int widest = *std::max_element(grid.counts.begin(), grid.counts.end());
  for (int reach = 0; reach <= widest && !std::isfinite(least); ++reach) {
    for (int i = std::max(0, at[0] - reach); i <= std::min(grid.counts[0] - 1, at[0] + reach); ++i) {
      for (int j = std::max(0, at[1] - reach); j <= std::min(grid.counts[1] - 1, at[1] + reach); ++j) {
        for (int k = std::max(0, at[2] - reach); k <= std::min(grid.counts[2] - 1, at[2] + reach); ++k) {
          if (first_tets[grid.index({i, j, k})] == kNone) continue;
          const Vec3 center = grid.corner_of({i, j, k}) + Vec3::Constant(grid.size / 2);
          const double squared = (center - x).squaredNorm();
          if (squared < least) {
            least = squared;
            best = {i, j, k};
          }
        }
      }
    }
  }
  // The Kuhn tet is that of the order of the local coordinates.
  const Vec3 local = ((x - grid.corner_of(best)) / grid.size).cwiseMax(0).cwiseMin(1);
  int order = 0;
  for (int o = 0; o < 6; ++o) {
    const auto& axes = kAxisOrders[o];
    if (local[axes[0]] >= local[axes[1]] && local[axes[1]] >= local[axes[2]]) {
      order = o;
      break;
    }
  }
  const auto& axes = kAxisOrders[order];
  EmbeddedPoint point;
  point.tet = find_tet(best, x, order);
  point.weights = {1 - local[axes[0]], local[axes[0]] - local[axes[1]], local[axes[1]] - local[axes[2]],
                   local[axes[2]]};
  if (order >= 3) std::swap(point.weights[1], point.weights[2]);
  return point;
}

Lattice build_lattice(const Mesh& surface, const TriangleTree& tree, int cells, LatticeSolid solid,
                      LatticeBoundary boundary) {
  Lattice lattice;
  lattice.grid = CellGrid(surface, cells);
  if (boundary == LatticeBoundary::Manifold) lattice.grid.close_corners();
  if (solid == LatticeSolid::ClosedInParts) lattice.parts.emplace(lattice.grid, surface, tree);
  const std::vector<CellPlace> skin = add_cells(lattice);
  if (solid == LatticeSolid::Open) {
    std::fill(lattice.fills.begin(), lattice.fills.end(), 1.0);
  } else {
    measure_fills(tree, compute_enclosed_volume(surface.points, surface.triangles), skin, lattice);
  }
  lattice.mesh.triangles = extract_surface(lattice.mesh.tets);
  if (solid == LatticeSolid::ClosedInParts && count_pieces(lattice.mesh) > 1) {
    Lattice whole = build_lattice(surface, tree, cells, LatticeSolid::Closed);
    if (count_pieces(whole.mesh) < count_pieces(lattice.mesh)) return whole;
  }
  return lattice;
}

}  // namespace marrow
