// What other programs write: the corners of each format beyond what we write ourselves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>

#include "core/error.h"
#include "core/file.h"
#include "core/refusal.h"
#include "geometry/mesh_samples.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/obj_details.h"

namespace marrow {
namespace {

Mesh parse(MeshFormat format, const std::string& text) { return parse_mesh(format, text, "m"); }

std::string refuse(MeshFormat format, const std::string& text) {
  return test::get_refusal([&] { parse(format, text); });
}

using Triangles = std::vector<Triangle>;
using Edges = std::vector<Edge>;

TEST(MeshVariants, obj_corner_forms_polygons_and_lines) {
  const Mesh mesh =
      parse(MeshFormat::Obj,
            "# comment\nmtllib a.mtl\no thing\nvn 0 0 1\nvt 0 0\nf 1/1/1 2//1 3/1 4  # ahead of its points\n"
            "v 0 0 0 1.0\nv 1 0 0\nv +1 1 0\n\n  v 0 1 0\ns off\nusemtl m\ng a b\n"
            "f -4 -3 -1\nl 1 2 3\np 1 2\nv 9 9 9");
  EXPECT_EQ(mesh.points.size(), 5u);
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 1, 3}}));
  EXPECT_EQ(mesh.edges, (Edges{{0, 1}, {1, 2}}));
}

// Twice the area of a polygon in the plane z = 0, anticlockwise.
double twice_area(const Points& corners) {
  double area = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Vec3 &a = corners[i], &b = corners[(i + 1) % corners.size()];
    area += a[0] * b[1] - a[1] * b[0];
  }
  return area;
}

// No triangle faces backwards, and together they have the area of the polygon: then they overlap nowhere.
void expect_cut(const Points& corners, const Mesh& mesh) {
  ASSERT_EQ(mesh.triangles.size(), corners.size() - 2);
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    sum += twice_area({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]});
    EXPECT_GT(twice_area({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]}), 0);
  }
  EXPECT_NEAR(sum, twice_area(corners), 1e-12 * std::abs(sum));
}

// An OBJ file with one face, from this corner on; the points come after it.
std::string obj_of_face(const Points& corners, size_t from) {
  std::string text = "f";
  for (size_t i = 0; i < corners.size(); ++i) {
    text += " " + std::to_string((from + i) % corners.size() + 1);
  }
  for (const Vec3& p : corners) text += fmt::format("\nv {} {} {}", p[0], p[1], p[2]);
  return text + "\n";
}

TEST(MeshVariants, faces_that_are_not_convex_are_cut_within_their_outline) {
  const Points angle = {{0, 0, 0}, {6, 0, 0}, {6, 1, 0}, {1, 1, 0}, {1, 4, 0}, {0, 4, 0}};
  const Points arrow = {{0, 0, 0}, {2, -1, 0}, {1, 0, 0}, {2, 1, 0}};
  Points comb = {{9, -1, 0}};
  for (int tooth = 9; tooth >= 0; --tooth) {
    comb.push_back({tooth + 0.25, 3, 0});
    comb.push_back({tooth - 0.25, 0, 0});
  }
  comb.push_back({-1, -1, 0});
  for (const Points& corners : {angle, arrow, comb}) {
    for (size_t from = 0; from < corners.size(); ++from) {
      expect_cut(corners, parse(MeshFormat::Obj, obj_of_face(corners, from)));
    }
  }
  std::mt19937 random(3);
  std::uniform_real_distribution<double> radius(0.05, 1);
  for (int n = 4; n < 40; ++n) {
    Points star;
    for (int i = 0; i < n; ++i) {
      const double angle_of = 2 * std::numbers::pi * i / n, r = radius(random);
      star.push_back({r * std::cos(angle_of), r * std::sin(angle_of), 0});
    }
    expect_cut(star, parse(MeshFormat::Obj, obj_of_face(star, 0)));
  }
}

TEST(MeshVariants, faces_are_cut_alike_in_every_format) {
  const Triangles cut = {{1, 2, 3}, {1, 3, 0}};  // the fan would overlap itself
  EXPECT_EQ(parse(MeshFormat::Obj, "v 0 0 0\nv 2 -1 0\nv 1 0 0\nv 2 1 0\nf 2 3 4 1\n").triangles.size(), 2u);
  const std::string points = "2 -1 0\n1 0 0\n2 1 0\n0 0 0\n";
  const Mesh off = parse(MeshFormat::Off, "OFF\n4 1 0\n" + points + "4 0 1 2 3\n");
  const Mesh ply = parse(MeshFormat::Ply,
                         "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\n"
                         "property double z\nelement face 1\nproperty list int int vertex_indices\n"
                         "end_header\n" +
                             points + "4 0 1 2 3\n");
  const Mesh vtk =
      parse(MeshFormat::Vtk, "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n" +
                                 points + "POLYGONS 1 5\n4 0 1 2 3\n");
  const Mesh msh =
      parse(MeshFormat::Msh,
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 2 -1 0\n2 1 0 0\n3 2 1 0\n4 0 0 0\n"
            "$EndNodes\n$Elements\n1\n1 3 0 1 2 3 4\n$EndElements\n");
  for (const Mesh& mesh : {off, ply, vtk, msh}) EXPECT_EQ(mesh.triangles, cut);
}

