#include "preprocess/volume/cell_grid.h"

#include "mesh/point_box.h"

namespace marrow {
namespace {

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

CellGrid::CellGrid(const Mesh& surface, int cells) {
  const Eigen::AlignedBox3d box = compute_box(surface.points);
  size = std::max(box.sizes().maxCoeff(), 1e-300) / cells;
  // A layer of cells around, so that the outside is connected.
  for (int k = 0; k < 3; ++k) counts[k] = static_cast<int>(std::ceil(box.sizes()[k] / size + 0.02)) + 2;
  const Vec3 extent = size * Vec3(counts[0], counts[1], counts[2]);
  origin = box.center() - extent / 2;
  states.assign(static_cast<size_t>(counts[0]) * counts[1] * counts[2], CellState::Unknown);
  for (const Triangle& t : surface.triangles) {
    for_each_touched(gather_corners(surface, t),
                     [&](const CellPlace& at) { states[index(at)] = CellState::Skin; });
  }
  flood();
}

// From a corner, which is outside, through the faces of cells.
void CellGrid::flood() {
  std::vector<CellPlace> todo = {{0, 0, 0}};
  states[0] = CellState::Outside;
  while (!todo.empty()) {
    const CellPlace cell = todo.back();
    todo.pop_back();
    for (int axis = 0; axis < 3; ++axis) {
      for (const int step : {-1, 1}) {
        CellPlace next = cell;
        next[axis] += step;
        if (!has(next)) continue;
        CellState& state = states[index(next)];
        if (state != CellState::Unknown) continue;
        state = CellState::Outside;
        todo.push_back(next);
      }
    }
  }
}

// One of the cells around the corner, which is the last corner of the cell before it, is kept if that is
// missing; false if nothing is.
bool CellGrid::close_corner(const CellPlace& corner) {
  // The eight cells by the bits of their number; neighbours by a face differ in one bit.
  std::array<bool, 8> kept = {};
  std::array<CellPlace, 8> places;
  for (size_t c = 0; c < 8; ++c) {
    places[c] = {corner[0] - 1 + static_cast<int>(c >> 2), corner[1] - 1 + static_cast<int>(c >> 1 & 1),
                 corner[2] - 1 + static_cast<int>(c & 1)};
    kept[c] = has(places[c]) && is_kept(places[c]);
  }
  for (const bool state : {true, false}) {
    std::array<size_t, 8> set = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int round = 0; round < 8; ++round) {
      for (size_t c = 0; c < 8; ++c) {
        for (const size_t bit : {1U, 2U, 4U}) {
          if (kept[c] == state && kept[c ^ bit] == state)
            set[c] = set[c ^ bit] = std::min(set[c], set[c ^ bit]);
        }
      }
    }
    size_t first = 8;  // of this state
    for (size_t c = 0; c < 8; ++c) {
      if (kept[c] != state) continue;
      if (first == 8) first = c;
      if (set[c] == set[first]) continue;
      // Others apart: this one is kept. Kept cells apart: a cell on the way from one to the other is.
      size_t chosen = !state && has(places[c]) ? c : first;
      for (const size_t bit : {1U, 2U, 4U}) {
        if (!state || ((first ^ c) & bit) == 0) continue;
        for (const size_t way : {first ^ bit, c ^ bit}) {
          if (!kept[way] && has(places[way])) chosen = way;
        }
      }
      if (kept[chosen] || !has(places[chosen])) continue;
      states[index(places[chosen])] = CellState::Skin;
      return true;
    }
  }
  return false;
}

void CellGrid::close_corners() {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (int i = 0; i <= counts[0]; ++i) {
      for (int j = 0; j <= counts[1]; ++j) {
        for (int k = 0; k <= counts[2]; ++k) {
          while (close_corner({i, j, k})) has_changed = true;
        }
      }
    }
  }
}

}  // namespace marrow
