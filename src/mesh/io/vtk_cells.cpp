#include "mesh/io/vtk_cells.h"

#include <fmt/format.h>

#include <optional>

#include "mesh/io/mesh_formats.h"

namespace marrow {
namespace {

// The number of points of a cell type: exactly or, for the kinds of any length, at least.
struct CellSize {
  size_t count;
  bool is_exact;
};

std::optional<CellSize> cell_size(int type) {
  switch (type) {
    case kVtkVertex:
      return CellSize{1, true};
    case kVtkPolyVertex:
      return CellSize{0, false};
    case kVtkLine:
      return CellSize{2, true};
    case kVtkPolyLine:
      return CellSize{2, false};
    case kVtkTriangle:
      return CellSize{3, true};
    case kVtkTriangleStrip:
      return CellSize{3, false};
    case kVtkPolygon:
      return CellSize{3, false};
    case kVtkPixel:
      return CellSize{4, true};
    case kVtkQuad:
      return CellSize{4, true};
    case kVtkTetra:
      return CellSize{4, true};
    default:
      return std::nullopt;
  }
}

void add_cell(int type, std::span<const Index> v, Mesh& mesh, Polygons& polygons) {
  switch (type) {
    case kVtkLine:
    case kVtkPolyLine:
      add_polyline(v, mesh.edges);
      break;
    case kVtkTriangle:
    case kVtkPolygon:
    case kVtkQuad:
      polygons.add(v, mesh.triangles);
      break;
    case kVtkPixel:
      polygons.add(std::array{v[0], v[1], v[3], v[2]}, mesh.triangles);
      break;
    case kVtkTriangleStrip:
      for (size_t i = 2; i < v.size(); ++i) {
        const bool is_odd = i % 2 == 1;
        mesh.triangles.push_back({v[i - 2], is_odd ? v[i] : v[i - 1], is_odd ? v[i - 1] : v[i]});
      }
      break;
    case kVtkTetra:
      mesh.tets.push_back({v[0], v[1], v[2], v[3]});
      break;
    default:
      break;  // vertices: the points themselves
  }
}

}  // namespace

void VtkCells::add(size_t number, int type, std::span<const Index> v, Mesh& mesh, Polygons& polygons) const {
  if (curved_ != nullptr && add_curved(number, type, v, mesh, polygons)) return;
  const std::optional<CellSize> size = cell_size(type);
  if (!size) {
    fail_(
        fmt::format("cell {} has type {}, which is not supported", number, type),
        curved_ != nullptr
            ? "Supported are cells 1 to 10, and curves, triangles and tets of order 2 to 4 (21, 22, 24, 68, "
              "69, 71)."
            : "Supported are vertices, lines, triangles, strips, polygons, pixels, quads and linear tets (1 "
              "to 10).");
    return;
  }
  if (v.size() < size->count || (size->is_exact && v.size() != size->count)) {
    fail_(fmt::format("cell {} of type {} has {} points", number, type, v.size()), "");
  }
  add_cell(type, v, mesh, polygons);
}

// Answers false for straight cells, whose order is taken.
bool VtkCells::add_curved(size_t number, int type, std::span<const Index> v, Mesh& mesh,
                          Polygons& polygons) const {
  const int dimension = find_curved_dimension(type);
  if (dimension == 0) {
    const int straight = find_straight_dimension(type);
    if (straight > 0) curved_->take_order(Source{fail_}, straight, 1);
    return false;
  }
  const int order = find_simplex_order(dimension, v.size());
  const bool is_quadratic = type < kVtkLagrangeCurve;
  if (order == 0 || (is_quadratic && order != 2)) {
    fail_(fmt::format("cell {} of type {} has {} points", number, type, v.size()),
          is_quadratic
              ? "Quadratic edges, triangles and tets have 3, 6 and 10."
              : "Lagrange cells of order 1 to 4 are read: curves of 2 to 5 points, triangles of 3, 6, "
                "10 or 15, tets of 4, 10, 20 or 35.");
  }
  curved_->take_order(Source{fail_}, dimension, order);
  if (dimension == 1) add_polyline(v.first(2), mesh.edges);
  if (dimension == 2) polygons.add(v.first(3), mesh.triangles);
  if (dimension == 3) {
    const std::span<const int> places = list_vtk_places(order);
    std::array<Index, kMostSimplexNodes> nodes = {};
    for (size_t k = 0; k < v.size(); ++k) nodes[static_cast<size_t>(places[k])] = v[k];
    curved_->add_tet({nodes.data(), v.size()}, mesh);
  }
  return true;
}

}  // namespace marrow
