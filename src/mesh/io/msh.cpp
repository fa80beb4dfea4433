// Reads Gmsh meshes, versions 2 and 4.1, ASCII or binary of either byte order. Points, lines, triangles,
// quads (cut in two) and tets are read; physical names, entities, data and unknown sections such as $Surface
// are skipped. Lines, triangles and tets of order 2 to 4 are read only by those who take curved tets.
#include <fmt/format.h>

#include <optional>

#include "mesh/io/byte_reader.h"
#include "mesh/io/curved_simplices.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/msh_element.h"
#include "mesh/io/node_tags.h"
#include "mesh/io/text_scanner.h"

namespace marrow {
namespace {

class MshParser {
 public:
  // curved: takes the curved simplices; null: they are refused.
  MshParser(std::string_view bytes, const std::string& name, CurvedSimplices* curved)
      : bytes_(bytes), scan_(bytes, name), curved_(curved) {}

  Mesh parse() {
    parse_format();
    for (std::string_view section = scan_.next_word(); !section.empty(); section = scan_.next_word()) {
      if (section.size() < 2 || section[0] != '$') scan_.fail("a section such as $Nodes is expected here");
      const std::string end = fmt::format("$End{}", section.substr(1));
      if (section == "$Nodes") {
        with_source([&](auto& source) { is_version_4_ ? parse_nodes_4(source) : parse_nodes_2(source); });
        expect_end(end);
      } else if (section == "$Elements") {
        with_source(
            [&](auto& source) { is_version_4_ ? parse_elements_4(source) : parse_elements_2(source); });
        expect_end(end);
      } else {
        skip_section(end);
      }
    }
    return finish_mesh(std::move(mesh_), scan_.name(), polygons_);
  }

 private:
  void parse_format() {
    if (scan_.next_word() != "$MeshFormat") {
      scan_.fail("a Gmsh file starts with $MeshFormat",
                 "Check the format; version 1 files must be converted by Gmsh.");
    }
    const auto version = scan_.read<double>("the version");
    is_version_4_ = version == 4.1;
    if (!is_version_4_ && !(version >= 2 && version < 3)) {
      scan_.fail(fmt::format("version {} of Gmsh's format is not supported", version),
                 "Save it as version 4.1 or 2.2: gmsh -save -format msh41.");
    }
    const auto is_binary = scan_.read<int>("the file type");
    const auto size = scan_.read<int>("the data size");
    if (is_binary != 0 && is_binary != 1) scan_.fail("the file type must be 0 (ASCII) or 1 (binary)");
    if (is_binary == 1 && size != 8)
      scan_.fail(fmt::format("the data size is {}; only 8 is supported", size));
    if (is_binary == 1) parse_byte_order();
    expect_end("$EndMeshFormat");
  }

  // The integer 1 in the byte order of the file.
  void parse_byte_order() {
    scan_.skip_line();
    scan_.report_bytes();
    ByteReader reader(bytes_, scan_.name(), std::endian::little, scan_.position());
    const auto one = reader.read<std::uint32_t>("the byte-order mark");
    if (one != 1 && one != 0x01000000U) reader.fail("the byte-order mark is not 1", "The file is damaged.");
    order_ = one == 1 ? std::endian::little : std::endian::big;
    scan_.move_to(reader.position());
  }

  // Calls read with the scanner, or in a binary file with a reader of the bytes after this line.
  template <class Read>
  void with_source(const Read& read) {
    if (!order_) {
      read(scan_);
      return;
    }
    scan_.skip_line();
    ByteReader reader(bytes_, scan_.name(), *order_, scan_.position());
    read(reader);
    scan_.move_to(reader.position());
  }

  void expect_end(const std::string& keyword) {
    const std::string_view word = scan_.next_word();
    if (word == keyword) return;
    const std::string problem = word.empty() ? "the file ends where {} is expected" : "{} is expected here";
    scan_.fail_at(scan_.position() - word.size(), fmt::format(fmt::runtime(problem), keyword),
                  "The file is cut off, or a count is wrong.");
  }

  void skip_section(const std::string& end) {
    const size_t found = bytes_.find(end, scan_.position());
    if (found == std::string_view::npos) {
      scan_.fail(fmt::format("this section has no {}", end), "The file is cut off; export it again.");
    }
    scan_.move_to(found + end.size());
  }

