// Reading and writing meshes, by file extension or from memory.
//
// What each format can hold (points always; loose points are legal everywhere but in STL):
//
//   Obj     .obj .seg .pt   edges, triangles                ASCII           polygons are cut into triangles
//   Stl     .stl            triangles                       ASCII, binary   single precision in binary form
//   Ply     .ply            radii, edges, triangles         ASCII, binary   binary of either byte order
//   Off     .off            triangles                       ASCII
//   Msh     .msh            edges, triangles, tets          ASCII, binary   Gmsh 2.2 and 4.1
//   Vtk     .vtk            edges, triangles, tets          ASCII, binary   legacy files
//   TetGen  .node + .ele    triangles (.face), tets         ASCII           either name finds the others
//   Ma      .ma .mat        radii, edges, triangles         ASCII           medial meshes
//
// STL has no shared points: equal corners are merged when read, numbered by first use, and points of no
// triangle are not written. All other round trips are exact. Readers never correct a file: NaN, an index out
// of range, a count that cannot fit, a truncated file or a mesh without points is an InputError that names
// line or byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/options.h"
#include "mesh/mesh.h"

namespace marrow {

enum class MeshFormat { Obj, Stl, Ply, Off, Msh, Vtk, TetGen, Ma };
inline constexpr int kMeshFormatCount = 8;

template <>
struct EnumNames<MeshFormat> {
  static constexpr const char* names[] = {"OBJ", "STL", "PLY", "OFF", "MSH", "VTK", "TetGen", "MA"};
};

enum class MeshEncoding { Ascii, Binary };

template <>
struct EnumNames<MeshEncoding> {
  static constexpr const char* names[] = {"ASCII", "binary"};
};

// Versions of Gmsh's format that we write.
enum class MshVersion { V22, V41 };

// Reads a mesh in the format its extension names, upper or lower case. Throws InputError.
Mesh read_mesh(const std::string& path);

// Writes a mesh in the format its extension names, in binary form where there is one. All or nothing; throws
// OutputError, also if the format cannot hold what the mesh has. TetGen: writes .node, .ele and, if there are
// triangles, .face.
void write_mesh(const std::string& path, const Mesh& mesh);
void write_mesh(const std::string& path, const Mesh& mesh, MeshEncoding encoding);

// Reads a mesh from memory; name stands for the file in errors. TetGen: the texts of .node, .ele and .face,
// one after the other.
Mesh parse_mesh(MeshFormat format, std::string_view bytes, const std::string& name);

// The bytes of a mesh file. Throws OutputError if the format cannot hold the mesh or has no such encoding.
std::string format_mesh(MeshFormat format, const Mesh& mesh, MeshEncoding encoding);

// As format_mesh, with a choice of version.
std::string format_msh(const Mesh& mesh, MeshEncoding encoding, MshVersion version);

bool has_encoding(MeshFormat format, MeshEncoding encoding);

// The format of a file name. Throws InputError for an unknown extension.
MeshFormat mesh_format_of(const std::string& path);

// With the dot and in lower case: ".obj", ".stl", …
const std::vector<std::string>& mesh_extensions();

}  // namespace marrow
