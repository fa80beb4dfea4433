// Writes legacy VTK files, version 3, as UNSTRUCTURED_GRID, ASCII or binary (big-endian).
#include <fmt/format.h>

#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/vtk_cell.h"

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

std::string format_vtk(const Mesh& mesh, MeshEncoding encoding) {
  return encoding == MeshEncoding::Ascii ? format_vtk_ascii(mesh) : format_vtk_binary(mesh);
}

}  // namespace marrow
