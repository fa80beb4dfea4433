// Small meshes that fit each format, and every pair of format and encoding, for the batteries.
#pragma once

#include <string>
#include <vector>

#include "mesh/io/mesh_file.h"

namespace marrow {

struct FileKind {
  MeshFormat format;
  MeshEncoding encoding;
  MshVersion version = MshVersion::V41;

  std::string bytes(const Mesh& mesh) const {
    return format == MeshFormat::Msh ? format_msh(mesh, encoding, version)
                                     : format_mesh(format, mesh, encoding);
  }
  Mesh parse(std::string_view text) const { return parse_mesh(format, text, "mesh"); }
  std::string name() const {
    return std::string(enum_name(format)) + "_" + enum_name(encoding) +
           (version == MshVersion::V22 ? "_22" : "");
  }
};

inline std::vector<FileKind> all_file_kinds() {
  std::vector<FileKind> kinds;
  for (int f = 0; f < kMeshFormatCount; ++f) {
    for (const MeshEncoding encoding : {MeshEncoding::Ascii, MeshEncoding::Binary}) {
      const auto format = static_cast<MeshFormat>(f);
      if (!has_encoding(format, encoding)) continue;
      kinds.push_back({format, encoding});
      if (format == MeshFormat::Msh) kinds.push_back({format, encoding, MshVersion::V22});
    }
  }
  return kinds;
}

// Drops what the format cannot hold.
inline Mesh keep_what_fits(Mesh mesh, MeshFormat format) {
  using enum MeshFormat;
  const bool holds_tets = format == Msh || format == Vtk || format == TetGen;
  const bool holds_edges = format != Stl && format != Off && format != TetGen;
  if (!holds_tets) mesh.tets.clear();
  if (!holds_edges) mesh.edges.clear();
  if (format != Ply && format != Ma) mesh.radii.clear();
  return mesh;
}

// Two tets with a wing of triangles, a wire and a loose point; awkward doubles unless the format is single
// precision.
inline Mesh sample_mesh(const FileKind& kind) {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1.5}, {-2.25, 1e-3, 7}};
  if (kind.format != MeshFormat::Stl) {
    mesh.points[4] = {1.0 / 3, 0.1, 1e-300};
    mesh.points[5] = {-0.0, 5e-324, 1.7976931348623157e308};
    mesh.points.push_back({3.141592653589793, -2.718281828459045e-15, 123456789.12345679});
  } else {
    mesh.points[5] = {-2.25, 0.5, 7};
  }
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 4, 2}, {0, 3, 5}};
  mesh.edges = {{0, 4}, {3, 5}};
  mesh.tets = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  for (size_t i = 0; i < mesh.points.size(); ++i) mesh.radii.push_back(0.1 * static_cast<double>(i));
  return keep_what_fits(mesh, kind.format);
}

inline bool operator==(const Mesh& a, const Mesh& b) {
  return a.points == b.points && a.radii == b.radii && a.edges == b.edges && a.triangles == b.triangles &&
         a.tets == b.tets;
}

}  // namespace marrow
