#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "core/error.h"
#include "core/file.h"
#include "geometry/curved/lattice.h"
#include "output/vtk/blocks.h"
#include "output/vtk/vtu.h"
#include "output/vtk/xml_tags.h"

namespace marrow {
namespace {

// Reads one file: first the XML, noting where each array lies, then the arrays.
class VtuReader {
 public:
  VtuReader(std::string_view bytes, const std::string& file) : file_(file) {
    constexpr std::string_view kStart = "<AppendedData encoding=\"raw\">";
    const size_t start = bytes.find(kStart);
    const size_t mark = start == std::string_view::npos ? start : bytes.find('_', start);
    if (mark == std::string_view::npos) fail("has no appended raw data");
    xml_ = bytes.substr(0, start);
    data_ = bytes.substr(mark + 1);
  }

  VtuFrame read() {
    read_xml();
    VtuFrame frame;
    frame.step = static_cast<int>(step_);
    frame.time = time_;
    read_points(frame);
    const auto cell_count = read_cells(frame);
    frame.point_data = read_data(point_data_, frame.points.size());
    frame.cell_data = read_data(cell_data_, cell_count);
    take_nodes(frame);
    return frame;
  }

 private:
  struct Array {
    std::string name;
    std::string type;
    int components = 1;
    std::string bytes;
  };

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(
        {file_, 0, 0, {}}, "not a VTU file written by Marrow: " + problem,
        "Only frames written by marrow run can be read; ParaView and meshio read and convert others.");
  }

  template <class T>
  T parse_number(std::string_view text) const {
    T value{};
    const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const auto [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), value);
    if (error != std::errc()) fail(fmt::format("\"{}\" is not a number", text.substr(0, 20)));
    return value;
  }

  void read_xml() {
    std::string section;
    XmlTag tag;
    for (std::string_view rest = xml_; take_tag(rest, tag);) {
      if (tag.name == "VTKFile" &&
          (attribute(tag, "header_type") != "UInt64" || attribute(tag, "byte_order") != "LittleEndian")) {
        fail("wanted little-endian data with UInt64 headers");
      }
      if (tag.name == "VTKFile") read_compressor(attribute(tag, "compressor"));
      if (tag.name == "DataArray") {
        take_array(tag, section);
      } else if (tag.name != "/DataArray") {
        section = tag.name;
      }
    }
  }

  void read_compressor(const std::string& name) {
    is_compressed_ = !name.empty();
    if (is_compressed_ && name != "vtkZLibDataCompressor") fail(fmt::format("it is compressed by {}", name));
  }

  void take_array(const XmlTag& tag, const std::string& section) {
    const std::string name = attribute(tag, "Name");
    if (section == "FieldData") {
      if (name == "TimeValue") time_ = parse_number<double>(tag.following);
      if (name == "Step") step_ = parse_number<int>(tag.following);
      if (name == "SurfacePoints") surface_points_ = parse_number<std::int64_t>(tag.following);
      return;
    }
    Array array{name, attribute(tag, "type"), parse_number<int>(attribute(tag, "NumberOfComponents")),
                find_block(parse_number<std::uint64_t>(attribute(tag, "offset")))};
    if (array.components < 1) fail(fmt::format("the array {} has no components", name));
    if (section == "PointData")
      point_data_.push_back(std::move(array));
    else if (section == "CellData")
      cell_data_.push_back(std::move(array));
    else
      geometry_[name] = std::move(array);
  }

  // The bytes of the block at an offset.
  std::string find_block(std::uint64_t offset) const {
    std::string bytes;
    const auto read = is_compressed_ ? read_compressed : read_raw;
    if (offset > data_.size() || !read(data_.substr(offset), bytes)) fail("the data are cut off or damaged");
    return bytes;
  }

  template <class T, class Out>
  std::vector<Out> convert(const Array& array) const {
    if (array.bytes.size() % sizeof(T) != 0) fail(fmt::format("the array {} is cut off", array.name));
    std::vector<Out> values(array.bytes.size() / sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
      T value;
      std::memcpy(&value, array.bytes.data() + i * sizeof(T), sizeof(T));
      values[i] = static_cast<Out>(value);
    }
    return values;
  }

  template <class Out>
  std::vector<Out> values_of(const Array& array) const {
    if (array.type == "Float64") return convert<double, Out>(array);
    if (array.type == "Float32") return convert<float, Out>(array);
    if (array.type == "Int64") return convert<std::int64_t, Out>(array);
    if (array.type == "Int32") return convert<std::int32_t, Out>(array);
    if (array.type == "UInt8") return convert<std::uint8_t, Out>(array);
    fail(fmt::format("the array {} has the unknown type {}", array.name, array.type));
  }

  // types: of which one is wanted.
  const Array& geometry(const char* name, std::initializer_list<const char*> types) const {
    const auto found = geometry_.find(name);
    if (found == geometry_.end() ||
        std::find(types.begin(), types.end(), found->second.type) == types.end()) {
      fail(fmt::format("the array {} is missing", name));
    }
    return found->second;
  }

  void read_points(VtuFrame& frame) const {
    const std::vector<double> values = values_of<double>(geometry("Points", {"Float64"}));
    if (values.size() % 3 != 0) fail("points do not have 3 coordinates");
    frame.points.resize(values.size() / 3);
    for (size_t i = 0; i < frame.points.size(); ++i) frame.points[i] = Vec3(values.data() + 3 * i);
  }