TEST(MeshVariants, faces_that_cross_themselves_are_cut_too) {
  const Mesh bow = parse(MeshFormat::Obj, "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 2 0\nv 3 1 0\nf 1 2 3 4 5\n");
  EXPECT_EQ(bow.triangles.size(), 3u);
  const Mesh flat = parse(MeshFormat::Obj, "v 0 0 0\nv 1 0 0\nv 3 0 0\nv 2 0 0\nf 1 2 3 4\n");
  EXPECT_EQ(flat.triangles.size(), 2u);
}

// Lines and texture corners are those of the triangles of parse_obj.
TEST(MeshVariants, details_of_an_obj_follow_the_cuts) {
  const std::string text =
      "v 0 0 0\nv 2 -1 0\nv +1 0 0\nv 2 1 0\nvt 0 0\nvt 1 0\nvt 2 0\nvt 3 0\nusemtl red\nf 2/2 3/3 4/4 1/1\n"
      "usemtl blue\nf 1/1 3/3 2/2\n";
  const Mesh mesh = parse(MeshFormat::Obj, text);
  const ObjDetails details = read_obj_details(text);
  EXPECT_EQ(details.lines, (std::vector<int>{10, 10, 12}));
  EXPECT_EQ(details.materials, (std::vector<Index>{0, 0, 1}));
  EXPECT_EQ(mesh.triangles, (Triangles{details.texture_corners[0], details.texture_corners[1], {0, 2, 1}}));
}

TEST(MeshVariants, numbers_of_all_kinds) {
  const Mesh mesh = parse(MeshFormat::Obj, "v 1e-400 -.5 +2.\nv 1E5 007 4.9406564584124654e-324\n");
  EXPECT_EQ(mesh.points[0], Vec3(0, -0.5, 2));
  EXPECT_EQ(mesh.points[1], Vec3(1e5, 7, 5e-324));
}

TEST(MeshVariants, stl_ascii_in_capitals_with_two_solids) {
  const std::string facet =
      "FACET NORMAL nan 0 0\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\nVERTEX 0 1 0\nENDLOOP\nENDFACET\n";
  const Mesh mesh =
      parse(MeshFormat::Stl, "SOLID\n" + facet + "ENDSOLID\nsolid two words\n" + facet + "endsolid two\n");
  EXPECT_EQ(mesh.points.size(), 3u);
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 1, 2}}));
}

TEST(MeshVariants, stl_binary_that_starts_with_solid) {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}};
  std::string bytes = format_mesh(MeshFormat::Stl, mesh, MeshEncoding::Binary);
  bytes.replace(0, 5, "solid");
  EXPECT_TRUE(parse(MeshFormat::Stl, bytes) == mesh);
  EXPECT_EQ(refuse(MeshFormat::Stl, bytes.substr(5) + "12345678"),
            "m: at byte 80: 0 triangles need a file of 84 bytes, but it has 137\n"
            "  Remove what follows the triangles, or export the file again.");
}

constexpr const char* kPlyBody =
    " 1.0\ncomment made by hand\nobj_info x\nelement vertex 4\nproperty float x\nproperty uchar "
    "red\nproperty float y\n"
    "property float z\nproperty list uchar short extra\nelement camera 1\nproperty double focus\nelement "
    "face 1\n"
    "property uint8 flag\nproperty list uint8 uint32 vertex_index\nend_header\n";

