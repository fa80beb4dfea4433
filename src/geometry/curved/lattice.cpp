#include "geometry/curved/lattice.h"

#include <algorithm>

namespace marrow {
namespace {

using Corners2 = std::array<size_t, 2>;
using Corners3 = std::array<size_t, 3>;

struct Numbering {
  std::array<Corners2, 6> edges;
  std::array<Corners3, 4> faces;
};

constexpr Numbering kGmsh = {{{{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}}},
                             {{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {3, 1, 2}}}};
constexpr Numbering kVtk = {{{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}},
                            {{{0, 1, 3}, {2, 3, 1}, {0, 3, 2}, {0, 2, 1}}}};

std::vector<std::array<int, 3>> list_triangle(int order) {
  if (order == 0) return {{0, 0, 0}};
  std::vector<std::array<int, 3>> nodes;
  for (size_t v = 0; v < 3; ++v) {
    nodes.push_back({0, 0, 0});
    nodes.back()[v] = order;
  }
  for (size_t v = 0; v < 3; ++v) {
    for (int k = 1; k < order; ++k) {
      nodes.push_back({0, 0, 0});
      nodes.back()[v] = order - k;
      nodes.back()[(v + 1) % 3] = k;
    }
  }
  if (order < 3) return nodes;
  for (const auto& inner : list_triangle(order - 3))
    nodes.push_back({inner[0] + 1, inner[1] + 1, inner[2] + 1});
  return nodes;
}

std::vector<LatticePoint4> list_tet(int order, const Numbering& numbering) {
  if (order == 0) return {{0, 0, 0, 0}};
  std::vector<LatticePoint4> nodes;
  const auto add = [&]() -> LatticePoint4& { return nodes.emplace_back(LatticePoint4{0, 0, 0, 0}); };
  for (size_t v = 0; v < 4; ++v) add()[v] = order;
  for (const auto& [a, b] : numbering.edges) {
    for (int k = 1; k < order; ++k) {
      LatticePoint4& node = add();
      node[a] = order - k;
      node[b] = k;
    }
  }
  for (const Corners3& face : numbering.faces) {
    if (order < 3) break;
    for (const auto& inner : list_triangle(order - 3)) {
      LatticePoint4& node = add();
      for (size_t c = 0; c < 3; ++c) node[face[c]] = inner[c] + 1;
    }
  }
  if (order < 4) return nodes;
  for (const LatticePoint4& inner : list_tet(order - 4, numbering)) {
    nodes.push_back({inner[0] + 1, inner[1] + 1, inner[2] + 1, inner[3] + 1});
  }
  return nodes;
}

}  // namespace

std::vector<LatticePoint4> list_lattice(int order) { return list_tet(order, kGmsh); }

std::vector<int> list_vtk_order(int order) {
  const LatticeNumbers numbers(order);
  std::vector<int> list;
  for (const LatticePoint4& node : list_tet(order, kVtk)) list.push_back(numbers[node]);
  return list;
}

LatticeNumbers::LatticeNumbers(int order) : side_(order + 1) {
  numbers_.assign(static_cast<size_t>(side_ * side_ * side_), -1);
  int next = 0;
  for (const LatticePoint4& a : list_lattice(order)) numbers_[place(a)] = next++;
}

}  // namespace marrow