  // Sorts the cells by type; returns how many there are.
  size_t read_cells(VtuFrame& frame) const {
    const auto corners = values_of<std::int64_t>(geometry("connectivity", {"Int32", "Int64"}));
    const auto ends = values_of<std::int64_t>(geometry("offsets", {"Int32", "Int64"}));
    const auto types = values_of<std::uint8_t>(geometry("types", {"UInt8"}));
    if (ends.size() != types.size()) fail("the numbers of cells and cell types differ");
    for (const std::int64_t corner : corners) {
      if (corner < 0 || corner >= static_cast<std::int64_t>(frame.points.size())) {
        fail(fmt::format("a cell uses the point {}, there are {}", corner, frame.points.size()));
      }
    }
    std::int64_t begin = 0;
    for (size_t cell = 0; cell < types.size(); ++cell) {
      const std::int64_t end = ends[cell];
      if (end < begin || end > static_cast<std::int64_t>(corners.size()))
        fail("cell offsets are out of order");
      add_cell(frame, types[cell], {corners.data() + begin, static_cast<size_t>(end - begin)});
      begin = end;
    }
    return types.size();
  }

  // Puts what belongs to the nodes of curved tets, at the end of the file, aside.
  void take_nodes(VtuFrame& frame) const {
    const auto count = static_cast<std::int64_t>(frame.points.size());
    const std::int64_t first = surface_points_.value_or(count);
    if (first < 0 || first > count)
      fail(fmt::format("it says {} of {} points are on surfaces", first, count));
    const auto is_node = [&](Index i) { return i >= first; };
    const auto check = [&](const auto& cells) {
      for (const auto& cell : cells) {
        if (std::any_of(cell.begin(), cell.end(), is_node))
          fail("a straight cell uses a node of a curved tet");
      }
    };
    check(frame.tets);
    check(frame.triangles);
    check(frame.edges);
    if (std::any_of(frame.vertices.begin(), frame.vertices.end(), is_node)) fail("a node is a vertex");
    for (VtuFrame::Curved& tets : frame.curved) {
      for (Index& node : tets.nodes) {
        if (!is_node(node)) fail(fmt::format("a curved tet uses the point {}, which is no node", node));
        node -= static_cast<Index>(first);
      }
    }
    frame.nodes.assign(frame.points.begin() + first, frame.points.end());
    frame.points.resize(static_cast<size_t>(first));
    frame.node_data = cut_off(static_cast<size_t>(first), frame.point_data);
    const size_t straight =
        frame.tets.size() + frame.triangles.size() + frame.edges.size() + frame.vertices.size();
    frame.curved_data = cut_off(straight, frame.cell_data);
  }

  // Takes the values from a place on.
  static std::vector<VtuFrame::Data> cut_off(size_t first, std::vector<VtuFrame::Data>& list) {
    std::vector<VtuFrame::Data> rest;
    for (VtuFrame::Data& data : list) {
      const auto at = static_cast<std::ptrdiff_t>(first * static_cast<size_t>(data.components));
      rest.push_back({data.name, data.components, {data.values.begin() + at, data.values.end()}});
      data.values.resize(static_cast<size_t>(at));
    }
    return rest;
  }

  void add_curved(VtuFrame& frame, std::span<const std::int64_t> nodes) const {
    for (int order = 1; order <= kMostOrder; ++order) {
      const std::vector<int> places = list_vtk_order(order);
      if (places.size() != nodes.size()) continue;
      if (frame.curved.empty() || frame.curved.back().order != order) frame.curved.push_back({order, {}});
      std::vector<Index>& list = frame.curved.back().nodes;
      const size_t first = list.size();
      list.resize(first + nodes.size());
      for (size_t i = 0; i < nodes.size(); ++i) {
        list[first + static_cast<size_t>(places[i])] = static_cast<Index>(nodes[i]);
      }
      return;
    }
    fail(fmt::format("there is a Lagrange tet of {} points", nodes.size()));
  }

  void add_cell(VtuFrame& frame, int type, std::span<const std::int64_t> corners) const {
    if (type == 71) return add_curved(frame, corners);
    std::array<Index, 4> ids = {};
    if (corners.size() > ids.size()) fail("a cell has more than 4 corners");
    for (size_t i = 0; i < corners.size(); ++i) ids[i] = static_cast<Index>(corners[i]);
    if (type == 10 && corners.size() == 4)
      frame.tets.push_back(ids);
    else if (type == 5 && corners.size() == 3)
      frame.triangles.push_back({ids[0], ids[1], ids[2]});
    else if (type == 3 && corners.size() == 2)
      frame.edges.push_back({ids[0], ids[1]});
    else if (type == 1 && corners.size() == 1)
      frame.vertices.push_back(ids[0]);
    else
      fail(fmt::format("there is a cell of type {} with {} corners", type, corners.size()));
  }

  std::vector<VtuFrame::Data> read_data(const std::vector<Array>& arrays, size_t count) const {
    std::vector<VtuFrame::Data> data;
    for (const Array& array : arrays) {
      data.push_back({array.name, array.components, values_of<double>(array)});
      if (data.back().values.size() != count * static_cast<size_t>(array.components)) {
        fail(fmt::format("the array {} has the wrong length", array.name));
      }
    }
    return data;
  }

  const std::string& file_;
  std::string_view xml_;
  std::string_view data_;
  bool is_compressed_ = false;
  double time_ = 0;
  int step_ = 0;
  std::optional<std::int64_t> surface_points_;  // how many points precede the nodes of curved tets
  std::vector<Array> point_data_;
  std::vector<Array> cell_data_;
  std::map<std::string, Array> geometry_;  // points and cells, by name
};

}  // namespace

VtuFrame read_vtu(const std::string& path) { return parse_vtu(read_file(path), path); }

VtuFrame parse_vtu(const std::string& bytes, const std::string& file) {
  return VtuReader(bytes, file).read();
}

}  // namespace marrow
