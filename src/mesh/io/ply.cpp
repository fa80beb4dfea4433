// Reads PLY, ASCII or binary of either byte order: the elements vertex (x, y, z and, if there, radius),
// face (vertex_indices or vertex_index) and edge (vertex1, vertex2); other elements and properties are
// skipped.
#include <fmt/format.h>

#include <optional>

#include "mesh/io/byte_reader.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/text_scanner.h"

namespace marrow {
namespace {

enum class PlyType { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };

struct PlyTypeName {
  std::string_view name;
  PlyType type;
};

constexpr PlyTypeName kTypeNames[] = {
    {"char", PlyType::Int8},      {"int8", PlyType::Int8},       {"uchar", PlyType::UInt8},
    {"uint8", PlyType::UInt8},    {"short", PlyType::Int16},     {"int16", PlyType::Int16},
    {"ushort", PlyType::UInt16},  {"uint16", PlyType::UInt16},   {"int", PlyType::Int32},
    {"int32", PlyType::Int32},    {"uint", PlyType::UInt32},     {"uint32", PlyType::UInt32},
    {"float", PlyType::Float32},  {"float32", PlyType::Float32}, {"double", PlyType::Float64},
    {"float64", PlyType::Float64}};

constexpr size_t kTypeBytes[] = {1, 1, 2, 2, 4, 4, 4, 8};

// What a property means to us.
enum class PlyRole { Skipped, X, Y, Z, Radius, Vertex1, Vertex2, Corners };

struct PlyProperty {
  PlyRole role = PlyRole::Skipped;
  PlyType type = PlyType::Float32;
  std::optional<PlyType> count_type = {};  // of a list
};

enum class PlyKind { Other, Vertex, Face, Edge };

struct PlyElement {
  PlyKind kind = PlyKind::Other;
  std::int64_t count = 0;
  std::vector<PlyProperty> properties = {};

