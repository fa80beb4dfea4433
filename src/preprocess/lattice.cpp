#include "preprocess/lattice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "exec/parallel.h"
#include "geometry/mesh_summary.h"
#include "geometry/point_box.h"
#include "geometry/surface.h"

namespace marrow {
namespace {

enum class CellState : std::uint8_t { Unknown, Skin, Outside };

constexpr std::array<std::array<int, 3>, 6> kAxisOrders = {
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};

// The cells of a lattice and what is known of them.
class CellGrid {
 public:
  CellGrid(const Mesh& surface, int cells) {
    const Eigen::AlignedBox3d box = compute_box(surface.points);
    size = std::max(box.sizes().maxCoeff(), 1e-300) / cells;
    // A layer of cells around, so that the outside is connected.
    for (int k = 0; k < 3; ++k) counts[k] = static_cast<int>(std::ceil(box.sizes()[k] / size + 0.02)) + 2;
    const Vec3 extent = size * Vec3(counts[0], counts[1], counts[2]);
    origin = box.center() - extent / 2;
    states.assign(static_cast<size_t>(counts[0]) * counts[1] * counts[2], CellState::Unknown);
    for (const Triangle& t : surface.triangles) mark_skin(surface, t);
    flood();
  }

  size_t index(int i, int j, int k) const {
    return (static_cast<size_t>(i) * counts[1] + static_cast<size_t>(j)) * counts[2] + static_cast<size_t>(k);
  }

  double size = 0;
  Vec3 origin = Vec3::Zero();
  std::array<int, 3> counts = {0, 0, 0};
  std::vector<CellState> states;

 private:
  void mark_skin(const Mesh& surface, const Triangle& t) {
    const std::array<Vec3, 3> corners = {surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]};
    // A hair wider than the triangle, so that points on the faces of cells are in a kept cell.
    const Vec3 half = Vec3::Constant(size * (0.5 + 1e-9));
    std::array<int, 3> lower, upper;
    for (int k = 0; k < 3; ++k) {
      const auto [least, most] = std::minmax({corners[0][k], corners[1][k], corners[2][k]});
      lower[k] = std::max(0, static_cast<int>(std::floor((least - origin[k]) / size - 1e-6)));
      upper[k] = std::min(counts[k] - 1, static_cast<int>(std::floor((most - origin[k]) / size + 1e-6)));
    }
    for (int i = lower[0]; i <= upper[0]; ++i) {
      for (int j = lower[1]; j <= upper[1]; ++j) {
        for (int k = lower[2]; k <= upper[2]; ++k) {
          CellState& state = states[index(i, j, k)];
          if (state == CellState::Skin) continue;
          const Vec3 center = origin + size * Vec3(i + 0.5, j + 0.5, k + 0.5);
          if (touches_box(corners, center, half)) state = CellState::Skin;
        }
      }
    }
  }

  // From a corner, which is outside, through the faces of cells.
  void flood() {
    std::vector<std::array<int, 3>> todo = {{0, 0, 0}};
    states[0] = CellState::Outside;
    while (!todo.empty()) {
      const std::array<int, 3> cell = todo.back();
      todo.pop_back();
      for (int axis = 0; axis < 3; ++axis) {
        for (const int step : {-1, 1}) {
          std::array<int, 3> next = cell;
          next[axis] += step;
          if (next[axis] < 0 || next[axis] >= counts[axis]) continue;
          CellState& state = states[index(next[0], next[1], next[2])];
          if (state != CellState::Unknown) continue;
          state = CellState::Outside;
          todo.push_back(next);
        }
      }
    }
  }
};

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

void add_cells(const CellGrid& grid, Lattice& lattice) {
  const auto point_index = [&](int i, int j, int k) {
    return (static_cast<size_t>(i) * (grid.counts[1] + 1) + static_cast<size_t>(j)) * (grid.counts[2] + 1) +
           static_cast<size_t>(k);
  };
  std::vector<Index> numbers(point_index(grid.counts[0], grid.counts[1], grid.counts[2]) + 1, kNone);
  lattice.first_tets.assign(grid.states.size(), kNone);
  for (int i = 0; i < grid.counts[0]; ++i) {
    for (int j = 0; j < grid.counts[1]; ++j) {
      for (int k = 0; k < grid.counts[2]; ++k) {
        const CellState state = grid.states[grid.index(i, j, k)];
        if (state == CellState::Outside) continue;
        lattice.inner_cells += state == CellState::Unknown ? 1 : 0;
        lattice.first_tets[grid.index(i, j, k)] = static_cast<Index>(lattice.mesh.tets.size());
        for (int order = 0; order < 6; ++order) {
          Tet tet;
          const auto corners = kuhn_corners(order);
          for (int c = 0; c < 4; ++c) {
            const Vec3 place(i + corners[c][0], j + corners[c][1], k + corners[c][2]);
            Index& number = numbers[point_index(i + corners[c][0], j + corners[c][1], k + corners[c][2])];
            if (number == kNone) {
              number = static_cast<Index>(lattice.mesh.points.size());
              lattice.mesh.points.push_back(grid.origin + grid.size * place);
            }
            tet[c] = number;
          }
          lattice.mesh.tets.push_back(tet);
          lattice.fills.push_back(state == CellState::Unknown ? 1 : 0);
        }
      }
    }
  }
}

// The fraction of each tet of the skin that is inside, from four points (the Gauss points of degree two).
// These miss what is thinner than a cell, so the fractions are scaled: all tets together have the solid's
// volume.
void measure_fills(const TriangleTree& tree, double volume, Lattice& lattice) {
  std::vector<size_t> skin;
  for (size_t t = 0; t < lattice.fills.size(); ++t) {
    if (lattice.fills[t] == 0) skin.push_back(t);
  }
  constexpr double kNear = 0.5854101966249685, kFar = 0.1381966011250105;
  exec::parallel_for("lattice.fill", skin.size(), [&](size_t k) {
    const size_t t = skin[k];
    for (int corner = 0; corner < 4; ++corner) {
      Vec3 x = Vec3::Zero();
      for (int c = 0; c < 4; ++c) {
        x += (c == corner ? kNear : kFar) * lattice.mesh.points[lattice.mesh.tets[t][c]];
      }
      if (tree.is_inside(x)) lattice.fills[t] += 0.25;
    }
  });
  const double tet = lattice.cell * lattice.cell * lattice.cell / 6;
  const double wanted = volume / tet - 6.0 * lattice.inner_cells;
  if (!(wanted > 0)) return;
  double sum = 0;
  for (const size_t t : skin) sum += lattice.fills[t];
  for (const size_t t : skin) {
    lattice.fills[t] =
        sum > 0 ? lattice.fills[t] * (wanted / sum) : wanted / static_cast<double>(skin.size());
  }
}

// Whether the axis separates the triangle, given about the box's centre, from the box.
bool separates(const Vec3& axis, const std::array<Vec3, 3>& v, const Vec3& half) {
  const double a = axis.dot(v[0]), b = axis.dot(v[1]), c = axis.dot(v[2]);
  const double reach = half.dot(axis.cwiseAbs());
  return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
}

}  // namespace

