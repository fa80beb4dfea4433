// STL: triangles by their corners, ASCII or binary. Corners with exactly equal coordinates become one point;
// normals and attributes are skipped.
#include <fmt/format.h>

#include <cctype>

#include "core/error.h"
#include "mesh/io/byte_reader.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/text_scanner.h"
#include "mesh/point_merger.h"

#include <Eigen/Geometry>

namespace marrow {
namespace {

constexpr size_t kHeaderBytes = 80;
constexpr size_t kTriangleBytes = 50;

size_t binary_size(std::uint32_t triangles) { return kHeaderBytes + 4 + kTriangleBytes * size_t{triangles}; }

bool is_keyword(std::string_view word, std::string_view keyword) {
  return std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(),
                    [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

void expect(TextScanner& scan, std::string_view keyword) {
  const std::string_view word = scan.next_word();
  if (word.empty()) {
    scan.fail_at(scan.position(), fmt::format("the file ends where '{}' is expected", keyword),
                 "The file is cut off; export it again.");
  }
  if (!is_keyword(word, keyword)) scan.fail(fmt::format("'{}' is expected here", keyword));
}

// After the word "facet".
void parse_facet(TextScanner& scan, PointMerger& points, std::vector<Triangle>& triangles) {
  expect(scan, "normal");
  for (int i = 0; i < 3; ++i) scan.skip<double>("a normal");
  expect(scan, "outer");
  expect(scan, "loop");
  Triangle triangle;
  for (Index& corner : triangle) {
    expect(scan, "vertex");
    Vec3 p;
    for (int i = 0; i < 3; ++i)
      p[i] = check_finite(scan, scan.read<double>("a coordinate"), "the coordinate");
    corner = points.add(p);
  }
  expect(scan, "endloop");
  expect(scan, "endfacet");
  triangles.push_back(triangle);
}

Mesh parse_ascii(std::string_view text, const std::string& name) {
  TextScanner scan(text, name);
  PointMerger points(text.size() / 500);
  Mesh mesh;
  while (!scan.at_end()) {
    expect(scan, "solid");
    scan.skip_line();
    for (;;) {
      const std::string_view word = scan.next_word();
      if (is_keyword(word, "endsolid")) break;
      if (word.empty()) {
        scan.fail_at(scan.position(), "the file ends where 'endsolid' is expected",
                     "The file is cut off; export it again.");
      }
      if (!is_keyword(word, "facet")) scan.fail("'facet' or 'endsolid' is expected here");
      parse_facet(scan, points, mesh.triangles);
    }
    scan.skip_line();
  }
  mesh.points = points.take();
  return finish_mesh(std::move(mesh), name);
}

Mesh parse_binary(std::string_view bytes, const std::string& name) {
  ByteReader reader(bytes, name, std::endian::little);
  reader.take(kHeaderBytes, "the header");
  const std::uint32_t count = reader.read<std::uint32_t>("the number of triangles");
  reader.require_room(count, 0, kTriangleBytes, "triangles");
  check_count(reader, std::int64_t{count} * 3, "corners");
  if (bytes.size() != binary_size(count)) {
    reader.fail(fmt::format("{} triangles need a file of {} bytes, but it has {}", count, binary_size(count),
                            bytes.size()),
                "Remove what follows the triangles, or export the file again.");
  }
  Mesh mesh;
  mesh.triangles.resize(count);
  PointMerger points(count / 2);
  for (Triangle& triangle : mesh.triangles) {
    reader.take(3 * sizeof(float), "a normal");
    for (Index& corner : triangle) {
      Vec3 p;
      for (int i = 0; i < 3; ++i) p[i] = reader.read<float>("a coordinate");
      check_finite(reader, p.sum(), "a coordinate");
      corner = points.add(p);
    }
    reader.take(2, "the attributes of a triangle");
  }
  mesh.points = points.take();
  return finish_mesh(std::move(mesh), name);
}

bool has_binary_size(std::string_view bytes) {
  if (bytes.size() < binary_size(0)) return false;
  return bytes.size() == binary_size(load<std::uint32_t>(bytes.data() + kHeaderBytes, std::endian::little));
}

struct Corners {
  const Vec3& a;
  const Vec3& b;
  const Vec3& c;
  Vec3 normal() const { return (b - a).cross(c - a).stableNormalized(); }
};

Corners corners_of(const Mesh& mesh, const Triangle& t) {
  return {mesh.points[static_cast<size_t>(t[0])], mesh.points[static_cast<size_t>(t[1])],
          mesh.points[static_cast<size_t>(t[2])]};
}

std::string format_stl_ascii(const Mesh& mesh) {
  TextWriter out;
  out.line("solid mesh");
  for (const Triangle& t : mesh.triangles) {
    const Corners corners = corners_of(mesh, t);
    out.text("facet normal ").point(corners.normal());
    out.line("outer loop");
    out.text("vertex ").point(corners.a);
    out.text("vertex ").point(corners.b);
    out.text("vertex ").point(corners.c);
    out.line("endloop").line("endfacet");
  }
  out.line("endsolid mesh");
  return out.take();
}

std::string format_stl_binary(const Mesh& mesh) {
  ByteWriter out(std::endian::little);
  std::string header = "binary STL written by Marrow";  // must not start with "solid"
  header.resize(kHeaderBytes, ' ');
  out.text(header);
  out.value(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    const Corners corners = corners_of(mesh, t);
    out.point<float>(corners.normal());
    out.point<float>(corners.a);
    out.point<float>(corners.b);
    out.point<float>(corners.c);
    out.value(std::uint16_t{0});
  }
  return out.take();
}

}  // namespace

Mesh parse_stl(std::string_view bytes, const std::string& name) {
  if (has_binary_size(bytes)) return parse_binary(bytes, name);
  TextScanner scan(bytes, name);
  if (is_keyword(scan.next_word(), "solid")) return parse_ascii(bytes, name);
  if (bytes.size() < binary_size(0)) {
    throw InputError({name, 0, 0, {}},
                     "this is not an STL file: it neither starts with 'solid' nor has a binary header",
                     "Check the format, or export it again.");
  }
  return parse_binary(bytes, name);
}

std::string format_stl(const Mesh& mesh, MeshEncoding encoding) {
  return encoding == MeshEncoding::Ascii ? format_stl_ascii(mesh) : format_stl_binary(mesh);
}

}  // namespace marrow