void expect_ply_square(const Mesh& mesh) {
  EXPECT_EQ(mesh.points, (Points{{0, 0, 0.5}, {1, 0, 0.5}, {1, 1, 0.5}, {0, 1, 0.5}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
}

TEST(MeshVariants, ply_ascii_with_unknown_properties) {
  expect_ply_square(parse(MeshFormat::Ply, std::string("ply\nformat ascii") + kPlyBody +
                                               "0 255 0 0.5 0\n1 9 0 0.5 2 7 8\n1 9 1 0.5 1 7\n0 9 1 0.5 0\n"
                                               "35\n1 4 0 1 2 3\n"));
}

TEST(MeshVariants, ply_repeated_parts_are_refused) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
  EXPECT_EQ(refuse(MeshFormat::Ply, head + "property float x\nend_header\n0 0 0 0\n"),
            "m:7:16: this property is declared twice");
  EXPECT_EQ(refuse(MeshFormat::Ply, head + "element vertex 1\nproperty float x\nend_header\n0 0 0\n0\n"),
            "m:7:16: the element vertex is declared twice");
  EXPECT_NO_THROW(parse(MeshFormat::Ply, head + "end_header\n0 0 0\n"));
}

TEST(MeshVariants, ply_binary_of_both_byte_orders) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    ByteWriter out(order);
    out.text(order == std::endian::little ? "ply\nformat binary_little_endian"
                                          : "ply\nformat binary_big_endian");
    out.text(kPlyBody);
    for (const Vec3& p : Points{{0, 0, 0.5}, {1, 0, 0.5}, {1, 1, 0.5}, {0, 1, 0.5}}) {
      out.value(static_cast<float>(p.x()));
      out.value(std::uint8_t{200});
      out.value(static_cast<float>(p.y()));
      out.value(static_cast<float>(p.z()));
      out.value(std::uint8_t{1});
      out.value(std::int16_t{-3});
    }
    out.value(35.0);
    out.value(std::uint8_t{1});
    out.value(std::uint8_t{4});
    for (std::uint32_t i = 0; i < 4; ++i) out.value(i);
    expect_ply_square(parse(MeshFormat::Ply, out.take()));
  }
}

TEST(MeshVariants, off_headers_colours_and_comments) {
  for (const char* head :
       {"OFF\n4 1 5\n", "OFF 4 1 5\n", "# made by hand\nOFF # here\n# there\n4 1\n", "COFF\n4 1 0\n"}) {
    const Mesh mesh =
        parse(MeshFormat::Off,
              std::string(head) + "0 0 0 255 0 0 1\n1 0 0\n# between\n1 1 0\n0 1 0\n4 0 1 2 3 0.5 0.5 1");
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}})) << head;
  }
  EXPECT_EQ(refuse(MeshFormat::Off, "OFF BINARY\n1 0 0\n"),
            "m:1:1: binary OFF is not supported\n  Export the mesh as ASCII OFF.");
}

