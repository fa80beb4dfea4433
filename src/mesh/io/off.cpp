// OFF: points and polygons, with the variants COFF, NOFF, CNOFF and STOFF, whose colours, normals and texture
// coordinates are skipped. '#' starts a comment; the counts may stand on the header line.
#include <fmt/format.h>

#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/text_scanner.h"

namespace marrow {
namespace {

void check_header(TextScanner& scan) {
  const std::string_view magic = scan.next_word();
  for (const std::string_view known : {"OFF", "COFF", "NOFF", "CNOFF", "STOFF", "STCNOFF"}) {
    if (magic == known) return;
  }
  scan.fail("an OFF file starts with the word OFF", "Check the format, or export it again.");
}

// The corners of one face; what follows on its line is a colour.
void parse_face(TextScanner& scan, std::int64_t face, const PointRange& range, std::vector<Index>& corners) {
  const auto count = scan.read<std::int64_t>("a number of corners");
  if (count < 3)
    scan.fail(fmt::format("face {} has {} corners", face, count), "A face needs at least three.");
  scan.require_room(count, 1, 0, "corners");
  corners.clear();
  for (std::int64_t i = 0; i < count; ++i) {
    corners.push_back(to_index(scan, "face", face, scan.read<std::int64_t>("a point number"), range));
  }
  scan.skip_line();
}

}  // namespace

Mesh parse_off(std::string_view text, const std::string& name) {
  TextScanner scan(text, name, '#');
  check_header(scan);
  if (scan.rest().substr(0, 7) == " BINARY")
    scan.fail("binary OFF is not supported", "Export the mesh as ASCII OFF.");
  const auto point_count = check_count(scan, scan.read<std::int64_t>("the number of points"), "points");
  scan.require_room(point_count, 3, 0, "points");
  const auto face_count = check_count(scan, scan.read<std::int64_t>("the number of faces"), "faces");
  scan.require_room(face_count, 4, 0, "faces");
  scan.skip_line();  // the number of edges is not needed

  Mesh mesh;
  mesh.points.resize(static_cast<size_t>(point_count));
  for (Vec3& p : mesh.points) {
    for (int i = 0; i < 3; ++i)
      p[i] = check_finite(scan, scan.read<double>("a coordinate"), "the coordinate");
    scan.skip_line();
  }
  mesh.triangles.reserve(static_cast<size_t>(face_count));
  std::vector<Index> corners;
  Polygons polygons;
  for (std::int64_t f = 0; f < face_count; ++f) {
    parse_face(scan, f, {0, point_count}, corners);
    polygons.add(corners, mesh.triangles);
  }
  return finish_mesh(std::move(mesh), name, polygons);
}

std::string format_off(const Mesh& mesh) {
  TextWriter out;
  out.line("OFF");
  out.number(mesh.points.size()).number(mesh.triangles.size()).line("0");
  for (const Vec3& p : mesh.points) out.point(p);
  for (const Triangle& t : mesh.triangles) out.text("3 ").element(t);
  return out.take();
}

}  // namespace marrow