  bool has(PlyRole role) const {
    return std::any_of(properties.begin(), properties.end(),
                       [&](const PlyProperty& p) { return p.role == role; });
  }
};

struct PlyHeader {
  MeshEncoding encoding = MeshEncoding::Ascii;
  std::endian order = std::endian::native;
  std::vector<PlyElement> elements = {};
  bool has_vertices = false;
  std::int64_t vertex_count = 0;
};

PlyType parse_type(TextScanner& scan) {
  const std::string_view word = scan.word_on_line();
  for (const PlyTypeName& t : kTypeNames) {
    if (t.name == word) return t.type;
  }
  scan.fail("this is not a PLY type", "Types are char, uchar, short, ushort, int, uint, float and double.");
}

PlyRole role_of(PlyKind kind, std::string_view name, bool is_list) {
  struct Entry {
    PlyKind kind;
    std::string_view name;
    bool is_list;
    PlyRole role;
  };
  constexpr Entry kRoles[] = {{PlyKind::Vertex, "x", false, PlyRole::X},
                              {PlyKind::Vertex, "y", false, PlyRole::Y},
                              {PlyKind::Vertex, "z", false, PlyRole::Z},
                              {PlyKind::Vertex, "radius", false, PlyRole::Radius},
                              {PlyKind::Face, "vertex_indices", true, PlyRole::Corners},
                              {PlyKind::Face, "vertex_index", true, PlyRole::Corners},
                              {PlyKind::Edge, "vertex1", false, PlyRole::Vertex1},
                              {PlyKind::Edge, "vertex2", false, PlyRole::Vertex2}};
  for (const Entry& e : kRoles) {
    if (e.kind == kind && e.name == name && e.is_list == is_list) return e.role;
  }
  return PlyRole::Skipped;
}

void parse_format(TextScanner& scan, PlyHeader& header) {
  const std::string_view format = scan.word_on_line();
  if (format == "ascii") return;
  header.encoding = MeshEncoding::Binary;
  if (format == "binary_little_endian") {
    header.order = std::endian::little;
  } else if (format == "binary_big_endian") {
    header.order = std::endian::big;
  } else {
    scan.fail("this is not a PLY encoding",
              "Encodings are ascii, binary_little_endian and binary_big_endian.");
  }
}

PlyElement parse_element(TextScanner& scan) {
  const std::string_view name = scan.word_on_line();
  if (name == "tristrips")
    scan.fail("triangle strips are not supported", "Export the mesh with single faces.");
  PlyElement element;
  if (name == "vertex") element.kind = PlyKind::Vertex;
  if (name == "face") element.kind = PlyKind::Face;
  if (name == "edge") element.kind = PlyKind::Edge;
  element.count = check_count(scan, scan.read_on_line<std::int64_t>("a number of elements"), "elements");
  return element;
}

PlyProperty parse_property(TextScanner& scan, PlyKind kind) {
  PlyProperty property;
  const size_t start = scan.position();
  if (scan.word_on_line() == "list") {
    property.count_type = parse_type(scan);
  } else {
    scan.move_to(start);
  }
  property.type = parse_type(scan);
  property.role = role_of(kind, scan.word_on_line(), property.count_type.has_value());
  return property;
}

// An element of a kind we know must have the properties that make it one.
void check_properties(const TextScanner& scan, const PlyHeader& header) {
  const auto require = [&](const PlyElement& element, PlyRole role, const char* what) {
    if (!element.has(role)) scan.fail(fmt::format("the header lacks {}", what));
  };
  for (const PlyElement& element : header.elements) {
    if (element.kind == PlyKind::Vertex) {
      require(element, PlyRole::X, "the property x of vertex");
      require(element, PlyRole::Y, "the property y of vertex");
      require(element, PlyRole::Z, "the property z of vertex");
    } else if (element.kind == PlyKind::Face) {
      require(element, PlyRole::Corners, "the list property vertex_indices of face");
    } else if (element.kind == PlyKind::Edge) {
      require(element, PlyRole::Vertex1, "the property vertex1 of edge");
      require(element, PlyRole::Vertex2, "the property vertex2 of edge");
    }
  }
}

// Leaves the scanner at the first byte of the body.
PlyHeader parse_header(TextScanner& scan) {
  if (scan.next_word() != "ply")
    scan.fail("a PLY file starts with the word ply", "Check the format, or export it again.");
  scan.skip_line();
  PlyHeader header;
  bool has_format = false;
  for (;;) {
    const std::string_view keyword = scan.next_word();
    if (keyword == "end_header") break;
    if (keyword == "format") {
      parse_format(scan, header);
      has_format = true;
    } else if (keyword == "element") {
      const PlyElement element = parse_element(scan);
      if (element.kind == PlyKind::Vertex && header.has_vertices)
        scan.fail("the element vertex is declared twice");
      if (element.kind == PlyKind::Vertex) {
        header.has_vertices = true;
        header.vertex_count = element.count;
      }
      header.elements.push_back(element);
    } else if (keyword == "property" && !header.elements.empty()) {
      PlyElement& element = header.elements.back();
      const PlyProperty property = parse_property(scan, element.kind);
      if (property.role != PlyRole::Skipped && element.has(property.role))
        scan.fail("this property is declared twice");
      element.properties.push_back(property);
    } else if (keyword.empty()) {
      scan.fail_at(scan.position(), "the file ends inside the header",
                   "The file is cut off; export it again.");
    } else if (keyword != "comment" && keyword != "obj_info") {
      scan.fail("this line is not allowed in a PLY header");
    }
    scan.skip_line();
  }
  if (!has_format) scan.fail("the header has no format line");
  check_properties(scan, header);
  scan.skip_line();
  return header;
}

double read_value(TextScanner& scan, PlyType type) {
  if (type >= PlyType::Float32) return scan.read<double>("a value");
  return static_cast<double>(scan.read<std::int64_t>("an integer"));
}

double read_value(ByteReader& reader, PlyType type) {
  switch (type) {
    case PlyType::Int8:
      return reader.read<std::int8_t>("a value");
    case PlyType::UInt8:
      return reader.read<std::uint8_t>("a value");
    case PlyType::Int16:
      return reader.read<std::int16_t>("a value");
    case PlyType::UInt16:
      return reader.read<std::uint16_t>("a value");
    case PlyType::Int32:
      return reader.read<std::int32_t>("a value");
    case PlyType::UInt32:
      return reader.read<std::uint32_t>("a value");
    case PlyType::Float32:
      return reader.read<float>("a value");
    case PlyType::Float64:
      return reader.read<double>("a value");
  }
  return 0;
}

void skip_value(TextScanner& scan, PlyType) { scan.skip<double>("a value"); }
void skip_value(ByteReader& reader, PlyType type) {
  reader.take(kTypeBytes[static_cast<int>(type)], "a value");
}

// Reads the body from a scanner (ASCII) or a reader (binary).
template <class Source>
class PlyBody {
 public:
  PlyBody(Source& source, const PlyHeader& header) : source_(source), header_(header) {}

  Mesh parse(const std::string& name) {
    for (const PlyElement& element : header_.elements) parse_elements(element);
    return finish_mesh(std::move(mesh_), name, polygons_);
  }

