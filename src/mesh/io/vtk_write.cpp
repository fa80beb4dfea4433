// Writes legacy VTK files, version 3, as UNSTRUCTURED_GRID, ASCII or binary (big-endian).
#include <fmt/format.h>

#include "mesh/io/curved_simplices.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/vtk_cells.h"

namespace marrow {
namespace {

template <class Visit>
void for_each_cell(const Mesh& mesh, const Visit& visit) {
  for (const Edge& e : mesh.edges) visit(kVtkLine, std::span<const Index>(e));
  for (const Triangle& t : mesh.triangles) visit(kVtkTriangle, std::span<const Index>(t));
  for (const Tet& t : mesh.tets) visit(kVtkTetra, std::span<const Index>(t));
}

struct CellCounts {
  size_t cells;
  size_t entries;
};

CellCounts count_cells(const Mesh& mesh) {
  return {mesh.edges.size() + mesh.triangles.size() + mesh.tets.size(),
          3 * mesh.edges.size() + 4 * mesh.triangles.size() + 5 * mesh.tets.size()};
}

std::string header_text(const Mesh& mesh, const char* encoding) {
  return fmt::format(
      "# vtk DataFile Version 3.0\nmesh written by Marrow\n{}\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
      encoding, mesh.points.size());
}

std::string format_vtk_ascii(const Mesh& mesh) {
  const CellCounts counts = count_cells(mesh);
  TextWriter out;
  out.text(header_text(mesh, "ASCII"));
  for (const Vec3& p : mesh.points) out.point(p);
  out.text("CELLS ").number(counts.cells).number(counts.entries, '\n');
  for_each_cell(mesh, [&](int, std::span<const Index> v) { out.number(v.size()).element(v); });
  out.text("CELL_TYPES ").number(counts.cells, '\n');
  for_each_cell(mesh, [&](int type, std::span<const Index>) { out.number(type, '\n'); });
  return out.take();
}

std::string format_vtk_binary(const Mesh& mesh) {
  const CellCounts counts = count_cells(mesh);
  ByteWriter out(std::endian::big);
  out.text(header_text(mesh, "BINARY"));
  for (const Vec3& p : mesh.points) out.point<double>(p);
  out.text(fmt::format("\nCELLS {} {}\n", counts.cells, counts.entries));
  for_each_cell(mesh, [&](int, std::span<const Index> v) {
    out.value(static_cast<std::int32_t>(v.size()));
    for (const Index i : v) out.value(i);
  });
  out.text(fmt::format("\nCELL_TYPES {}\n", counts.cells));
  for_each_cell(mesh, [&](int type, std::span<const Index>) { out.value(std::int32_t{type}); });
  out.text("\n");
  return out.take();
}

}  // namespace

// Lagrange tets only.
std::string format_curved_vtk(const CurvedFile& file, MeshEncoding encoding) {
  const std::span<const int> places = list_vtk_places(file.order);
  const size_t count = file.mesh.tets.size(), nodes = places.size();
  const auto node = [&](size_t t, size_t i) {
    return file.tet_nodes[t * nodes + static_cast<size_t>(places[i])];
  };
  const std::string cells = fmt::format("CELLS {} {}\n", count, count * (1 + nodes));
  if (encoding == MeshEncoding::Ascii) {
    TextWriter out;
    out.text(header_text(file.mesh, "ASCII"));
    for (const Vec3& p : file.mesh.points) out.point(p);
    out.text(cells);
    for (size_t t = 0; t < count; ++t) {
      out.number(nodes);
      for (size_t i = 0; i < nodes; ++i) out.number(node(t, i), i + 1 == nodes ? '\n' : ' ');
    }
    out.text("CELL_TYPES ").number(count, '\n');
    for (size_t t = 0; t < count; ++t) out.number(static_cast<int>(kVtkLagrangeTetra), '\n');
    return out.take();
  }
  ByteWriter out(std::endian::big);
  out.text(header_text(file.mesh, "BINARY"));
  for (const Vec3& p : file.mesh.points) out.point<double>(p);
  out.text("\n" + cells);
  for (size_t t = 0; t < count; ++t) {
    out.value(static_cast<std::int32_t>(nodes));
    for (size_t i = 0; i < nodes; ++i) out.value(node(t, i));
  }
  out.text(fmt::format("\nCELL_TYPES {}\n", count));
  for (size_t t = 0; t < count; ++t) out.value(std::int32_t{kVtkLagrangeTetra});
  out.text("\n");
  return out.take();
}

std::string format_vtk(const Mesh& mesh, MeshEncoding encoding) {
  return encoding == MeshEncoding::Ascii ? format_vtk_ascii(mesh) : format_vtk_binary(mesh);
}

}  // namespace marrow
