#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/file.h"
#include "core/macros.h"
#include "geometry/curved/lattice.h"
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
constexpr std::uint8_t kLagrangeTetCell = 71;

struct Cells {
  std::vector<std::int32_t> connectivity;
  std::vector<std::int32_t> offsets;  // end of each cell's corners
  std::vector<std::uint8_t> types;
  std::vector<std::int32_t> body;

  template <size_t Count>
  void add(const std::array<Index, Count>& corners, std::uint8_t type, const std::vector<Index>& body_of) {
    connectivity.insert(connectivity.end(), corners.begin(), corners.end());
    finish(type, body_of[static_cast<size_t>(corners[0])]);
  }

  void finish(std::uint8_t type, Index of_body) {
    offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
    types.push_back(type);
    body.push_back(of_body);
  }
};

// Lagrange tets over the nodes, which follow the points in the file.
void add_curved_cells(const OutputTopology& topology, Index first, Cells& cells) {
  for (const OutputCurvedTets& tets : topology.curved) {
    const OutputBody& body = topology.bodies[static_cast<size_t>(tets.body)];
    const std::vector<int> order = list_vtk_order(tets.order);
    for (size_t t = 0; t < tets.nodes.size(); t += order.size()) {
      for (const int place : order) {
        const Index node = tets.nodes[t + static_cast<size_t>(place)];
        cells.connectivity.push_back(first + node - body.first_node);
      }
      cells.finish(kLagrangeTetCell, tets.body);
    }
    first += body.node_count;
  }
}

Cells build_cells(const OutputTopology& topology, const std::vector<Index>& body_of) {
  const FrameCells listed = list_cells(topology);
  Cells cells;
  for (const Tet& tet : listed.tets) cells.add(tet, kTetCell, body_of);
  for (const Triangle& triangle : listed.triangles) cells.add(triangle, kTriangleCell, body_of);
  for (const Edge& edge : listed.edges) cells.add(edge, kLineCell, body_of);
  for (const Index point : listed.vertices) cells.add(std::array<Index, 1>{point}, kVertexCell, body_of);
  add_curved_cells(topology, static_cast<Index>(body_of.size()), cells);
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

  void add_points(std::span<const Vec3> points) { add_array<double>("Points", numbers_of(points), 3); }

  // Fields; cells beyond the values have 0.
  void add_scalars(const std::string& name, std::span<const double> values, size_t count) {
    std::vector<double> padded(values.begin(), values.end());
    padded.resize(count, 0);
    add_field(name, padded, 1);
  }

  void add_vectors(const std::string& name, std::span<const Vec3> values) {
    add_field(name, numbers_of(values), 3);
  }

  std::string finish() {
    return xml_ + "  <AppendedData encoding=\"raw\">\n   _" + data_ + "\n  </AppendedData>\n</VTKFile>\n";
  }

 private:
  static std::span<const double> numbers_of(std::span<const Vec3> values) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    return {values.empty() ? nullptr : values.front().data(), 3 * values.size()};
  }

  void add_field(const std::string& name, std::span<const double> values, int components) {
    if (numbers_ == VtuNumbers::Double) return add_array<double>(name, values, components);
    const std::vector<float> rounded(values.begin(), values.end());
    add_array<float>(name, rounded, components);
  }

  VtuNumbers numbers_;
  std::string xml_;
  std::string data_;
};

// Vectors of the points, then of the nodes; 0 where these are not given.
std::vector<Vec3> join_vectors(std::span<const Vec3> points, std::span<const double> of_nodes,
                               const std::vector<Index>& nodes) {
  std::vector<Vec3> all(points.begin(), points.end());
  for (const Index node : nodes) {
    all.push_back(of_nodes.empty() ? Vec3(Vec3::Zero())
                                   : Vec3(of_nodes.data() + 3 * static_cast<size_t>(node)));
  }
  return all;
}

std::vector<double> join_scalars(const ScalarField& field, const Frame& frame,
                                 const std::vector<Index>& nodes) {
  std::vector<double> all(field.values.begin(), field.values.end());
  const auto own = std::find_if(frame.node_scalars.begin(), frame.node_scalars.end(),
                                [&](const ScalarField& other) { return other.name == field.name; });
  for (const Index node : nodes) {
    all.push_back(own == frame.node_scalars.end() ? 0 : own->values[static_cast<size_t>(node)]);
  }
  return all;
}

void add_point_data(VtuText& text, const Frame& frame, const std::vector<Index>& nodes,
                    const std::vector<Index>& body_of) {
  text.add_line("      <PointData>");
  if (!frame.velocities.empty()) {
    text.add_vectors("velocity", join_vectors(frame.velocities, frame.node_velocities, nodes));
  }
  for (const VectorField& field : frame.point_vectors) {
    text.add_vectors(field.name, join_vectors(field.values, {}, nodes));
  }
  for (const ScalarField& field : frame.point_scalars) {
    text.add_scalars(field.name, join_scalars(field, frame, nodes), field.values.size() + nodes.size());
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
  std::vector<Index> body_of = compute_body_of_points(topology);
  MARROW_ASSERT(frame.points.size() == body_of.size());
  const std::vector<Index> nodes = list_curved_nodes(topology);
  MARROW_ASSERT(nodes.empty() || !frame.nodes.empty());
  const Cells cells = build_cells(topology, body_of);
  for (const OutputCurvedTets& tets : topology.curved) {
    body_of.insert(body_of.end(),
                   static_cast<size_t>(topology.bodies[static_cast<size_t>(tets.body)].node_count),
                   tets.body);
  }

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
  if (!nodes.empty()) {
    text.add_line(
        fmt::format("      <DataArray type=\"Int32\" Name=\"SurfacePoints\" NumberOfTuples=\"1\" "
                    "format=\"ascii\">{}</DataArray>",
                    frame.points.size()));
  }
  text.add_line("    </FieldData>");
  text.add_line(fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", body_of.size(),
                            cells.types.size()));
  add_point_data(text, frame, nodes, body_of);
  add_cell_data(text, frame, cells);
  text.add_line("      <Points>");
  text.add_points(nodes.empty() ? frame.points : join_vectors(frame.points, frame.nodes, nodes));
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