 private:
  void parse_elements(const PlyElement& element) {
    if (element.properties.empty()) return;
    size_t bytes_each = 0;
    for (const PlyProperty& p : element.properties) {
      bytes_each += kTypeBytes[static_cast<int>(p.count_type.value_or(p.type))];
    }
    source_.require_room(element.count, element.properties.size(), bytes_each, "elements");
    reserve(element);
    for (number_ = 0; number_ < element.count; ++number_) {
      for (const PlyProperty& p : element.properties) parse_value(p);
      if (element.kind == PlyKind::Vertex) mesh_.points.push_back(point_);
      if (element.kind == PlyKind::Edge) mesh_.edges.push_back(edge_);
      if (element.kind == PlyKind::Face) polygons_.add(corners_, mesh_.triangles);
    }
  }

  void reserve(const PlyElement& element) {
    const auto count = static_cast<size_t>(element.count);
    if (element.kind == PlyKind::Vertex) mesh_.points.reserve(count);
    if (element.kind == PlyKind::Vertex && element.has(PlyRole::Radius)) mesh_.radii.reserve(count);
    if (element.kind == PlyKind::Edge) mesh_.edges.reserve(count);
    if (element.kind == PlyKind::Face) mesh_.triangles.reserve(count);
  }

  void parse_value(const PlyProperty& p) {
    switch (p.role) {
      case PlyRole::X:
        point_.x() = read_finite(p, "the coordinate");
        break;
      case PlyRole::Y:
        point_.y() = read_finite(p, "the coordinate");
        break;
      case PlyRole::Z:
        point_.z() = read_finite(p, "the coordinate");
        break;
      case PlyRole::Radius:
        parse_radius(p);
        break;
      case PlyRole::Vertex1:
        edge_[0] = read_index(p, "edge");
        break;
      case PlyRole::Vertex2:
        edge_[1] = read_index(p, "edge");
        break;
      case PlyRole::Corners:
        parse_corners(p);
        break;
      case PlyRole::Skipped:
        skip_property(p);
        break;
    }
  }

  double read_finite(const PlyProperty& p, const char* what) {
    return check_finite(source_, read_value(source_, p.type), what);
  }

  void parse_radius(const PlyProperty& p) {
    const double radius = read_finite(p, "the radius");
    if (std::signbit(radius)) {
      source_.fail(fmt::format("vertex {} has the negative radius {}", number_, radius),
                   "Radii must be 0 or above.");
    }
    mesh_.radii.push_back(radius);
  }

  Index read_index(const PlyProperty& p, const char* kind) {
    const double index = read_finite(p, "the point number");
    if (index != std::trunc(index) || std::abs(index) > 1e15)
      source_.fail(fmt::format("{} is not a point number", index));
    return to_index(source_, kind, number_, static_cast<std::int64_t>(index), {0, header_.vertex_count});
  }

  std::int64_t read_list_length(const PlyProperty& p) {
    const double length = read_value(source_, *p.count_type);
    if (!(length >= 0 && length < 1e15)) source_.fail(fmt::format("a list cannot have {} entries", length));
    const auto count = static_cast<std::int64_t>(length);
    source_.require_room(count, 1, kTypeBytes[static_cast<int>(p.type)], "list entries");
    return count;
  }

  void parse_corners(const PlyProperty& p) {
    const std::int64_t count = read_list_length(p);
    if (count < 3) {
      source_.fail(fmt::format("face {} has {} corners", number_, count), "A face needs at least three.");
    }
    corners_.resize(static_cast<size_t>(count));
    for (Index& corner : corners_) corner = read_index(p, "face");
  }

  void skip_property(const PlyProperty& p) {
    const std::int64_t count = p.count_type ? read_list_length(p) : 1;
    for (std::int64_t i = 0; i < count; ++i) skip_value(source_, p.type);
  }

  Source& source_;
  const PlyHeader& header_;
  Mesh mesh_;
  Polygons polygons_;
  std::int64_t number_ = 0;  // of the element being read
  Vec3 point_ = Vec3::Zero();
  Edge edge_ = {};
  std::vector<Index> corners_;
};

}  // namespace

Mesh parse_ply(std::string_view bytes, const std::string& name) {
  TextScanner scan(bytes, name);
  const PlyHeader header = parse_header(scan);
  if (header.encoding == MeshEncoding::Ascii) return PlyBody(scan, header).parse(name);
  ByteReader reader(bytes, name, header.order, scan.position());
  return PlyBody(reader, header).parse(name);
}

}  // namespace marrow