  template <class Source>
  Vec3 read_point(Source& source) {
    Vec3 p;
    for (int i = 0; i < 3; ++i)
      p[i] = check_finite(source, source.template read<double>("a coordinate"), "the coordinate");
    return p;
  }

  template <class Source>
  void add_tag(Source& source, std::int64_t tag) {
    if (tag <= 0) source.fail(fmt::format("the node tag {} is not positive", tag));
    tags_.add(tag);
  }

  template <class Source>
  void finish_tags(Source& source) {
    const std::optional<std::int64_t> twice = tags_.build();
    if (twice) source.fail(fmt::format("the node tag {} occurs twice", *twice));
  }

  // In version 2 the counts are text even in a binary file.
  template <class Source>
  std::int64_t read_count_2(Source& source, const char* what) {
    if constexpr (std::is_same_v<Source, TextScanner>) {
      return check_count(source, source.template read<std::int64_t>("a count"), what);
    } else {
      TextScanner line(bytes_.substr(0, source.position() + std::min<size_t>(source.remaining(), 40)),
                       scan_.name());
      line.report_bytes();
      line.move_to(source.position());
      const std::int64_t count = check_count(line, line.read<std::int64_t>("a count"), what);
      line.skip_line();
      source.take(line.position() - source.position(), "a count");
      return count;
    }
  }

  template <class Source>
  void parse_nodes_2(Source& source) {
    const std::int64_t count = read_count_2(source, "nodes");
    source.require_room(count, 4, 28, "nodes");
    mesh_.points.reserve(mesh_.points.size() + static_cast<size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      add_tag(source, source.template read<std::int32_t>("a node tag"));
      mesh_.points.push_back(read_point(source));
    }
    finish_tags(source);
  }

  template <class Source>
  void parse_nodes_4(Source& source) {
    const std::int64_t blocks = read_size(source, "node blocks");
    const std::int64_t total = read_size(source, "nodes");
    source.template skip<std::int64_t>("the lowest tag");
    source.template skip<std::int64_t>("the highest tag");
    source.require_room(blocks, 4, 20, "node blocks");
    source.require_room(total, 4, 32, "nodes");
    mesh_.points.reserve(static_cast<size_t>(total));
    for (std::int64_t b = 0; b < blocks; ++b) parse_node_block(source);
    if (static_cast<std::int64_t>(mesh_.points.size()) != total) {
      source.fail(fmt::format("{} nodes are announced, but there are {}", total, mesh_.points.size()));
    }
    finish_tags(source);
  }

  // Tags first, then coordinates, with parameters on the entity if it is parametric.
  template <class Source>
  void parse_node_block(Source& source) {
    const auto dimension = source.template read<std::int32_t>("an entity dimension");
    source.template skip<std::int32_t>("an entity tag");
    const auto parametric = source.template read<std::int32_t>("the parametric flag");
    if (dimension < 0 || dimension > 3) source.fail("an entity dimension lies between 0 and 3");
    const int parameters = parametric == 0 ? 0 : dimension;
    const std::int64_t count = read_size(source, "nodes of a block");
    source.require_room(count, 4, 32, "nodes");
    for (std::int64_t i = 0; i < count; ++i)
      add_tag(source, source.template read<std::int64_t>("a node tag"));
    for (std::int64_t i = 0; i < count; ++i) {
      mesh_.points.push_back(read_point(source));
      for (int j = 0; j < parameters; ++j) source.template skip<double>("a parameter");
    }
  }

  template <class Source>
  std::int64_t read_size(Source& source, const char* what) {
    return check_count(source, source.template read<std::int64_t>("a count"), what);
  }

  template <class Source>
  const MshElement& element_of(Source& source, int type) {
    const MshElement* element = find_msh_element(type);
    if (element == nullptr) source.fail(fmt::format("{} is not an element type of Gmsh", type));
    if (curved_ != nullptr && element->order > 0) {
      curved_->take_order(source, element->dimension, element->order);
    } else if (!element->is_supported) {
      source.fail(
          fmt::format("the file has elements of type {} ({}), which are not supported", type, element->name),
          curved_ != nullptr
              ? "Supported are points, lines, triangles and tets of order 1 to 4, and quads of order 1."
              : "Supported are points, lines, triangles, quads and tets of first order; mesh again with "
                "order "
                "1.");
    }
    return *element;
  }

