// Collects the simplices of a file that may be curved, and holds them to one order.
#pragma once

#include <fmt/format.h>

#include <span>

#include "core/error.h"
#include "mesh/io/curved_file.h"

namespace marrow {

// The most nodes that a simplex has: those of a tet of order 4.
inline constexpr size_t kMostSimplexNodes = 35;

// The order of a simplex with so many nodes, up to 4; 0 if there is none.
inline int find_simplex_order(int dimension, size_t nodes) {
  for (int p = 1; p <= 4; ++p) {
    const int count = dimension == 1   ? p + 1
                      : dimension == 2 ? (p + 1) * (p + 2) / 2
                                       : (p + 1) * (p + 2) * (p + 3) / 6;
    if (static_cast<size_t>(count) == nodes) return p;
  }
  return 0;
}

class CurvedSimplices {
 public:
  // source has just read a simplex of this dimension and order, or a polygon of order 1.
  template <class Source>
  void take_order(const Source& source, int dimension, int order) {
    if (order_ == 0) {
      order_ = order;
      dimension_ = dimension;
    }
    if (order == order_) return;
    source.fail(fmt::format("{} of order {} and {} of order {} are in one file", name_of(dimension_), order_,
                            name_of(dimension), order),
                "All elements of a mesh must have the same order; export them in files of their own, or set "
                "one order for the whole mesh.");
  }

  // Nodes of a tet in Gmsh's order.
  void add_tet(std::span<const Index> nodes, Mesh& mesh) {
    mesh.tets.push_back({nodes[0], nodes[1], nodes[2], nodes[3]});
    if (nodes.size() > 4) tet_nodes_.insert(tet_nodes_.end(), nodes.begin(), nodes.end());
  }

  CurvedFile finish(Mesh mesh, const std::string& name) {
    CurvedFile file{std::move(mesh), std::max(order_, 1), std::move(tet_nodes_)};
    if (file.is_curved() && file.mesh.tets.empty()) {
      throw InputError({name, 0, 0, {}},
                       fmt::format("the file has {} of order {}, but no tets", name_of(dimension_), order_),
                       "Only tets can be curved; mesh again with order 1.");
    }
    return file;
  }

 private:
  static const char* name_of(int dimension) {
    return dimension == 1 ? "lines" : dimension == 2 ? "triangles" : "tets";
  }

  int order_ = 0;      // of the first simplex; 0: there was none
  int dimension_ = 0;  // of the first simplex
  std::vector<Index> tet_nodes_;
};

CurvedFile parse_curved_msh(std::string_view bytes, const std::string& name);
CurvedFile parse_curved_vtk(std::string_view bytes, const std::string& name);
std::string format_curved_vtk(const CurvedFile& file, MeshEncoding encoding);

}  // namespace marrow
