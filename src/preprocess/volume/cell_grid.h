// Cubes around a surface: which of them a triangle touches, and which are outside.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "mesh/mesh.h"

namespace marrow {

// Unknown: inside, or in a cavity.
enum class CellState : std::uint8_t { Unknown, Skin, Outside };

using CellPlace = std::array<int, 3>;

class CellGrid {
 public:
  // cells: along the longest side of the surface's box.
  CellGrid() = default;
  CellGrid(const Mesh& surface, int cells);

  size_t index(const CellPlace& at) const {
    return (static_cast<size_t>(at[0]) * counts[1] + static_cast<size_t>(at[1])) * counts[2] +
           static_cast<size_t>(at[2]);
  }
  bool has(const CellPlace& at) const {
    for (int k = 0; k < 3; ++k) {
      if (at[k] < 0 || at[k] >= counts[k]) return false;
    }
    return true;
  }
  bool is_kept(const CellPlace& at) const { return states[index(at)] != CellState::Outside; }
  Vec3 corner_of(const CellPlace& at) const { return origin + size * Vec3(at[0], at[1], at[2]); }

  // Visits the cells that a triangle touches, with their places.
  template <typename Visit>
  void for_each_touched(const std::array<Vec3, 3>& triangle, const Visit& visit) const;

  // Keeps more cells, as cells that a triangle touches, until the cells around every corner that are kept
  // hang together by faces, and so do the others.
  void close_corners();

  double size = 0;  // edge of a cell [m]
  Vec3 origin = Vec3::Zero();
  CellPlace counts = {0, 0, 0};
  std::vector<CellState> states;

 private:
  void flood();
  bool close_corner(const CellPlace& corner);
};

// Whether a triangle touches a closed box.
bool touches_box(const std::array<Vec3, 3>& triangle, const Vec3& center, const Vec3& half);

// The corners of a triangle of a mesh.
inline std::array<Vec3, 3> gather_corners(const Mesh& mesh, const Triangle& t) {
  return {mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]};
}

template <typename Visit>
void CellGrid::for_each_touched(const std::array<Vec3, 3>& triangle, const Visit& visit) const {
  // A hair wider than the triangle, so that points on the faces of cells are in a kept cell.
  const Vec3 half = Vec3::Constant(size * (0.5 + 1e-9));
  CellPlace lower, upper;
  for (int k = 0; k < 3; ++k) {
    const auto [least, most] = std::minmax({triangle[0][k], triangle[1][k], triangle[2][k]});
    lower[k] = std::max(0, static_cast<int>(std::floor((least - origin[k]) / size - 1e-6)));
    upper[k] = std::min(counts[k] - 1, static_cast<int>(std::floor((most - origin[k]) / size + 1e-6)));
  }
  for (int i = lower[0]; i <= upper[0]; ++i) {
    for (int j = lower[1]; j <= upper[1]; ++j) {
      for (int k = lower[2]; k <= upper[2]; ++k) {
        const CellPlace at = {i, j, k};
        const Vec3 center = corner_of(at) + Vec3::Constant(size / 2);
        if (touches_box(triangle, center, half)) visit(at);
      }
    }
  }
}

}  // namespace marrow
