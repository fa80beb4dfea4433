// Files with curved tets: round trips, both numberings of nodes, files of others, and what is refused.
#include "mesh/io/curved_file.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <filesystem>

#include "core/error.h"
#include "geometry/curved/curved_mesh.h"
#include "geometry/curved/jacobian_path.h"
#include "geometry/curved/quadrature.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

// A box of six tets, bent.
CurvedFile make_file(int order) {
  const Mesh box = build_shape(BoxShape{.cells_x = 1, .cells_y = 1, .cells_z = 1});
  const CurvedMesh raised = raise_order(box.points, box.tets, order);
  CurvedFile file;
  file.order = order;
  file.mesh.points = raised.nodes;
  for (Vec3& x : file.mesh.points) x += 0.1 * Vec3(x.y() * x.y(), x.z() * x.x(), 1.0 / 3);
  file.mesh.tets = box.tets;
  if (order > 1) file.tet_nodes = raised.tets;
  return file;
}

void expect_same(const CurvedFile& a, const CurvedFile& b) {
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.mesh.points, b.mesh.points);
  EXPECT_EQ(a.mesh.tets, b.mesh.tets);
  EXPECT_EQ(a.tet_nodes, b.tet_nodes);
}

std::string message(MeshFormat format, const std::string& bytes) {
  try {
    parse_curved_file(format, bytes, "m");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// The volume, and the smallest bound of the Jacobian over the mean Jacobian.
struct Measured {
  double volume = 0, least = 1e300;
};
Measured measure(const CurvedFile& file) {
  const CurvedMesh mesh{file.order, file.mesh.points,
                        file.is_curved()
                            ? file.tet_nodes
                            : std::vector<Index>(file.mesh.tets.front().data(),
                                                 file.mesh.tets.front().data() + 4 * file.mesh.tets.size())};
  const LagrangeBasis basis(file.order);
  const JacobianPath path(file.order);
  Measured found;
  for (size_t t = 0; t < mesh.tet_count(); ++t) {
    std::vector<Vec3> places;
    for (const Index node : mesh.nodes_of(t)) places.push_back(mesh.nodes[static_cast<size_t>(node)]);
    double volume = 0;
    for (const QuadraturePoint& point : make_tet_quadrature(std::max(1, 3 * (file.order - 1)))) {
      const auto gradients = basis.gradients(point.lambda);
      Mat3 J = Mat3::Zero();
      for (size_t k = 0; k < places.size(); ++k) J += places[k] * gradients.row(static_cast<Index>(k));
      volume += point.weight * J.determinant() / 6;
    }
    found.volume += volume;
    found.least = std::min(found.least, path.bound(places, 3).low / (6 * std::abs(volume)));
  }
  return found;
}

}  // namespace

TEST(CurvedFile, round_trips_are_exact) {
  for (int order = 1; order <= 4; ++order) {
    const CurvedFile file = make_file(order);
    for (const MeshEncoding encoding : {MeshEncoding::Ascii, MeshEncoding::Binary}) {
      for (const MshVersion version : {MshVersion::V22, MshVersion::V41}) {
        const std::string bytes = format_curved_msh(file, encoding, version);
        expect_same(parse_curved_file(MeshFormat::Msh, bytes, "m"), file);
      }
      const std::string bytes = format_curved_file(MeshFormat::Vtk, file, encoding);
      expect_same(parse_curved_file(MeshFormat::Vtk, bytes, "m"), file);
    }
    if (order == 1) continue;
    EXPECT_THROW(format_curved_file(MeshFormat::TetGen, file, MeshEncoding::Ascii), OutputError);
    // Those who know straight tets only refuse it as before.
    EXPECT_THROW(
        parse_mesh(MeshFormat::Msh, format_curved_file(MeshFormat::Msh, file, MeshEncoding::Ascii), "m"),
        InputError);
  }
}

TEST(CurvedFile, numberings_of_gmsh_and_vtk) {
  for (int order = 1; order <= 4; ++order) {
    const std::span<const int> places = list_vtk_places(order);
    EXPECT_EQ(std::vector<int>(places.begin(), places.end()), list_vtk_order(order));
  }
  EXPECT_TRUE(list_vtk_places(5).empty());
  // A node of a cell of VTK stands where its own rule says: the middle of the edge 1–3 of a quadratic tet is
  // its ninth.
  std::string text =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n"
      "0 0 0 1 0 0 0 1 0 0 0 1 .5 0 0 .5 .5 0 0 .5 0 0 0 .5 .5 0 .5 0 .5 .5\n"
      "CELLS 1 11\n10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n";
  const CurvedFile quadratic = parse_curved_file(MeshFormat::Vtk, text, "m");
  EXPECT_EQ(quadratic.order, 2);
  EXPECT_NEAR(measure(quadratic).volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(measure(quadratic).least, 1, 1e-12);
  text.replace(text.rfind("24"), 2, "71");
  expect_same(parse_curved_file(MeshFormat::Vtk, text, "m"), quadratic);
}

TEST(CurvedFile, a_wrong_numbering_shows_as_an_inversion) {
  for (int order = 2; order <= 4; ++order) {
    CurvedFile file = make_file(order);
    EXPECT_GT(measure(file).least, 0);
    // The nodes of Gmsh taken for those of VTK.
    const std::span<const int> places = list_vtk_places(order);
    std::vector<Index> permuted = file.tet_nodes;
    for (size_t t = 0; t < file.mesh.tets.size(); ++t) {
      for (size_t i = 0; i < places.size(); ++i) {
        permuted[t * places.size() + i] = file.tet_nodes[t * places.size() + static_cast<size_t>(places[i])];
      }
    }
    file.tet_nodes = permuted;
    EXPECT_LT(measure(file).least, 0);
  }
}

TEST(CurvedFile, boundary_elements_are_read_by_their_corners) {
  const std::string nodes =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n"
      "6 .5 .5 0\n7 0 .5 0\n8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n$EndNodes\n";
  const CurvedFile file =
      parse_curved_file(MeshFormat::Msh,
                        nodes +
                            "$Elements\n4\n1 15 2 7 7 1\n2 8 2 7 7 1 2 5\n3 9 2 7 7 1 3 2 7 6 5\n"
                            "4 11 2 7 7 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
                        "m");
  EXPECT_EQ(file.order, 2);
  EXPECT_EQ(file.mesh.edges, (std::vector<Edge>{{0, 1}}));
  EXPECT_EQ(file.mesh.triangles, (std::vector<Triangle>{{0, 2, 1}}));
  EXPECT_EQ(file.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
  EXPECT_EQ(file.tet_nodes, (std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(
      message(MeshFormat::Msh, nodes + "$Elements\n2\n1 2 0 1 2 3\n"
                                       "2 11 0 1 2 3 4 5 6 7 8 9 10\n$EndElements\n"),
      "m:20:3: triangles of order 1 and tets of order 2 are in one file\n"
      "  All elements of a mesh must have the same order; export them in files of their own, or set one "
      "order for the whole mesh.");
  EXPECT_EQ(message(MeshFormat::Msh, nodes + "$Elements\n1\n1 9 0 1 3 2 7 6 5\n$EndElements\n"),
            "m: the file has triangles of order 2, but no tets\n"
            "  Only tets can be curved; mesh again with order 1.");
  EXPECT_EQ(message(MeshFormat::Msh, nodes + "$Elements\n1\n1 31 0 1 3 2 7 6 5\n$EndElements\n"),
            "m:19:3: the file has elements of type 31 (fifth-order tet), which are not supported\n"
            "  Supported are points, lines, triangles and tets of order 1 to 4, and quads of order 1.");
  EXPECT_EQ(message(MeshFormat::Msh, nodes + "$Elements\n1\n1 17 0 1 3 2 7 6 5\n$EndElements\n"),
            "m:19:3: the file has elements of type 17 (20-node hexahedron), which are not supported\n"
            "  Supported are points, lines, triangles and tets of order 1 to 4, and quads of order 1.");
  EXPECT_EQ(message(MeshFormat::Msh, nodes + "$Elements\n1\n1 777 0 1 3 2 7 6 5\n$EndElements\n"),
            "m:19:3: 777 is not an element type of Gmsh");
}

TEST(CurvedFile, cells_of_vtk_that_are_refused) {
  const std::string head =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
      "0 0 0 1 0 0 0 1 0 0 0 1\n";
  EXPECT_EQ(message(MeshFormat::Vtk, head + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n24\n"),
            "m:10:1: cell 0 of type 24 has 4 points\n"
            "  Quadratic edges, triangles and tets have 3, 6 and 10.");
  EXPECT_EQ(
      message(MeshFormat::Vtk, head + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n71\n"),
      "m:10:1: cell 0 of type 71 has 3 points\n"
      "  Lagrange cells of order 1 to 4 are read: curves of 2 to 5 points, triangles of 3, 6, 10 or 15, "
      "tets of 4, 10, 20 or 35.");
  EXPECT_EQ(
      message(MeshFormat::Vtk, head + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n72\n"),
      "m:10:1: cell 0 has type 72, which is not supported\n"
      "  Supported are cells 1 to 10, and curves, triangles and tets of order 2 to 4 (21, 22, 24, 68, 69, "
      "71).");
  EXPECT_EQ(message(MeshFormat::Vtk, head + "CELLS 2 9\n4 0 1 2 3\n3 0 1 2\nCELL_TYPES 2\n10 22\n"),
            "m:11:4: cell 1 of type 22 has 3 points\n"
            "  Quadratic edges, triangles and tets have 3, 6 and 10.");
}

// Text, base64 and zlib, as others write them (the last two by meshio's rules: headers apart).
TEST(CurvedFile, grids_in_xml) {
  const auto grid = [](const std::string& attributes, const std::string& points, const std::string& format) {
    return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\" " +
           attributes +
           ">\n<UnstructuredGrid>\n<Piece NumberOfPoints='4' NumberOfCells='1'>\n<PointData>\n"
           "<DataArray type=\"Float64\" Name=\"Points\" format=\"ascii\">7 7 7</DataArray></PointData>\n"
           "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"" +
           format + "\">" + points +
           "</DataArray></Points>\n<Cells>\n"
           "<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>\n"
           "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4</DataArray>\n"
           "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">71</DataArray>\n</Cells>\n</Piece>\n"
           "</UnstructuredGrid>\n</VTKFile>\n";
  };
  const Points corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::string text = "0 0 0  1 0 0\n0 1 0  0 0 1";
  // 96 bytes behind a header of four; and, packed by zlib, behind one of four counts.
  const std::string plain =
      "YAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPA/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8D8AAAAAAAAA"
      "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAADwPw==";
  const std::string packed = "AQAAAACAAABgAAAAEgAAAA==eJxjYMAHPtjjlSZCHgB4XQOO";
  for (const auto& file : {grid("header_type=\"UInt32\"", text, "ascii"), grid("", plain, "binary"),
                           grid("compressor=\"vtkZLibDataCompressor\"", packed, "binary")}) {
    const CurvedFile read = parse_vtu_mesh(file, "m.vtu");
    EXPECT_EQ(read.order, 1);
    EXPECT_EQ(read.mesh.points, corners);
    EXPECT_EQ(read.mesh.tets, (std::vector<Tet>{{0, 1, 2, 3}}));
  }
  const auto refusal = [&](std::string file, const std::string& from, const std::string& to) {
    file.replace(file.find(from), from.size(), to);
    try {
      parse_vtu_mesh(file, "m.vtu");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string good = grid("", text, "ascii");
  EXPECT_NE(refusal(good, ">71<", ">72<").find("cell 0 has type 72"), std::string::npos);
  EXPECT_NE(refusal(good, "0 1 2 3<", "0 1 2 4<").find("cell 0 names point 4, but points run from 0 to 3"),
            std::string::npos);
  EXPECT_NE(refusal(good, "LittleEndian", "BigEndian").find("big-endian"), std::string::npos);
  EXPECT_NE(refusal(good, ">4<", ">5<").find("out of order"), std::string::npos);
  EXPECT_NE(refusal(good, "<UnstructuredGrid>", "<PolyData>").find("no unstructured grid"),
            std::string::npos);
  EXPECT_NE(refusal(grid("", plain, "binary"), "YAAAAAAAAAAA", "/AAAAAAAAAAA").find("cut off"),
            std::string::npos);
}

TEST(CurvedFile, spheres_of_thirty_tets) {
  const std::filesystem::path folder =
      std::filesystem::path(MARROW_SOURCE_DIR) /
      "../shared/data/scenes/polyfem-data/contact/meshes/3D/simple/sphere/coarse";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no ../shared/data";
  constexpr std::array<double, 4> kVolumes = {2.862, 4.115, 4.191, 4.18886};
  constexpr std::array<double, 4> kRoundings = {5e-4, 5e-4, 5e-4, 5e-6};
  for (int order = 1; order <= 4; ++order) {
    const CurvedFile file = read_curved_file((folder / ("P" + std::to_string(order) + ".msh")).string());
    EXPECT_EQ(file.order, order);
    EXPECT_EQ(file.mesh.tets.size(), 30u);
    const Measured found = measure(file);
    const auto k = static_cast<size_t>(order - 1);
    EXPECT_NEAR(found.volume, kVolumes[k], kRoundings[k]);
    EXPECT_GT(found.least, 0);
  }
}

}  // namespace marrow