bool touches_box(const std::array<Vec3, 3>& triangle, const Vec3& center, const Vec3& half) {
  const std::array<Vec3, 3> v = {triangle[0] - center, triangle[1] - center, triangle[2] - center};
  for (int axis = 0; axis < 3; ++axis) {
    if (separates(Vec3::Unit(axis), v, half)) return false;
  }
  if (separates((v[1] - v[0]).cross(v[2] - v[0]), v, half)) return false;
  for (int edge = 0; edge < 3; ++edge) {
    const Vec3 along = v[(edge + 1) % 3] - v[edge];
    for (int axis = 0; axis < 3; ++axis) {
      if (separates(Vec3::Unit(axis).cross(along), v, half)) return false;
    }
  }
  return true;
}

EmbeddedPoint Lattice::locate(const Vec3& x) const {
  // The cell of the point, or the nearest kept one.
  std::array<int, 3> at;
  for (int k = 0; k < 3; ++k) {
    at[k] = std::clamp(static_cast<int>(std::floor((x[k] - origin[k]) / cell)), 0, counts[k] - 1);
  }
  const auto first_of = [&](const std::array<int, 3>& c) {
    return first_tets[(static_cast<size_t>(c[0]) * counts[1] + static_cast<size_t>(c[1])) * counts[2] +
                      static_cast<size_t>(c[2])];
  };
  std::array<int, 3> best = at;
  double least = std::numeric_limits<double>::infinity();
  const int widest = *std::max_element(counts.begin(), counts.end());
  for (int reach = 0; reach <= widest && !std::isfinite(least); ++reach) {
    for (int i = std::max(0, at[0] - reach); i <= std::min(counts[0] - 1, at[0] + reach); ++i) {
      for (int j = std::max(0, at[1] - reach); j <= std::min(counts[1] - 1, at[1] + reach); ++j) {
        for (int k = std::max(0, at[2] - reach); k <= std::min(counts[2] - 1, at[2] + reach); ++k) {
          if (first_of({i, j, k}) == kNone) continue;
          const double squared = (origin + cell * Vec3(i + 0.5, j + 0.5, k + 0.5) - x).squaredNorm();
          if (squared < least) {
            least = squared;
            best = {i, j, k};
          }
        }
      }
    }
  }
  // The Kuhn tet is that of the order of the local coordinates.
  Vec3 local;
  for (int k = 0; k < 3; ++k) local[k] = std::clamp((x[k] - origin[k]) / cell - best[k], 0.0, 1.0);
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
  point.tet = first_of(best) + order;
  point.weights = {1 - local[axes[0]], local[axes[0]] - local[axes[1]], local[axes[1]] - local[axes[2]],
                   local[axes[2]]};
  if (order >= 3) std::swap(point.weights[1], point.weights[2]);
  return point;
}

Lattice build_lattice(const Mesh& surface, const TriangleTree& tree, int cells, bool is_closed) {
  const CellGrid grid(surface, cells);
  Lattice lattice;
  lattice.cell = grid.size;
  lattice.origin = grid.origin;
  lattice.counts = grid.counts;
  add_cells(grid, lattice);
  if (is_closed) {
    measure_fills(tree, compute_enclosed_volume(surface.points, surface.triangles), lattice);
  } else {
    std::fill(lattice.fills.begin(), lattice.fills.end(), 1.0);
  }
  lattice.mesh.triangles = extract_surface(lattice.mesh.tets);
  return lattice;
}

}  // namespace marrow