  template <class Integer, class Source>
  void parse_element(Source& source, const MshElement& element, std::int64_t tag) {
    std::array<Index, kMostSimplexNodes> corners = {};
    for (size_t i = 0; i < element.nodes; ++i) {
      const std::int64_t node = source.template read<Integer>("a node tag");
      corners[i] = tags_.find(node);
      if (corners[i] == kNone) {
        source.fail(fmt::format("element {} names node {}, which does not exist", tag, node),
                    fmt::format("The file has {} nodes with tags from {} to {}.", tags_.size(),
                                tags_.lowest(), tags_.highest()));
      }
    }
    const std::span<const Index> v(corners.data(), element.nodes);
    if (element.type == kMshQuad) {
      polygons_.add(v, mesh_.triangles);
    } else if (element.dimension == 1) {
      add_polyline(v.first(2), mesh_.edges);
    } else if (element.dimension == 2) {
      polygons_.add(v.first(3), mesh_.triangles);
    } else if (element.dimension == 3 && curved_ != nullptr) {
      curved_->add_tet(v, mesh_);
    } else if (element.dimension == 3) {
      mesh_.tets.push_back({v[0], v[1], v[2], v[3]});
    }
  }

  // Binary files group elements of one type; in ASCII every element is a group of its own with the tag first.
  template <class Source>
  void parse_elements_2(Source& source) {
    constexpr bool kIsText = std::is_same_v<Source, TextScanner>;
    const std::int64_t count = read_count_2(source, "elements");
    source.require_room(count, 4, 8, "elements");
    for (std::int64_t read = 0; read < count;) {
      const std::int64_t text_tag = kIsText ? source.template read<std::int32_t>("an element tag") : 0;
      const MshElement& element = element_of(source, source.template read<std::int32_t>("an element type"));
      const std::int64_t group = kIsText ? 1 : source.template read<std::int32_t>("a number of elements");
      const auto labels = source.template read<std::int32_t>("a number of labels");
      if (group < 1 || group > count - read)
        source.fail(fmt::format("a group cannot have {} elements", group));
      if (labels < 0) source.fail(fmt::format("an element cannot have {} labels", labels));
      source.require_room(labels, 1, 4, "labels");
      for (std::int64_t i = 0; i < group; ++i) {
        const std::int64_t tag = kIsText ? text_tag : source.template read<std::int32_t>("an element tag");
        for (int j = 0; j < labels; ++j) source.template skip<std::int32_t>("a label");
        parse_element<std::int32_t>(source, element, tag);
      }
      read += group;
    }
  }

  template <class Source>
  void parse_elements_4(Source& source) {
    const std::int64_t blocks = read_size(source, "element blocks");
    const std::int64_t total = read_size(source, "elements");
    source.template skip<std::int64_t>("the lowest tag");
    source.template skip<std::int64_t>("the highest tag");
    source.require_room(blocks, 4, 20, "element blocks");
    std::int64_t read = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      source.template skip<std::int32_t>("an entity dimension");
      source.template skip<std::int32_t>("an entity tag");
      const MshElement& element = element_of(source, source.template read<std::int32_t>("an element type"));
      const std::int64_t count = read_size(source, "elements of a block");
      source.require_room(count, 1 + element.nodes, 8 * (1 + element.nodes), "elements");
      reserve(element, static_cast<size_t>(count));
      for (std::int64_t i = 0; i < count; ++i) {
        parse_element<std::int64_t>(source, element, source.template read<std::int64_t>("an element tag"));
      }
      read += count;
    }
    if (read != total) source.fail(fmt::format("{} elements are announced, but there are {}", total, read));
  }

  void reserve(const MshElement& element, size_t count) {
    if (element.type == kMshTriangle) mesh_.triangles.reserve(mesh_.triangles.size() + count);
    if (element.type == kMshTet) mesh_.tets.reserve(mesh_.tets.size() + count);
  }

  std::string_view bytes_;
  TextScanner scan_;
  CurvedSimplices* curved_;
  bool is_version_4_ = true;
  std::optional<std::endian> order_;  // of a binary file
  NodeTags tags_;
  Mesh mesh_;
  Polygons polygons_;
};

}  // namespace

Mesh parse_msh(std::string_view bytes, const std::string& name) {
  return MshParser(bytes, name, nullptr).parse();
}

CurvedFile parse_curved_msh(std::string_view bytes, const std::string& name) {
  CurvedSimplices curved;
  Mesh mesh = MshParser(bytes, name, &curved).parse();
  return curved.finish(std::move(mesh), name);
}

}  // namespace marrow
