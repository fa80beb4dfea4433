// The exact messages of the commonest mistakes in mesh files.
#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "mesh/io/mesh_file.h"

namespace marrow {
namespace {

std::string message(MeshFormat format, const std::string& text) {
  try {
    parse_mesh(format, text, "m");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

constexpr const char* kNotTogether = "\n  The element list and the point list do not match.";
constexpr const char* kCutOff = "\n  The file is cut off; export it again.";

TEST(MeshErrors, obj) {
  using enum MeshFormat;
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(message(Obj, points + "f 1 2 4\n"),
            std::string("m:4:7: face or line 1 names point 4, but points run from 1 to 3") + kNotTogether);
  EXPECT_EQ(message(Obj, points + "f 1 2 0\n"), "m:4:7: the point number is 0\n  OBJ counts points from 1.");
  EXPECT_EQ(message(Obj, points + "f 1 2 -4\n"),
            "m:4:7: the point number -4 counts back beyond the first of the 3 points so far");
  EXPECT_EQ(message(Obj, points + "f 1 2\n"), "m:4:5: a face needs at least 3 corners, but has 2");
  EXPECT_EQ(message(Obj, points + "f 1 2 3x\n"),
            "m:4:7: this is not a corner of the form 7, 7/1, 7//1 or 7/1/1");
  EXPECT_EQ(
      message(Obj, "v 0 nan 0\n"),
      "m:1:5: the coordinate is not finite\n  NaN and infinity are not allowed in a mesh; export it again.");
  EXPECT_EQ(message(Obj, "v 0 1e999 0\n"),
            "m:1:5: a coordinate '1e999' is out of range\n  Write a smaller number.");
  EXPECT_EQ(message(Obj, "v 0 1,5 0\n"), "m:1:5: '1,5' is not a valid number; a coordinate is expected");
  EXPECT_EQ(message(Obj, "v 0"),
            std::string("m:1:4: the file ends where a coordinate is expected") + kCutOff);
  EXPECT_EQ(message(Obj, "v 0 0\n"),
            "m:1:6: a point needs three coordinates, but has two\n"
            "  2D meshes are not supported; give every point a third coordinate.");
  EXPECT_EQ(message(Obj, ""),
            "m: the mesh is empty: it has no points\n  Export it again, or name another file.");
}

TEST(MeshErrors, wrong_magic) {
  using enum MeshFormat;
  EXPECT_EQ(message(Ply, "plx\n"),
            "m:1:1: a PLY file starts with the word ply\n  Check the format, or export it again.");
  EXPECT_EQ(message(Off, "3 1 0\n"),
            "m:1:1: an OFF file starts with the word OFF\n  Check the format, or export it again.");
  EXPECT_EQ(message(Msh, "$Nodes\n"),
            "m:1:1: a Gmsh file starts with $MeshFormat\n  Check the format; version 1 files must be "
            "converted by Gmsh.");
  EXPECT_EQ(message(Vtk, "<VTKFile>\n"),
            "m:1:1: a VTK file starts with '# vtk DataFile Version'\n"
            "  Only the legacy format is supported; export .vtk, not .vtu or .vtp.");
  EXPECT_EQ(message(Stl, "hello\n"),
            "m: this is not an STL file: it neither starts with 'solid' nor has a binary header\n"
            "  Check the format, or export it again.");
}

TEST(MeshErrors, counts_beyond_the_file_allocate_nothing) {
  using enum MeshFormat;
  EXPECT_EQ(message(Off, "OFF\n2000000000 1 0\n0 0 0\n"),
            "m:2:1: the file announces 2000000000 points, but only 11 bytes follow\n"
            "  The file is cut off, or the count is wrong.");
  EXPECT_EQ(message(Off, "OFF\n-5 1 0\n"),
            "m:2:1: the number of points is -5\n  It must be between 0 and 2147483647.");
  EXPECT_EQ(message(Ma, "99999 0 0\nv 0 0 0 1\n"),
            "m:1:1: the file announces 99999 spheres, but only 15 bytes follow\n"
            "  The file is cut off, or the count is wrong.");
  const std::string ply =
      "ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\nproperty float x\n"
      "property float y\nproperty float z\nend_header\n";
  EXPECT_EQ(message(Ply, ply + "123456789012"),
            "m: at byte 124: the file announces 2000000000 elements, but only 12 bytes follow\n"
            "  The file is cut off, or the count is wrong.");
  std::string stl(80, ' ');
  stl += "\xff\xff\xff\x7f";
  EXPECT_EQ(message(Stl, stl),
            "m: at byte 80: the file announces 2147483647 triangles, but only 0 bytes follow\n"
            "  The file is cut off, or the count is wrong.");
}

TEST(MeshErrors, indices_out_of_range) {
  using enum MeshFormat;
  EXPECT_EQ(message(Off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
            std::string("m:6:7: face 0 names point 3, but points run from 0 to 2") + kNotTogether);
  EXPECT_EQ(message(Ma, "2 1 0\nv 0 0 0 1\nv 1 0 0 1\ne 0 2\n"),
            std::string("m:4:5: edge 0 names point 2, but points run from 0 to 1") + kNotTogether);
  EXPECT_EQ(message(TetGen, "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n1 4 0\n1 1 2 3 5\n"),
            std::string("m:7:9: tet 1 names point 5, but points run from 1 to 4") + kNotTogether);
  EXPECT_EQ(
      message(Msh,
              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n5 0 0 0\n9 1 0 0\n$EndNodes\n"
              "$Elements\n1\n7 1 0 5 6\n$EndElements\n"),
      "m:11:9: element 7 names node 6, which does not exist\n  The file has 2 nodes with tags from 5 to 9.");
}

TEST(MeshErrors, medial_radii) {
  EXPECT_EQ(message(MeshFormat::Ma, "1 0 0\nv 0 0 0 -0\n"),
            "m:2:9: sphere 0 has the negative radius -0\n"
            "  Radii must be 0 or above; -0 is a sign of a failed computation.");
  EXPECT_EQ(message(MeshFormat::Ma, "2 0 0\nv 0 0 0 1\n# one is missing\n"),
            "m:4:1: the first line announces 2 spheres, but there are 1\n"
            "  The file is cut off or was edited by hand.");
}

TEST(MeshErrors, unsupported_elements_are_named) {
  EXPECT_EQ(
      message(MeshFormat::Msh,
              "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n"
              "$Elements\n1\n1 11 0 1 1 1 1 1 1 1 1 1 1\n$EndElements\n"),
      "m:10:3: the file has elements of type 11 (second-order tet), which are not supported\n"
      "  Supported are points, lines, triangles, quads and tets of first order; mesh again with order 1.");
  EXPECT_EQ(message(MeshFormat::Msh, "$MeshFormat\n4 0 8\n$EndMeshFormat\n"),
            "m:2:1: version 4 of Gmsh's format is not supported\n"
            "  Save it as version 4.1 or 2.2: gmsh -save -format msh41.");
}

}  // namespace
}  // namespace marrow