TEST(MeshVariants, msh_41_with_sparse_tags_parameters_and_unknown_sections) {
  const Mesh mesh = parse(
      MeshFormat::Msh,
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n"
      "$Entities\n0 0 0 0\n$EndEntities\n"
      "$Nodes\n2 4 7 9000000000\n2 1 1 2\n9000000000\n7\n0 0 0 0.5 0.5\n1 0 0 0.25 0.5\n"
      "3 1 0 2\n100\n101\n0 1 0\n0 0 1\n$EndNodes\n"
      "$Elements\n3 3 1 3\n0 1 15 1\n1 7\n2 1 3 1\n2 9000000000 7 100 101\n3 1 4 1\n3 9000000000 7 100 101\n"
      "$EndElements\n$Surface\n1\n2 3 4\n$EndSurface\n");
  EXPECT_EQ(mesh.points, (Points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
}

TEST(MeshVariants, msh_repeated_tag_is_refused) {
  EXPECT_EQ(refuse(MeshFormat::Msh,
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n5 0 0 0\n5 1 0 0\n$EndNodes\n"),
            "m:7:7: the node tag 5 occurs twice");
}

TEST(MeshVariants, msh_binary_of_the_other_byte_order) {
  ByteWriter out(std::endian::big);
  out.text("$MeshFormat\n2.2 1 8\n");
  out.value(std::int32_t{1});
  out.text("\n$EndMeshFormat\n$Nodes\n3\n");
  for (const std::int32_t i : {1, 2, 3}) {
    out.value(i);
    out.point<double>({double(i), 0, 0.5});
  }
  out.text("\n$EndNodes\n$Elements\n2\n");
  for (const std::int32_t i : {1, 2, 2, /* two lines with two labels */ 7, 0, 0, 1, 2, 8, 0, 0, 2, 3})
    out.value(i);
  out.text("\n$EndElements\n");
  const Mesh mesh = parse(MeshFormat::Msh, out.take());
  EXPECT_EQ(mesh.points[2], Vec3(3, 0, 0.5));
  EXPECT_EQ(mesh.edges, (Edges{{0, 1}, {1, 2}}));
}

constexpr const char* kVtkPoints = "POINTS 4 float\n0 0 0 1 0 0\n1 1 0\n0 1 0\n";

TEST(MeshVariants, vtk_polydata_with_fields_strips_and_lines) {
  const Mesh mesh = parse(
      MeshFormat::Vtk, std::string("# vtk DataFile Version 2.0\ntitle\nascii\ndataset polydata\n") +
                           "FIELD FieldData 1\nTIME 1 2 double\n0.5 0.6\n" + kVtkPoints +
                           "METADATA\nINFORMATION 0\n\nVERTICES 1 2\n1 0\nLINES 1 4\n3 0 1 2\n"
                           "TRIANGLE_STRIPS 1 5\n4 0 1 3 2\nPOLYGONS 1 5\n4 0 1 2 3\nPOINT_DATA 4\nwhatever");
  EXPECT_EQ(mesh.edges, (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 3}, {1, 2, 3}, {0, 1, 2}, {0, 2, 3}}));
}

TEST(MeshVariants, vtk_5_offsets_ascii_and_binary) {
  const std::string head = "# vtk DataFile Version 5.1\ntitle\n";
  const Mesh text =
      parse(MeshFormat::Vtk, head + "ASCII\nDATASET UNSTRUCTURED_GRID\n" + kVtkPoints +
                                 "CELLS 3 7\nOFFSETS vtktypeint64\n0 3 7\nCONNECTIVITY vtktypeint64\n"
                                 "0 1 2 0 1 2 3\nCELL_TYPES 2\n5\n9\n");
  ByteWriter out(std::endian::big);
  out.text(head + "BINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n");
  for (const Vec3& p : text.points) out.point<float>(p);
  out.text("\nCELLS 3 7\nOFFSETS vtktypeint64\n");
  for (const std::int64_t i : {0, 3, 7}) out.value(i);
  out.text("\nCONNECTIVITY vtktypeint64\n");
  for (const std::int64_t i : {0, 1, 2, 0, 1, 2, 3}) out.value(i);
  out.text("\nCELL_TYPES 2\n");
  for (const std::int32_t i : {5, 9}) out.value(i);
  EXPECT_EQ(text.triangles, (Triangles{{0, 1, 2}, {0, 1, 2}, {0, 2, 3}}));
  EXPECT_TRUE(parse(MeshFormat::Vtk, out.take()) == text);
}

TEST(MeshVariants, vtk_pixel_and_unknown_cells) {
  const std::string head =
      std::string("# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n") + kVtkPoints;
  const Mesh mesh = parse(MeshFormat::Vtk, head + "CELLS 1 5\n4 0 1 3 2\nCELL_TYPES 1\n8\n");
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(refuse(MeshFormat::Vtk, head + "CELLS 1 5\n4 0 1 3 2\nCELL_TYPES 1\n24\n"),
            "m:12:1: cell 0 has type 24, which is not supported\n"
            "  Supported are vertices, lines, triangles, strips, polygons, pixels, quads and linear tets (1 "
            "to 10).");
  EXPECT_EQ(refuse(MeshFormat::Vtk, head + "CELLS 1 5\n4 0 1 3 2\n"), "m:10:9: 1 cells but 0 cell types");
}

TEST(MeshVariants, tetgen_counts_from_one_or_zero) {
  const std::string from_one =
      "# nodes\n4 3 1 1\n1 0 0 0 0.5 1\n2 1 0 0 0.5 1\n3 0 1 0 0.5 1\n4 0 0 1 0.5 1\n";
  const Mesh mesh = parse(MeshFormat::TetGen, from_one + "1 4 1\n 1  1 2 3 4 9\n# end\n1 1\n1 1 3 2 -1\n");
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 2, 1}}));
  EXPECT_EQ(
      refuse(MeshFormat::TetGen, from_one + "1 10 0\n1 1 2 3 4 1 2 3 4 1 2\n"),
      "m:7:3: the tets have 10 nodes each\n  Only tets of 4 nodes are supported; run TetGen without -o2.");
  EXPECT_EQ(refuse(MeshFormat::TetGen, "2 3 0 0\n0 0 0 0\n2 1 0 0\n0 4 0\n"),
            "m:3:1: point 1 is expected, found 2\n  TetGen numbers its points from 0 or 1 without gaps.");
}

TEST(MeshVariants, tetgen_stale_faces_do_not_survive) {
  const auto path = std::filesystem::temp_directory_path() / "marrow_stale.node";
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  mesh.triangles = {{0, 2, 1}};
  write_mesh(path.string(), mesh);
  mesh.triangles.clear();
  write_mesh(path.string(), mesh);
  EXPECT_TRUE(read_mesh(path.string()) == mesh);
  for (const char* extension : {".node", ".ele", ".face"}) {
    std::filesystem::remove(std::filesystem::path(path).replace_extension(extension));
  }
}

TEST(MeshVariants, medial_mesh_with_comments_and_flags) {
  const Mesh mesh = parse(MeshFormat::Ma,
                          "# medial\n\n3 2 1\nv 0 0 0 0.5 1 0\nv 1 0 0 0\ne 0 1 7\n# edges\ne 1 2\n"
                          "f 0 1 2 0 0\nv 0 1 0 1e-3\n");
  EXPECT_EQ(mesh.radii, (std::vector<double>{0.5, 0, 1e-3}));
  EXPECT_EQ(mesh.edges, (Edges{{0, 1}, {1, 2}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}}));
}

}  // namespace
}  // namespace marrow
