// Reads meshes from VTK's XML files of unstructured grids (.vtu), as ParaView, VTK and meshio write them:
// little-endian; arrays as text, in base64 or appended, raw or in base64; not compressed, or by zlib. Of all
// pieces, points and cells are read, and no data.
#include <fmt/format.h>
#include <zlib.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <map>

#include "core/error.h"
#include "mesh/io/curved_simplices.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/text_scanner.h"
#include "mesh/io/vtk_cells.h"

namespace marrow {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are read in the order of memory");

// A tag, and the text up to the next one.
struct MeshTag {
  std::string name;  // a closing tag begins with a slash
  std::map<std::string, std::string> attributes;
  std::string_view text;
};

// Six bits per letter; whatever is none is skipped. Stops behind the padding of one piece, so that pieces may
// follow each other.
std::string decode_base64(std::string_view text, size_t& at) {
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (bool is_padded = false; at < text.size(); ++at) {
    const char c = text[at];
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) {
      is_padded = is_padded || c == '=';
      continue;
    }
    if (is_padded) break;
    bits = (bits << 6) | static_cast<unsigned>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>((bits >> count) & 0xFFU);
    }
  }
  return bytes;
}

class VtuMeshParser {
 public:
  VtuMeshParser(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  CurvedFile parse() {
    const size_t appended = bytes_.find("<AppendedData");
    xml_ = bytes_.substr(0, appended);
    if (appended != std::string_view::npos) {
      const size_t open = bytes_.find('>', appended), mark = bytes_.find('_', open);
      if (mark == std::string_view::npos) fail("its appended data have no beginning");
      is_raw_ = bytes_.substr(appended, open - appended).find("raw") != std::string_view::npos;
      appended_ = bytes_.substr(mark + 1);
    }
    read_tags();
    return curved_.finish(finish_mesh(std::move(mesh_), name_, polygons_), name_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = "") const {
    throw InputError(
        {name_, 0, 0, {}}, problem,
        advice.empty() ? "Save it as an unstructured grid (.vtu) or a legacy file (.vtk) again." : advice);
  }

  bool take_tag(MeshTag& tag) {
    const size_t open = xml_.find('<');
    const size_t close = open == std::string_view::npos ? open : xml_.find('>', open);
    if (close == std::string_view::npos) return false;
    std::string_view inside = xml_.substr(open + 1, close - open - 1);
    const size_t end = std::min(inside.find_first_of(" \t\r\n/", 1), inside.size());
    tag = {std::string(inside.substr(0, end)), {}, {}};
    for (size_t at = end; (at = inside.find('=', at)) != std::string_view::npos;) {
      const size_t name_end = inside.find_last_not_of(" \t\r\n", at - 1) + 1;
      const size_t name_start = inside.find_last_of(" \t\r\n", name_end - 1) + 1;
      const size_t quote = inside.find_first_of("\"'", at);
      const size_t last = quote == std::string_view::npos ? quote : inside.find(inside[quote], quote + 1);
      if (last == std::string_view::npos) break;
      tag.attributes[std::string(inside.substr(name_start, name_end - name_start))] =
          inside.substr(quote + 1, last - quote - 1);
      at = last + 1;
    }
    xml_.remove_prefix(close + 1);
    tag.text = xml_.substr(0, xml_.find('<'));
    return true;
  }

  void read_tags() {
    MeshTag tag;
    std::string section;
    bool is_grid = false;
    while (take_tag(tag)) {
      if (tag.name == "VTKFile") check_file(tag);
      if (tag.name == "UnstructuredGrid") is_grid = true;
      if (tag.name == "Points" || tag.name == "Cells" || tag.name == "PointData" || tag.name == "CellData" ||
          tag.name == "FieldData") {
        section = tag.name;
      }
      if (tag.name == "/Piece") finish_piece();
      if (tag.name != "DataArray") continue;
      if (section == "Points") arrays_["Points"] = tag;
      if (section == "Cells") arrays_[tag.attributes["Name"]] = tag;
    }
    if (!is_grid) {
      fail("it is no unstructured grid in VTK's XML", "Only files with type=\"UnstructuredGrid\" are read.");
    }
  }

  void check_file(MeshTag& tag) {
    if (tag.attributes["byte_order"] == "BigEndian")
      fail("it is big-endian; only little-endian is supported");
    is_wide_ = tag.attributes["header_type"] == "UInt64";
    const std::string& compressor = tag.attributes["compressor"];
    is_compressed_ = !compressor.empty();
    if (is_compressed_ && compressor != "vtkZLibDataCompressor") {
      fail(fmt::format("it is compressed by {}; only zlib is supported", compressor));
    }
  }

  // A count of a header, whose bytes are there.
  std::uint64_t header_at(std::string_view bytes, size_t index) const {
    const size_t width = is_wide_ ? 8 : 4;
    std::uint64_t value = 0;
    if ((index + 1) * width > bytes.size()) fail("an array is cut off");
    std::memcpy(&value, bytes.data() + index * width, width);
    return value;
  }

  // The plain bytes of a binary array.
  std::string take_bytes(MeshTag& tag) const {
    std::string_view source = tag.text;
    bool is_raw = false;
    if (tag.attributes["format"] == "appended") {
      std::uint64_t offset = 0;
      const std::string& text = tag.attributes["offset"];
      std::from_chars(text.data(), text.data() + text.size(), offset);
      if (offset > appended_.size()) fail("an array is cut off");
      source = appended_.substr(offset);
      is_raw = is_raw_;
    }
    return is_compressed_ ? inflate_blocks(source, is_raw) : take_plain(source, is_raw);
  }

  std::string take_plain(std::string_view source, bool is_raw) const {
    const size_t width = is_wide_ ? 8 : 4;
    size_t at = 0;
    const std::string decoded = is_raw ? std::string() : decode_base64(source, at);
    const std::string_view bytes = is_raw ? source : std::string_view(decoded);
    const std::uint64_t size = header_at(bytes, 0);
    if (size > bytes.size() - width) fail("an array is cut off");
    return std::string(bytes.substr(width, size));
  }

  // The number of blocks, the size of a block, that of the last (0: it is whole), then the packed sizes. In
  // base64 the header is a piece of its own.
  std::string inflate_blocks(std::string_view source, bool is_raw) const {
    const size_t width = is_wide_ ? 8 : 4;
    constexpr std::uint64_t kMostPacked = 1032;  // zlib cannot do better
    size_t at = 0;
    std::string head, body;
    if (!is_raw) {
      head = decode_base64(source, at);
      body = decode_base64(source, at);
    }
    const std::string_view header = is_raw ? source : std::string_view(head);
    const std::uint64_t blocks = header_at(header, 0);
    if (blocks == 0) return {};
    if (blocks > header.size() / width) fail("an array is cut off");
    const std::uint64_t whole = header_at(header, 1), last = header_at(header, 2);
    std::string_view packed = is_raw ? source.substr((3 + blocks) * width) : std::string_view(body);
    std::string bytes;
    for (std::uint64_t b = 0; b < blocks; ++b) {
      const std::uint64_t size = header_at(header, 3 + b);
      const std::uint64_t plain = b + 1 == blocks && last != 0 ? last : whole;
      if (size > packed.size() || plain / kMostPacked > size) fail("an array is cut off or damaged");
      std::string part(plain, '\0');
      uLongf length = plain;
      const int result = uncompress(reinterpret_cast<Bytef*>(part.data()), &length,
                                    reinterpret_cast<const Bytef*>(packed.data()), size);
      if (result != Z_OK || length != plain) fail("an array is damaged");
      bytes += part;
      packed.remove_prefix(size);
    }
    return bytes;
  }

  template <class T, class Out>
  std::vector<Out> convert(const std::string& bytes) const {
    std::vector<Out> values(bytes.size() / sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
      T value;
      std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
      values[i] = static_cast<Out>(value);
    }
    return values;
  }

  template <class Out>
  std::vector<Out> take_numbers(const char* name) {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) fail(fmt::format("a piece has no array {}", name));
    MeshTag& tag = found->second;
    const std::string& type = tag.attributes["type"];
    if (tag.attributes["format"] == "ascii") {
      std::vector<Out> values;
      TextScanner scan(tag.text, name_);
      while (!scan.at_end()) values.push_back(scan.read<Out>("a number"));
      return values;
    }
    const std::string bytes = take_bytes(tag);
    if (type == "Float64") return convert<double, Out>(bytes);
    if (type == "Float32") return convert<float, Out>(bytes);
    if (type == "Int64") return convert<std::int64_t, Out>(bytes);
    if (type == "UInt64") return convert<std::uint64_t, Out>(bytes);
    if (type == "Int32") return convert<std::int32_t, Out>(bytes);
    if (type == "UInt32") return convert<std::uint32_t, Out>(bytes);
    if (type == "Int16") return convert<std::int16_t, Out>(bytes);
    if (type == "UInt16") return convert<std::uint16_t, Out>(bytes);
    if (type == "Int8") return convert<std::int8_t, Out>(bytes);
    if (type == "UInt8") return convert<std::uint8_t, Out>(bytes);
    fail(fmt::format("the array {} has the unknown type {}", name, type));
  }

  void finish_piece() {
    const std::vector<double> coordinates = take_numbers<double>("Points");
    const std::vector<std::int64_t> corners = take_numbers<std::int64_t>("connectivity"),
                                    ends = take_numbers<std::int64_t>("offsets"),
                                    types = take_numbers<std::int64_t>("types");
    arrays_.clear();
    if (coordinates.size() % 3 != 0) fail("its points do not have three coordinates");
    const auto first = static_cast<Index>(mesh_.points.size());
    for (size_t i = 0; i < coordinates.size(); i += 3) {
      mesh_.points.emplace_back(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
      if (!mesh_.points.back().allFinite()) fail(fmt::format("point {} is not finite", i / 3));
    }
    if (ends.size() != types.size()) {
      fail(fmt::format("{} cells but {} cell types", ends.size(), types.size()));
    }
    const VtkCells cells(&curved_,
                         [this](const auto& problem, const auto& advice) { fail(problem, advice); });
    std::int64_t begin = 0;
    std::vector<Index> points;
    for (size_t i = 0; i < ends.size(); ++i) {
      if (ends[i] < begin || ends[i] > static_cast<std::int64_t>(corners.size())) {
        fail(fmt::format("the offset {} is out of order", ends[i]));
      }
      points.clear();
      for (std::int64_t k = begin; k < ends[i]; ++k) {
        const std::int64_t own = corners[static_cast<size_t>(k)];
        const PointRange range{0, static_cast<std::int64_t>(coordinates.size() / 3)};
        if (own < 0 || own >= range.count) {
          fail(bad_index_problem("cell", static_cast<std::int64_t>(i), own, range));
        }
        points.push_back(first + static_cast<Index>(own));
      }
      cells.add(i, static_cast<int>(types[i]), points, mesh_, polygons_);
      begin = ends[i];
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  std::string_view xml_, appended_;
  bool is_raw_ = false, is_wide_ = false, is_compressed_ = false;
  std::map<std::string, MeshTag> arrays_;  // of the piece
  CurvedSimplices curved_;
  Mesh mesh_;
  Polygons polygons_;
};

}  // namespace

CurvedFile parse_vtu_mesh(std::string_view bytes, const std::string& name) {
  return VtuMeshParser(bytes, name).parse();
}

}  // namespace marrow
