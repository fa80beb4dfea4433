// One battery for every mesh format and encoding.
#include "mesh/io/mesh_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/refusal.h"
#include "geometry/mesh_samples.h"
#include "mesh/mesh_check.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

class MeshFileTest : public testing::TestWithParam<FileKind> {};

INSTANTIATE_TEST_SUITE_P(AllFormats, MeshFileTest, testing::ValuesIn(all_file_kinds()),
                         [](const auto& test) { return test.param.name(); });

// Reads a damaged file: it must give an InputError with a message, or a mesh with sound indices.
void read_damaged(const FileKind& kind, const std::string& bytes) {
  try {
    const Mesh mesh = kind.parse(bytes);
    const auto count = static_cast<Index>(mesh.points.size());
    ASSERT_GT(count, 0);
    for (const Triangle& t : mesh.triangles) {
      for (const Index v : t) ASSERT_TRUE(v >= 0 && v < count);
    }
    for (const Tet& t : mesh.tets) {
      for (const Index v : t) ASSERT_TRUE(v >= 0 && v < count);
    }
  } catch (const InputError& error) {
    ASSERT_FALSE(error.problem().empty());
    ASSERT_EQ(error.where().file, "mesh");
  }
}

TEST_P(MeshFileTest, round_trip_is_exact) {
  const Mesh mesh = sample_mesh(GetParam());
  EXPECT_TRUE(GetParam().parse(GetParam().bytes(mesh)) == mesh);
}

TEST_P(MeshFileTest, minus_zero_survives) {
  if (GetParam().format == MeshFormat::Stl) GTEST_SKIP() << "STL merges equal points";
  const Mesh mesh = GetParam().parse(GetParam().bytes(sample_mesh(GetParam())));
  EXPECT_TRUE(std::signbit(mesh.points[5].x()));
}

TEST_P(MeshFileTest, shapes_survive) {
  for (const Shape& shape : default_shapes()) {
    Mesh mesh = keep_what_fits(build_shape(shape), GetParam().format);
    if (GetParam().format == MeshFormat::Ma) mesh.radii.assign(mesh.points.size(), 0.5);
    const Mesh back = GetParam().parse(GetParam().bytes(mesh));
    if (GetParam().format != MeshFormat::Stl) {
      EXPECT_TRUE(back == mesh) << shape_name(shape);
    } else {
      EXPECT_EQ(back.triangles.size(), mesh.triangles.size()) << shape_name(shape);
      if (!std::holds_alternative<SheetShape>(shape) && !is_flat(shape)) {
        EXPECT_NO_THROW(check_closed_surface(back, shape_name(shape)));
      }
    }
  }
}

TEST_P(MeshFileTest, points_alone_are_a_mesh) {
  if (GetParam().format == MeshFormat::Stl) GTEST_SKIP() << "STL has triangles only";
  Mesh mesh;
  mesh.points = {{1, 2, 3}};
  if (GetParam().format == MeshFormat::Ma) mesh.radii = {0.5};
  EXPECT_TRUE(GetParam().parse(GetParam().bytes(mesh)) == mesh);
}

TEST_P(MeshFileTest, empty_mesh_is_refused) {
  try {
    GetParam().parse(GetParam().bytes({}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problem(), "the mesh is empty: it has no points");
  }
}

TEST_P(MeshFileTest, empty_file_is_refused) {
  const auto find_expected = [](MeshFormat format) {
    switch (format) {
      case MeshFormat::Obj:
        return "it has no points";
      case MeshFormat::Stl:
        return "it neither starts with 'solid' nor has a binary header";
      case MeshFormat::Ply:
        return "a PLY file starts with the word ply";
      case MeshFormat::Off:
        return "an OFF file starts with the word OFF";
      case MeshFormat::Msh:
        return "a Gmsh file starts with $MeshFormat";
      case MeshFormat::Vtk:
        return "a VTK file starts with '# vtk DataFile Version'";
      default:
        return "the file ends where a count";
    }
  };
  const std::string refusal = test::get_refusal([] { GetParam().parse(""); });
  EXPECT_NE(refusal.find(find_expected(GetParam().format)), std::string::npos) << refusal;
}

TEST_P(MeshFileTest, every_prefix_is_handled) {
  const std::string bytes = GetParam().bytes(sample_mesh(GetParam()));
  for (size_t length = 0; length < bytes.size(); ++length) read_damaged(GetParam(), bytes.substr(0, length));
}

TEST_P(MeshFileTest, every_flipped_byte_is_handled) {
  const std::string bytes = GetParam().bytes(sample_mesh(GetParam()));
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const char c : {'\0', '9', '-', '\n', '\xff'}) {
      std::string damaged = bytes;
      damaged[i] = c;
      read_damaged(GetParam(), damaged);
    }
  }
}

