// Writes PLY files with double coordinates, ASCII or binary little-endian.
#include <fmt/format.h>

#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"

namespace marrow {
namespace {

std::string format_header(const Mesh& mesh, MeshEncoding encoding) {
  std::string text =
      fmt::format("ply\nformat {} 1.0\nelement vertex {}\n",
                  encoding == MeshEncoding::Ascii ? "ascii" : "binary_little_endian", mesh.points.size());
  text += "property double x\nproperty double y\nproperty double z\n";
  if (!mesh.radii.empty()) text += "property double radius\n";
  if (!mesh.edges.empty()) {
    text += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n", mesh.edges.size());
  }
  if (!mesh.triangles.empty()) {
    text += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", mesh.triangles.size());
  }
  return text + "end_header\n";
}

std::string format_ply_ascii(const Mesh& mesh) {
  TextWriter out;
  out.text(format_header(mesh, MeshEncoding::Ascii));
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    out.point(mesh.points[i], mesh.radii.empty() ? '\n' : ' ');
    if (!mesh.radii.empty()) out.number(mesh.radii[i], '\n');
  }
  for (const Edge& e : mesh.edges) out.element(e);
  for (const Triangle& t : mesh.triangles) out.text("3 ").element(t);
  return out.take();
}

std::string format_ply_binary(const Mesh& mesh) {
  ByteWriter out(std::endian::little);
  out.text(format_header(mesh, MeshEncoding::Binary));
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    out.point<double>(mesh.points[i]);
    if (!mesh.radii.empty()) out.value(mesh.radii[i]);
  }
  for (const Edge& e : mesh.edges) {
    for (const Index v : e) out.value(v);
  }
  for (const Triangle& t : mesh.triangles) {
    out.value(std::uint8_t{3});
    for (const Index v : t) out.value(v);
  }
  return out.take();
}

}  // namespace

std::string format_ply(const Mesh& mesh, MeshEncoding encoding) {
  return encoding == MeshEncoding::Ascii ? format_ply_ascii(mesh) : format_ply_binary(mesh);
}

}  // namespace marrow
