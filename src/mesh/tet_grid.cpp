#include "mesh/tet_grid.h"

#include <utility>

#include "mesh/surface.h"

namespace marrow {
namespace {

struct AxisOrder {
  std::array<size_t, 3> axes;
  bool is_even;
};

constexpr AxisOrder kAxisOrders[6] = {{{0, 1, 2}, true},  {{0, 2, 1}, false}, {{1, 2, 0}, true},
                                      {{1, 0, 2}, false}, {{2, 0, 1}, true},  {{2, 1, 0}, false}};

// The mesh point of every lattice point; kNone outside the body.
class PointNumbers {
 public:
  explicit PointNumbers(const TetGrid& grid) : grid_(grid) {
    const std::array<int, 3>& n = grid.cells;
    sizes_ = {n[0] + 1, n[1] + 1, grid.is_loop ? n[2] : n[2] + 1};
    numbers_.assign(
        static_cast<size_t>(sizes_[0]) * static_cast<size_t>(sizes_[1]) * static_cast<size_t>(sizes_[2]),
        kNone);
  }

  Index& at(const LatticePoint& p) {
    const int k = grid_.is_loop && p[2] == grid_.cells[2] ? 0 : p[2];
    const size_t row = static_cast<size_t>(p[0]) * static_cast<size_t>(sizes_[1]) + static_cast<size_t>(p[1]);
    return numbers_[row * static_cast<size_t>(sizes_[2]) + static_cast<size_t>(k)];
  }

  const std::array<int, 3>& sizes() const { return sizes_; }

 private:
  const TetGrid& grid_;
  std::array<int, 3> sizes_ = {};
  std::vector<Index> numbers_;
};

template <class Visit>
void for_each_lattice_point(const std::array<int, 3>& sizes, const Visit& visit) {
  for (int i = 0; i < sizes[0]; ++i) {
    for (int j = 0; j < sizes[1]; ++j) {
      for (int k = 0; k < sizes[2]; ++k) visit(LatticePoint{i, j, k});
    }
  }
}

bool is_mirrored(const TetGrid& grid, size_t axis, int cell) {
  switch (grid.mirror[axis]) {
    case MirrorCut::Nowhere:
      return false;
    case MirrorCut::FirstHalf:
      return cell < grid.cells[axis] / 2;
    case MirrorCut::Everywhere:
      return true;
  }
  return false;
}

// Adds the tets of one cell that lie inside.
void add_cell(const TetGrid& grid, const LatticePoint& cell, PointNumbers& numbers, std::vector<Tet>& tets) {
  // The start of the walks along the axes, and their directions.
  LatticePoint start = cell;
  std::array<int, 3> step = {1, 1, 1};
  bool mirrored = false;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (!is_mirrored(grid, axis, cell[axis])) continue;
    ++start[axis];
    step[axis] = -1;
    mirrored = !mirrored;
  }
  for (const AxisOrder& order : kAxisOrders) {
    LatticePoint p = start;
    Tet tet = {numbers.at(p), kNone, kNone, kNone};
    bool inside = tet[0] != kNone;
    for (size_t i = 0; i < 3; ++i) {
      p[order.axes[i]] += step[order.axes[i]];
      tet[i + 1] = numbers.at(p);
      inside = inside && tet[i + 1] != kNone;
    }
    if (order.is_even == mirrored) std::swap(tet[2], tet[3]);
    if (inside) tets.push_back(tet);
  }
}

}  // namespace

Mesh build_tet_grid(const TetGrid& grid, const std::function<Vec3(const LatticePoint&)>& place) {
  Mesh mesh;
  PointNumbers numbers(grid);
  for_each_lattice_point(numbers.sizes(), [&](const LatticePoint& p) {
    if (grid.is_inside && !grid.is_inside(p)) return;
    numbers.at(p) = static_cast<Index>(mesh.points.size());
    mesh.points.push_back(place(p));
  });
  for_each_lattice_point(grid.cells,
                         [&](const LatticePoint& cell) { add_cell(grid, cell, numbers, mesh.tets); });
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

}  // namespace marrow