TEST_P(MeshFileTest, windows_line_ends_change_nothing) {
  if (GetParam().encoding == MeshEncoding::Binary) GTEST_SKIP() << "text only";
  const Mesh mesh = sample_mesh(GetParam());
  std::string windows;
  for (const char c : GetParam().bytes(mesh)) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_TRUE(GetParam().parse(windows) == mesh);
}

TEST_P(MeshFileTest, nan_is_refused) {
  Mesh mesh = sample_mesh(GetParam());
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    mesh.points[2].y() = bad;
    try {
      GetParam().parse(GetParam().bytes(mesh));
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(error.problem().find("coordinate is not finite"), std::string::npos) << error.what();
    }
  }
}

TEST_P(MeshFileTest, index_out_of_range_is_refused) {
  if (GetParam().format == MeshFormat::Stl) GTEST_SKIP() << "STL has no indices";
  for (const Index bad : {Index{-1}, Index{7}, Index{1'000'000'000}}) {
    Mesh mesh = sample_mesh(GetParam());
    mesh.triangles[1][1] = bad;
    const std::string refusal = test::get_refusal([&] { GetParam().parse(GetParam().bytes(mesh)); });
    // By the number in the file: some formats count from 1.
    const bool is_named = refusal.find(" names point " + std::to_string(bad)) != std::string::npos ||
                          refusal.find(" names point " + std::to_string(bad + 1)) != std::string::npos ||
                          refusal.find(" names node " + std::to_string(bad + 1)) != std::string::npos ||
                          (bad == -1 && refusal.find("the point number is 0") != std::string::npos);
    EXPECT_TRUE(is_named) << refusal;
  }
}

TEST_P(MeshFileTest, file_and_memory_agree) {
  constexpr const char* kExtensions[] = {".obj", ".STL", ".ply", ".off", ".Msh", ".vtk", ".ele", ".ma"};
  const auto path = std::filesystem::temp_directory_path() /
                    ("marrow_" + GetParam().name() + kExtensions[static_cast<int>(GetParam().format)]);
  const Mesh mesh = sample_mesh(GetParam());
  write_mesh(path.string(), mesh, GetParam().encoding);
  EXPECT_TRUE(read_mesh(path.string()) == mesh);
  for (const char* extension : {"", ".node", ".ele", ".face"}) {
    std::filesystem::remove(*extension == 0 ? path
                                            : std::filesystem::path(path).replace_extension(extension));
  }
}

TEST(MeshFileNames, unknown_extension_suggests_the_nearest) {
  try {
    read_mesh("model.objj");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "model.objj: '.objj' is not a known mesh format\n"
                 "  Did you mean .obj? Supported are .obj, .stl, .ply, .off, .msh, .vtk, .seg, .pt, .node, "
                 ".ele, .ma, .mat.");
  }
  EXPECT_EQ(test::get_refusal([] { read_mesh("folder.obj/model"); }),
            "folder.obj/model: a mesh file needs an extension that names its format\n"
            "  Supported are .obj, .stl, .ply, .off, .msh, .vtk, .seg, .pt, .node, .ele, .ma, .mat.");
  EXPECT_EQ(mesh_format_of("A/B.C/model.OBJ"), MeshFormat::Obj);
}

TEST(MeshFileNames, missing_file_is_an_input_error) {
  EXPECT_EQ(test::get_refusal([] { read_mesh("no_such_file.obj"); }),
            "no_such_file.obj: cannot be read: No such file or directory\n"
            "  Check the name; paths in a scene are relative to the scene file.");
}

TEST(MeshFileCapacity, what_would_be_lost_is_refused) {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  try {
    format_mesh(MeshFormat::Obj, mesh, MeshEncoding::Ascii);
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(),
                 "OBJ mesh: cannot be written: OBJ cannot store tets, but the mesh has 1; remove them or "
                 "choose another format");
  }
  EXPECT_THROW(format_mesh(MeshFormat::Off, Mesh{}, MeshEncoding::Binary), OutputError);
}

}  // namespace
}  // namespace marrow
