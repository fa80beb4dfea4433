// Conforming tet meshes from a lattice of cells, each cut into the six Kuhn tets around one of its diagonals.
//
// The tet of the axis order (p, q, r) has the corners o, o+p, o+p+q, o+p+q+r of its cell. Mirroring the cut
// along an axis in whole layers of cells keeps neighbours conforming, and lets all diagonals point towards
// the middle.
#pragma once

#include <array>
#include <functional>

#include "mesh/mesh.h"

namespace marrow {

// A point of the lattice: coordinates from 0 to the number of cells.
using LatticePoint = std::array<int, 3>;

// Along one axis, which layers of cells have the mirrored cut.
enum class MirrorCut { Nowhere, FirstHalf, Everywhere };

struct TetGrid {
  std::array<int, 3> cells = {1, 1, 1};
  std::array<MirrorCut, 3> mirror = {MirrorCut::FirstHalf, MirrorCut::FirstHalf, MirrorCut::FirstHalf};
  bool is_loop = false;  // the ends of the last axis are one and the same layer of points

  // Which points belong to the body; empty for all. Tets with all corners inside are kept, so the border must
  // run along faces of the cut.
  std::function<bool(const LatticePoint&)> is_inside = {};
};

// The tets of the grid, positively oriented if place keeps the handedness, and their boundary. Points are
// numbered along the last axis first.
Mesh build_tet_grid(const TetGrid& grid, const std::function<Vec3(const LatticePoint&)>& place);

}  // namespace marrow
