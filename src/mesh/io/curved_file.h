// Mesh files whose tets may be curved: of order 1 to 4, all simplices of a file of the same order.
//
//   Msh   types 4, 11, 29, 30; on the boundary 1, 8, 26, 27 and 2, 9, 21, 23
//   Vtk   legacy files: cells 10, 24 and 71; on the boundary 3, 21, 68 and 5, 22, 69
//   Vtu   the same cells in XML (vtu.cpp)
//
// All other formats are read as read_mesh does. Nodes are in Gmsh's order, whatever the file has
// (geometry/curved/lattice.h).
#pragma once

#include <span>

#include "mesh/io/mesh_file.h"

namespace marrow {

struct CurvedFile {
  Mesh mesh;  // of order above 1: its points are the nodes, its simplices have the corners only
  int order = 1;
  std::vector<Index> tet_nodes = {};  // of order above 1: (p + 1)(p + 2)(p + 3)/6 per tet

  bool is_curved() const { return order > 1; }
};

// Throws InputError. Reads .vtu too, in which no other reader takes meshes.
CurvedFile read_curved_file(const std::string& path);
CurvedFile parse_vtu_mesh(std::string_view bytes, const std::string& name);
CurvedFile parse_curved_file(MeshFormat format, std::string_view bytes, const std::string& name);

// The bytes of a file; edges and triangles are left out where the tets are curved. Throws OutputError for
// formats without curved tets.
std::string format_curved_file(MeshFormat format, const CurvedFile& file, MeshEncoding encoding);
std::string format_curved_msh(const CurvedFile& file, MeshEncoding encoding, MshVersion version);

// Writes a file by its extension, in binary form. All or nothing; throws OutputError.
void write_curved_file(const std::string& path, const CurvedFile& file);

// Where node i of VTK's tet of this order is in Gmsh's order; empty beyond order 4.
std::span<const int> list_vtk_places(int order);

}  // namespace marrow
