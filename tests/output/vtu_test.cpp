#include "output/vtk/vtu.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file.h"
#include "core/refusal.h"
#include "output/vtk/blocks.h"
#include "output/vtk/pvd.h"
#include "sample_run.h"

namespace marrow {
namespace {

std::string sample_file() {
  static const Points kPoints = sample_points(3);
  static const Points kVelocities(kPoints.size(), Vec3(0.1, -2, 1e-300));
  static const std::vector<double> kHeats = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0.1};
  static const std::vector<double> kStress = {42};
  Frame frame;
  frame.step = 3;
  frame.time = 0.30000000000000004;
  frame.points = kPoints;
  frame.velocities = kVelocities;
  frame.point_scalars = {{"heat <&\">", kHeats}};
  frame.point_vectors = {{"force", kVelocities}};
  frame.tet_scalars = {{"stress", kStress}};
  return format_vtu(sample_topology(), frame);
}

const VtuFrame::Data& find(const std::vector<VtuFrame::Data>& data, const std::string& name) {
  for (const VtuFrame::Data& candidate : data) {
    if (candidate.name == name) return candidate;
  }
  throw std::runtime_error("no data called " + name);
}

TEST(Vtu, frame_reads_back_exactly) {
  const VtuFrame frame = parse_vtu(sample_file(), "a.vtu");
  EXPECT_EQ(frame.step, 3);
  EXPECT_EQ(frame.time, 0.30000000000000004);
  EXPECT_EQ(frame.points, sample_points(3));
  EXPECT_EQ(frame.tets, sample_topology().tets);
  EXPECT_EQ(frame.edges, sample_topology().edges);
  EXPECT_EQ(frame.triangles, (std::vector<Triangle>{{4, 5, 6}}));  // the drop's surface follows from its tets
  EXPECT_EQ(frame.vertices, (std::vector<Index>{9}));
}

TEST(Vtu, data_read_back_in_32_bits) {
  const VtuFrame frame = parse_vtu(sample_file(), "a.vtu");
  EXPECT_EQ(find(frame.point_data, "velocity").components, 3);
  EXPECT_EQ(find(frame.point_data, "velocity").values[0], 0.1F);
  EXPECT_EQ(find(frame.point_data, "velocity").values[2], 0);  // 1e-300
  EXPECT_EQ(find(frame.point_data, "force").values.size(), 30u);
  EXPECT_EQ(find(frame.point_data, "heat <&\">").values[9], 0.1F);
  EXPECT_EQ(find(frame.point_data, "body").values, (std::vector<double>{0, 0, 0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(find(frame.cell_data, "body").values, (std::vector<double>{0, 1, 2, 2}));
  EXPECT_EQ(find(frame.cell_data, "stress").values, (std::vector<double>{42, 0, 0, 0}));
}

TEST(Vtu, blocks_lie_where_the_header_says) {
  const std::string text = sample_file();
  const size_t start = text.find('_', text.find("<AppendedData encoding=\"raw\">")) + 1;
  const size_t end = text.rfind("\n  </AppendedData>");
  size_t offset = 0;
  while (start + offset < end) {
    EXPECT_NE(text.find("offset=\"" + std::to_string(offset) + "\""), std::string::npos);
    std::uint64_t head[4];  // chunks, size of a chunk, of the last one, compressed size of the first
    std::memcpy(head, text.data() + start + offset, sizeof head);
    ASSERT_EQ(head[0], 1u);
    offset += sizeof head + head[3];
  }
  EXPECT_EQ(start + offset, end);
}

TEST(Vtu, blocks_of_any_size_are_read_back) {
  for (const size_t size : {0, 1, 1000, 1 << 20, (1 << 20) + 1, 3 << 20}) {
    std::string bytes(size, 'a'), packed, raw, found;
    for (size_t i = 0; i < size; i += 3) bytes[i] = static_cast<char>(i * i / 7);
    append_compressed(bytes, packed);
    ASSERT_TRUE(read_compressed(packed + "what follows", found)) << size;
    EXPECT_TRUE(found == bytes) << size;
  }
}

// meshio confuses arrays whose blocks begin at multiples of four.
TEST(Vtu, no_block_ends_at_a_multiple_of_four_bytes) {
  std::string data;
  for (size_t size = 1; size < 400; ++size) {
    std::string bytes(size, '\0');
    for (size_t i = 0; i < size; ++i)
      bytes[i] = static_cast<char>(size % 3 == 0 ? 0 : i * size * 2654435761u >> 13);
    const size_t start = data.size();
    append_compressed(bytes, data);
    EXPECT_NE(data.size() % 4, 0u) << size;
    std::string found;
    ASSERT_TRUE(read_compressed(std::string_view(data).substr(start), found));
    EXPECT_EQ(found, bytes);
  }
}

TEST(Vtu, damaged_blocks_are_refused) {
  std::string packed, found;
  append_compressed(std::string(100'000, 'x'), packed);
  for (size_t length = 0; length < packed.size(); ++length) {
    EXPECT_FALSE(read_compressed(std::string_view(packed).substr(0, length), found)) << length;
  }
  for (size_t at = 0; at < 32; ++at) {  // sizes beyond what is there
    std::string damaged = packed;
    damaged[at] = '\x7f';
    if (at / 8 == 1) continue;  // the size of whole chunks: there is none
    EXPECT_FALSE(read_compressed(damaged, found)) << at;
  }
  packed[packed.size() - 2] = static_cast<char>(packed[packed.size() - 2] ^ 1);
  EXPECT_FALSE(read_compressed(packed, found));
}

// Frames of earlier versions were not compressed, had fields in doubles and 64-bit indices.
TEST(Vtu, frames_of_earlier_versions_are_read) {
  std::string data;
  const auto add = [&](const auto& values) {
    const std::uint64_t bytes = sizeof values;
    data.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    data.append(reinterpret_cast<const char*>(values.data()), bytes);
    return std::to_string(data.size() - bytes - sizeof bytes);
  };
  std::string text = "<VTKFile byte_order=\"LittleEndian\" header_type=\"UInt64\">";
  const auto add_array = [&](const char* type, const char* name, int components, const auto& values) {
    text += "<DataArray type=\"" + std::string(type) + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
            std::to_string(components) + "\" format=\"appended\" offset=\"" + add(values) + "\"/>";
  };
  text += "<PointData>";
  add_array("Float64", "heat", 1, std::array<double, 2>{0.1, 1e-300});
  text += "</PointData><Points>";
  add_array("Float64", "Points", 3, std::array<double, 6>{0, 0, 0, 1.0 / 3, 0, 0});
  text += "</Points><Cells>";
  add_array("Int64", "connectivity", 1, std::array<std::int64_t, 2>{0, 1});
  add_array("Int64", "offsets", 1, std::array<std::int64_t, 1>{2});
  add_array("UInt8", "types", 1, std::array<std::uint8_t, 1>{3});
  text += "</Cells><AppendedData encoding=\"raw\">_" + data;
  const VtuFrame frame = parse_vtu(text, "a.vtu");
  EXPECT_EQ(frame.points[1].x(), 1.0 / 3);
  EXPECT_EQ(frame.edges, (std::vector<Edge>{{0, 1}}));
  EXPECT_EQ(find(frame.point_data, "heat").values, (std::vector<double>{0.1, 1e-300}));
}

TEST(Vtu, every_cut_is_refused_or_read) {
  const std::string whole = sample_file();
  const size_t data_end = whole.rfind("\n  </AppendedData>");
  for (size_t length = 0; length < data_end; ++length) {
    EXPECT_THROW(parse_vtu(whole.substr(0, length), "a.vtu"), InputError) << length;
  }
}

TEST(Vtu, other_files_are_refused_with_a_reason) {
  try {
    parse_vtu("<VTKFile type=\"PolyData\">", "a.vtu");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "a.vtu: not a VTU file written by Marrow: has no appended raw data\n"
        "  Only frames written by marrow run can be read; ParaView and meshio read and convert others.");
  }
}

TEST(Pvd, list_reads_back) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.pvd";
  const std::vector<PvdFrame> frames = {
      {0, frame_file(0)}, {0.1 + 0.2, frame_file(12)}, {1e9, "a&\"b\".vtu"}};
  write_pvd(path, frames);
  const std::vector<PvdFrame> read = read_pvd(path);
  ASSERT_EQ(read.size(), frames.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(read[i].time, frames[i].time);
    EXPECT_EQ(read[i].file, frames[i].file);
  }
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST(Pvd, text_is_what_paraview_expects) {
  const TemporaryFolder folder;
  write_pvd(folder / "run.pvd", {{0.5, frame_file(50)}});
  EXPECT_EQ(read_file(folder / "run.pvd"),
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
            "  <Collection>\n"
            "    <DataSet timestep=\"0.5\" part=\"0\" file=\"frames/frame_000050.vtu\"/>\n"
            "  </Collection>\n"
            "</VTKFile>\n");
}

TEST(Pvd, other_files_are_refused) {
  const TemporaryFolder folder;
  write_file(folder / "run.pvd", "hello");
  EXPECT_EQ(test::get_refusal([&] { read_pvd(folder / "run.pvd"); }),
            std::string(folder / "run.pvd") + ": not a list of frames (.pvd)");
  EXPECT_EQ(test::get_refusal([&] { read_pvd(folder / "none.pvd"); }),
            std::string(folder / "none.pvd") +
                ": cannot be read: No such file or directory\n  Check the name; paths in a scene are "
                "relative to the scene file.");
}

TEST(Pvd, frame_files_tell_their_step) {
  EXPECT_EQ(frame_step(frame_file(7)), 7);
  EXPECT_EQ(frame_step(frame_file(12345678)), 12345678);
  EXPECT_EQ(frame_step("frames/frame_7.vtu"), kNone);
  EXPECT_EQ(frame_step("other.vtu"), kNone);
}

}  // namespace
}  // namespace marrow
