// TetGen's .node, .ele and .face files. Points count from 0 or 1, as the first line of the .node file shows;
// attributes and boundary markers are skipped; '#' starts a comment.
#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "core/file.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/text_scanner.h"

namespace marrow {
namespace {

// The count at the head of a file and, if there is one, the number after it.
struct Head {
  std::int64_t count = 0;
  std::int64_t second = 0;
};

Head parse_head(TextScanner& scan, const char* what, size_t values_each) {
  Head head;
  head.count = check_count(scan, scan.read<std::int64_t>("a count"), what);
  scan.require_room(head.count, values_each, 0, what);
  if (!scan.at_line_end()) head.second = scan.read_on_line<std::int64_t>("a number of the first line");
  return head;
}

// Returns the range of point numbers, which starts at 0 or 1.
PointRange parse_points(TextScanner& scan, Points& points) {
  const Head head = parse_head(scan, "points", 4);
  if (head.second != 3)
    scan.fail(fmt::format("the points have {} dimensions, but 3 are needed", head.second));
  scan.skip_line();
  PointRange range{0, head.count};
  points.resize(static_cast<size_t>(head.count));
  for (std::int64_t i = 0; i < head.count; ++i) {
    const auto number = scan.read<std::int64_t>("a point number");
    if (i == 0 && (number == 0 || number == 1)) range.first = number;
    if (number != range.first + i) {
      scan.fail(fmt::format("point {} is expected, found {}", range.first + i, number),
                "TetGen numbers its points from 0 or 1 without gaps.");
    }
    Vec3& p = points[static_cast<size_t>(i)];
    for (int c = 0; c < 3; ++c)
      p[c] = check_finite(scan, scan.read_on_line<double>("a coordinate"), "the coordinate");
    scan.skip_line();
  }
  return range;
}

template <class Element>
void parse_elements(TextScanner& scan, const char* kind, std::int64_t count, const PointRange& range,
                    std::vector<Element>& elements) {
  elements.resize(static_cast<size_t>(count));
  for (Element& element : elements) {
    const auto number = scan.read<std::int64_t>("an element number");
    for (Index& v : element)
      v = to_index(scan, kind, number, scan.read_on_line<std::int64_t>("a point number"), range);
    scan.skip_line();
  }
}

void parse_tets(TextScanner& scan, const PointRange& range, std::vector<Tet>& tets) {
  const Head head = parse_head(scan, "tets", 5);
  if (head.second != 4) {
    scan.fail(fmt::format("the tets have {} nodes each", head.second),
              "Only tets of 4 nodes are supported; run TetGen without -o2.");
  }
  scan.skip_line();
  parse_elements(scan, "tet", head.count, range, tets);
}

void parse_faces(TextScanner& scan, const PointRange& range, std::vector<Triangle>& triangles) {
  const Head head = parse_head(scan, "faces", 4);
  scan.skip_line();
  parse_elements(scan, "face", head.count, range, triangles);
}

// The file beside path with this extension; path itself if it has it, in capitals or not.
std::string with_extension(const std::string& path, const char* extension) {
  std::string own = std::filesystem::path(path).extension().string();
  for (char& c : own) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return own == extension ? path : std::filesystem::path(path).replace_extension(extension).string();
}

}  // namespace

Mesh parse_tetgen(std::string_view joined, const std::string& name) {
  TextScanner scan(joined, name, '#');
  Mesh mesh;
  const PointRange range = parse_points(scan, mesh.points);
  parse_tets(scan, range, mesh.tets);
  if (!scan.at_end()) parse_faces(scan, range, mesh.triangles);
  return finish_mesh(std::move(mesh), name);
}

Mesh read_tetgen(const std::string& path) {
  Mesh mesh;
  const std::string node_path = with_extension(path, ".node");
  const std::string node_text = read_file(node_path);
  TextScanner node(node_text, node_path, '#');
  const PointRange range = parse_points(node, mesh.points);

  const std::string ele_path = with_extension(path, ".ele");
  const std::string ele_text = read_file(ele_path);
  TextScanner ele(ele_text, ele_path, '#');
  parse_tets(ele, range, mesh.tets);

  const std::string face_path = with_extension(path, ".face");
  if (std::filesystem::exists(face_path)) {
    const std::string face_text = read_file(face_path);
    TextScanner face(face_text, face_path, '#');
    parse_faces(face, range, mesh.triangles);
  }
  return finish_mesh(std::move(mesh), node_path);
}

TetGenTexts format_tetgen(const Mesh& mesh) {
  TextWriter node;
  node.number(mesh.points.size()).line("3 0 0");
  for (size_t i = 0; i < mesh.points.size(); ++i) node.number(i).point(mesh.points[i]);
  TextWriter ele;
  ele.number(mesh.tets.size()).line("4 0");
  for (size_t i = 0; i < mesh.tets.size(); ++i) ele.number(i).element(mesh.tets[i]);
  TextWriter face;
  if (!mesh.triangles.empty()) face.number(mesh.triangles.size()).line("0");
  for (size_t i = 0; i < mesh.triangles.size(); ++i) face.number(i).element(mesh.triangles[i]);
  return {node.take(), ele.take(), face.take()};
}

void write_tetgen(const std::string& path, const Mesh& mesh) {
  const TetGenTexts texts = format_tetgen(mesh);
  write_file(with_extension(path, ".node"), texts.node);
  write_file(with_extension(path, ".ele"), texts.ele);
  const std::string face_path = with_extension(path, ".face");
  if (!texts.face.empty()) {
    write_file(face_path, texts.face);
  } else if (std::filesystem::exists(face_path)) {
    write_file(face_path, "0 0\n");  // the faces of an earlier mesh would be read with this one
  }
}

}  // namespace marrow
