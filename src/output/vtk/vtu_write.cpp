#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#include "core/file.h"
#include "core/macros.h"
#include "output/vtk/blocks.h"
#include "output/vtk/vtu.h"
#include "output/vtk/xml_tags.h"

namespace marrow {
namespace {

static_assert(std::endian::native == std::endian::little, "VTU files are written in the order of memory");

// Cell types of VTK.
constexpr std::uint8_t kVertexCell = 1;
constexpr std::uint8_t kLineCell = 3;
constexpr std::uint8_t kTriangleCell = 5;
constexpr std::uint8_t kTetCell = 10;

struct Cells {
  std::vector<std::int32_t> connectivity;
  std::vector<std::int32_t> offsets;  // end of each cell's corners
  std::vector<std::uint8_t> types;
  std::vector<std::int32_t> body;

  template <size_t Count>
  void add(const std::array<Index, Count>& corners, std::uint8_t type, const std::vector<Index>& body_of) {
    connectivity.insert(connectivity.end(), corners.begin(), corners.end());
    offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
    types.push_back(type);
    body.push_back(body_of[static_cast<size_t>(corners[0])]);
  }
};

Cells build_cells(const OutputTopology& topology, const std::vector<Index>& body_of) {
  const FrameCells listed = list_cells(topology);
  Cells cells;
  for (const Tet& tet : listed.tets) cells.add(tet, kTetCell, body_of);
  for (const Triangle& triangle : listed.triangles) cells.add(triangle, kTriangleCell, body_of);
  for (const Edge& edge : listed.edges) cells.add(edge, kLineCell, body_of);
  for (const Index point : listed.vertices) cells.add(std::array<Index, 1>{point}, kVertexCell, body_of);
  return cells;
}

template <class T>
constexpr const char* kTypeName = nullptr;
template <>
constexpr const char* kTypeName<double> = "Float64";
template <>
constexpr const char* kTypeName<float> = "Float32";
template <>
constexpr const char* kTypeName<std::int32_t> = "Int32";
template <>
constexpr const char* kTypeName<std::uint8_t> = "UInt8";

// Collects the XML, and the blocks of data that follow it.
class VtuText {
 public:
  explicit VtuText(VtuNumbers numbers) : numbers_(numbers) {}

  void add_line(const std::string& line) { xml_ += line + "\n"; }

  template <class T>
  void add_array(const std::string& name, std::span<const T> values, int components = 1) {
    add_line(
        fmt::format("        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
                    "format=\"appended\" offset=\"{}\"/>",
                    kTypeName<T>, escape_xml(name), components, data_.size()));
    append_compressed({reinterpret_cast<const char*>(values.data()), values.size_bytes()}, data_);
  }

  void add_points(std::span<const Vec3> points) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    const double* first = points.empty() ? nullptr : points.front().data();
    add_array<double>("Points", {first, 3 * points.size()}, 3);
  }

  // Fields; cells beyond the values have 0.
  void add_scalars(const std::string& name, std::span<const double> values, size_t count) {
    std::vector<double> padded(values.begin(), values.end());
    padded.resize(count, 0);
    add_field(name, padded, 1);
  }

  void add_vectors(const std::string& name, std::span<const Vec3> values) {
    const double* first = values.empty() ? nullptr : values.front().data();
    add_field(name, {first, 3 * values.size()}, 3);
  }

  std::string finish() {
    return xml_ + "  <AppendedData encoding=\"raw\">\n   _" + data_ + "\n  </AppendedData>\n</VTKFile>\n";
  }

 private:
  void add_field(const std::string& name, std::span<const double> values, int components) {
    if (numbers_ == VtuNumbers::Double) return add_array<double>(name, values, components);
    const std::vector<float> rounded(values.begin(), values.end());
    add_array<float>(name, rounded, components);
  }

  VtuNumbers numbers_;
  std::string xml_;
  std::string data_;
};

void add_point_data(VtuText& text, const Frame& frame, const std::vector<Index>& body_of) {
  text.add_line("      <PointData>");
  if (!frame.velocities.empty()) text.add_vectors("velocity", frame.velocities);
  for (const VectorField& field : frame.point_vectors) text.add_vectors(field.name, field.values);
  for (const ScalarField& field : frame.point_scalars) {
    text.add_scalars(field.name, field.values, field.values.size());
  }
  text.add_array<std::int32_t>("body", body_of);
  text.add_line("      </PointData>");
}

void add_cell_data(VtuText& text, const Frame& frame, const Cells& cells) {
  text.add_line("      <CellData>");
  for (const ScalarField& field : frame.tet_scalars) {
    text.add_scalars(field.name, field.values, cells.types.size());
  }
  text.add_array<std::int32_t>("body", cells.body);
  text.add_line("      </CellData>");
}

}  // namespace

std::string format_vtu(const OutputTopology& topology, const Frame& frame, VtuNumbers numbers) {
  const std::vector<Index> body_of = compute_body_of_points(topology);
  MARROW_ASSERT(frame.points.size() == body_of.size());
  const Cells cells = build_cells(topology, body_of);

  VtuText text(numbers);
  text.add_line("<?xml version=\"1.0\"?>");
  text.add_line(
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">");
  text.add_line("  <UnstructuredGrid>");
  text.add_line("    <FieldData>");
  text.add_line(
      fmt::format("      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                  "format=\"ascii\">{}</DataArray>",
                  frame.time));
  text.add_line(fmt::format(
      "      <DataArray type=\"Int32\" Name=\"Step\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>",
      frame.step));
  text.add_line("    </FieldData>");
  text.add_line(fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", frame.points.size(),
                            cells.types.size()));
  add_point_data(text, frame, body_of);
  add_cell_data(text, frame, cells);
  text.add_line("      <Points>");
  text.add_points(frame.points);
  text.add_line("      </Points>");
  text.add_line("      <Cells>");
  text.add_array<std::int32_t>("connectivity", cells.connectivity);
  text.add_array<std::int32_t>("offsets", cells.offsets);
  text.add_array<std::uint8_t>("types", cells.types);
  text.add_line("      </Cells>");
  text.add_line("    </Piece>");
  text.add_line("  </UnstructuredGrid>");
  return text.finish();
}

void write_vtu(const std::string& path, const OutputTopology& topology, const Frame& frame,
               VtuNumbers numbers) {
  write_file(path, format_vtu(topology, frame, numbers));
}

}  // namespace marrow
