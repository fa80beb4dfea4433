// The nodes of a tet of order p are the points with barycentric coordinates a/p, a four whole numbers with
// the sum p. The lattice of order n also numbers the Bernstein polynomials of degree n.
//
// Order of the nodes, as Gmsh has it: the corners; the inner nodes of the edges 01, 12, 20, 30, 32, 31, each
// from its first to its second corner; those of the faces 021, 013, 032, 312, each in the order of a triangle
// of order p − 3; those inside, in the order of a tet of order p − 4. VTK differs in edges and faces.
#pragma once

#include <array>
#include <vector>

#include "core/types.h"

namespace marrow {

inline constexpr int kMostOrder = 4;  // of bodies

using LatticePoint4 = std::array<int, 4>;

// (n + 1)(n + 2)(n + 3)/6.
constexpr int count_lattice(int order) { return (order + 1) * (order + 2) * (order + 3) / 6; }

// In Gmsh's order.
std::vector<LatticePoint4> list_lattice(int order);

// Where VTK's node i of a Lagrange tet is in Gmsh's order.
std::vector<int> list_vtk_order(int order);

// Finds the number of a lattice point.
class LatticeNumbers {
 public:
  explicit LatticeNumbers(int order);
  int operator[](const LatticePoint4& a) const { return numbers_[place(a)]; }

 private:
  size_t place(const LatticePoint4& a) const {
    return static_cast<size_t>((a[1] * side_ + a[2]) * side_ + a[3]);
  }

  int side_;
  std::vector<int> numbers_;
};

}  // namespace marrow
