// Writes Gmsh meshes, versions 2.2 and 4.1, ASCII or binary in the byte order of the machine. Tags count from
// 1; in version 4.1 each kind of element is one block of an entity with tag 1, listed under $Entities as Gmsh
// demands.
#include <fmt/format.h>

#include "mesh/io/curved_simplices.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/msh_element.h"

namespace marrow {
namespace {

// Writes values as text or as bytes; both versions of the format use both.
class MshOutput {
 public:
  explicit MshOutput(MeshEncoding encoding) : is_text_(encoding == MeshEncoding::Ascii) {}

  bool is_text() const { return is_text_; }

  // Text in either form.
  void line(std::string_view piece) {
    bytes_.text(piece);
    bytes_.text("\n");
  }

  // The end of a section, which in binary form follows the last value directly.
  void end(std::string_view piece) {
    if (!is_text_) bytes_.text("\n");
    line(piece);
  }

  template <class T>
  void value(T v, char separator = ' ') {
    is_text_ ? bytes_.number(v, separator) : bytes_.value(v);
  }

  void point(const Vec3& p, char separator = '\n') {
    value(p.x());
    value(p.y());
    value(p.z(), separator);
  }

  std::string take() { return bytes_.take(); }

 private:
  bool is_text_;
  ByteWriter bytes_{std::endian::native};
};

void write_format(MshOutput& out, const char* version) {
  out.line("$MeshFormat");
  out.line(fmt::format("{} {} 8", version, out.is_text() ? 0 : 1));
  if (!out.is_text()) {
    out.value(std::int32_t{1});
    out.line("");
  }
  out.line("$EndMeshFormat");
}

// A mesh of straight elements, or of curved tets alone.
struct MshContent {
  const Mesh& mesh;
  int order = 1;
  std::vector<std::span<const Index>> curved = {};  // the nodes of each tet
};

// Calls visit(type, dimension, elements) for every kind of element that there is.
template <class Visit>
void for_each_kind(const MshContent& content, const Visit& visit) {
  constexpr std::array<int, 5> kTetTypes = {0, kMshTet, 11, 29, 30};
  const Mesh& mesh = content.mesh;
  if (content.order > 1) return visit(kTetTypes[static_cast<size_t>(content.order)], 3, content.curved);
  if (!mesh.edges.empty()) visit(kMshLine, 1, mesh.edges);
  if (!mesh.triangles.empty()) visit(kMshTriangle, 2, mesh.triangles);
  if (!mesh.tets.empty()) visit(kMshTet, 3, mesh.tets);
}

std::int64_t count_elements(const MshContent& content) {
  size_t count = 0;
  for_each_kind(content, [&](int, int, const auto& elements) { count += elements.size(); });
  return static_cast<std::int64_t>(count);
}

template <class Integer, class Element>
void write_corners(MshOutput& out, const Element& element) {
  for (size_t i = 0; i < element.size(); ++i) {
    out.value(static_cast<Integer>(element[i]) + Integer{1}, i + 1 == element.size() ? '\n' : ' ');
  }
}

std::string format_22(const MshContent& content, MeshEncoding encoding) {
  const Mesh& mesh = content.mesh;
  MshOutput out(encoding);
  write_format(out, "2.2");
  out.line(fmt::format("$Nodes\n{}", mesh.points.size()));
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    out.value(static_cast<std::int32_t>(i + 1));
    out.point(mesh.points[i]);
  }
  out.end("$EndNodes");
  out.line(fmt::format("$Elements\n{}", count_elements(content)));
  std::int32_t tag = 1;
  for_each_kind(content, [&](std::int32_t type, int, const auto& elements) {
    if (!out.is_text()) {
      out.value(type);
      out.value(static_cast<std::int32_t>(elements.size()));
      out.value(std::int32_t{2});
    }
    for (const auto& element : elements) {
      out.value(tag++);
      if (out.is_text()) {
        out.value(type);
        out.value(std::int32_t{2});
      }
      out.value(std::int32_t{1});  // physical and elementary label
      out.value(std::int32_t{1});
      write_corners<std::int32_t>(out, element);
    }
  });
  out.end("$EndElements");
  return out.take();
}

// The entities that carry the elements: a point if there are none, a curve, a surface, a volume.
void write_entities_41(MshOutput& out, const MshContent& content, int node_dimension) {
  const Mesh& mesh = content.mesh;
  std::array<bool, 4> has = {};
  has[static_cast<size_t>(node_dimension)] = true;
  for_each_kind(content,
                [&](int, int dimension, const auto&) { has[static_cast<size_t>(dimension)] = true; });
  Vec3 lower = mesh.points[0];
  Vec3 upper = mesh.points[0];
  for (const Vec3& p : mesh.points) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  out.line("$Entities");
  for (size_t d = 0; d < 4; ++d) out.value(std::int64_t{has[d] ? 1 : 0}, d == 3 ? '\n' : ' ');
  for (size_t d = 0; d < 4; ++d) {
    if (!has[d]) continue;
    out.value(std::int32_t{1});
    out.point(lower, ' ');
    if (d > 0) out.point(upper, ' ');
    out.value(std::int64_t{0}, d == 0 ? '\n' : ' ');  // physical groups
    if (d > 0) out.value(std::int64_t{0}, '\n');      // bounding entities
  }
  out.end("$EndEntities");
}

void write_nodes_41(MshOutput& out, const Mesh& mesh, int node_dimension) {
  const auto count = static_cast<std::int64_t>(mesh.points.size());
  out.line("$Nodes");
  out.value(std::int64_t{1});
  out.value(count);
  out.value(std::int64_t{1});
  out.value(count, '\n');
  out.value(std::int32_t{node_dimension});
  out.value(std::int32_t{1});
  out.value(std::int32_t{0});
  out.value(count, '\n');
  for (std::int64_t i = 1; i <= count; ++i) out.value(i, '\n');
  for (const Vec3& p : mesh.points) out.point(p);
  out.end("$EndNodes");
}

void write_elements_41(MshOutput& out, const MshContent& content) {
  std::int64_t blocks = 0;
  for_each_kind(content, [&](int, int, const auto&) { ++blocks; });
  out.line("$Elements");
  out.value(blocks);
  out.value(count_elements(content));
  out.value(std::int64_t{1});
  out.value(count_elements(content), '\n');
  std::int64_t tag = 1;
  for_each_kind(content, [&](std::int32_t type, std::int32_t dimension, const auto& elements) {
    out.value(dimension);
    out.value(std::int32_t{1});
    out.value(type);
    out.value(static_cast<std::int64_t>(elements.size()), '\n');
    for (const auto& element : elements) {
      out.value(tag++);
      write_corners<std::int64_t>(out, element);
    }
  });
  out.end("$EndElements");
}

std::string format_41(const MshContent& content, MeshEncoding encoding) {
  MshOutput out(encoding);
  int node_dimension = 0;  // the entity of highest dimension owns the nodes
  for_each_kind(content, [&](int, int dimension, const auto&) { node_dimension = dimension; });
  write_format(out, "4.1");
  if (!content.mesh.points.empty()) write_entities_41(out, content, node_dimension);
  write_nodes_41(out, content.mesh, node_dimension);
  write_elements_41(out, content);
  return out.take();
}

}  // namespace

std::string format_msh(const Mesh& mesh, MeshEncoding encoding, MshVersion version) {
  const MshContent content{mesh};
  return version == MshVersion::V22 ? format_22(content, encoding) : format_41(content, encoding);
}

std::string format_curved_msh(const CurvedFile& file, MeshEncoding encoding, MshVersion version) {
  if (!file.is_curved()) return format_msh(file.mesh, encoding, version);
  MshContent content{file.mesh, file.order};
  const size_t count = list_vtk_places(file.order).size();
  for (size_t t = 0; t < file.mesh.tets.size(); ++t) {
    content.curved.emplace_back(file.tet_nodes.data() + t * count, count);
  }
  return version == MshVersion::V22 ? format_22(content, encoding) : format_41(content, encoding);
}

}  // namespace marrow
