// What of a solid is in a cell of a grid, and what of it is one: two legs that pass the same cell are two
// parts of it, and the cell is there twice, so that the lattice does not glue them (virtual nodes: Molino,
// Bao and Fedkiw 2004).
//
// A cell is looked at in 4 × 4 × 4 places, a bit each: whether the place is inside. Neighbouring places that
// are inside are one part, and so is what the surface joins: patches of triangles that meet in the cell,
// each with the places behind it, and the sides of a wall too thin for a place. Parts of neighbouring cells
// are linked where places that are inside meet at the face between them, or by a triangle that touches both.
// A gap thinner than a place may be missed; what is beside it is one then.
#pragma once

#include <span>

#include "preprocess/volume/cell_grid.h"
#include "preprocess/volume/triangle_tree.h"

namespace marrow {

class CellParts {
 public:
  // The surface is closed, and the grid is made for it.
  CellParts(const CellGrid& grid, const Mesh& surface, const TriangleTree& tree);

  // At least 1.
  int count(size_t cell) const;

  // The part that a point of the cell belongs to.
  int find_part(const CellPlace& at, const Vec3& x) const;

  // Parts of two neighbouring cells that are one.
  struct Link {
    CellPlace at_a, at_b;
    int part_a, part_b;
  };
  const std::vector<Link>& links() const { return links_; }

 private:
  using Places = std::uint64_t;  // a bit for each place of a cell

  struct Piece {
    Index triangle;
    std::array<Vec3, 3> corners;
    int part;
  };
  // A cell of more than one part.
  struct DividedCell {
    std::vector<Places> parts;
    std::vector<Piece> pieces;  // of the surface
  };

  void sample(const TriangleTree& tree);
  void divide(const Mesh& surface, const TriangleTree& tree, const CellPlace& at,
              const std::vector<Index>& triangles);
  void link_by_places(const CellPlace& at);
  void link_by_triangles(const Mesh& surface);
  void join_at_neighbors();
  int find_behind(const CellPlace& at, const std::vector<Places>& places, const std::array<Vec3, 3>& triangle,
                  const Vec3& start) const;
  int place_of(const CellPlace& at, const Vec3& x) const;
  Vec3 center_of(const CellPlace& at, int place) const;
  std::span<const Places> parts_of(size_t cell) const;
  int part_of_triangle(size_t cell, Index triangle) const;

  CellGrid grid_;
  std::vector<Places> inside_;  // by cell
  std::vector<Index> divided_;  // by cell; kNone: one part
  std::vector<DividedCell> cells_;
  std::vector<Link> links_;
};

}  // namespace marrow
