// Medial meshes: a line with the numbers of spheres, edges and faces, then `v x y z r`, `e i j` and `f i j k`
// lines in any order. Points count from 0; '#' starts a comment; flags at the end of a line are skipped. The
// .mat files of Medial IPC write c (cone) and s (slab) for e and f, and end sphere lines with a tet mesh's
// point.
#include <fmt/format.h>

#include <cmath>

#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/text_scanner.h"

namespace marrow {
namespace {

class MaParser {
 public:
  MaParser(std::string_view text, const std::string& name) : scan_(text, name, '#') {}

  Mesh parse() {
    parse_counts();
    while (!scan_.at_end()) {
      parse_statement(scan_.word_on_line());
      scan_.skip_line();
    }
    check_total("spheres", sphere_count_, mesh_.points.size());
    check_total("edges", edge_count_, mesh_.edges.size());
    check_total("faces", face_count_, mesh_.triangles.size());
    return finish_mesh(std::move(mesh_), scan_.name());
  }

 private:
  void parse_counts() {
    scan_.at_end();
    sphere_count_ = parse_count("spheres", 5);
    edge_count_ = parse_count("edges", 3);
    face_count_ = parse_count("faces", 4);
    scan_.skip_line();
    mesh_.points.reserve(static_cast<size_t>(sphere_count_));
    mesh_.radii.reserve(static_cast<size_t>(sphere_count_));
    mesh_.edges.reserve(static_cast<size_t>(edge_count_));
    mesh_.triangles.reserve(static_cast<size_t>(face_count_));
  }

  std::int64_t parse_count(const char* what, size_t values_each) {
    const auto count =
        check_count(scan_, scan_.read_on_line<std::int64_t>("a count of the first line"), what);
    scan_.require_room(count, values_each, 0, what);
    return count;
  }

  void parse_statement(std::string_view keyword) {
    if (keyword == "v") {
      parse_sphere();
    } else if (keyword == "e" || keyword == "c") {
      mesh_.edges.push_back(parse_element<Edge>("edge", mesh_.edges.size()));
    } else if (keyword == "f" || keyword == "s") {
      mesh_.triangles.push_back(parse_element<Triangle>("face", mesh_.triangles.size()));
    } else {
      scan_.fail("a line of a medial mesh starts with v, e or f (.mat: v, c or s)");
    }
  }

  void parse_sphere() {
    Vec3 p;
    for (int i = 0; i < 3; ++i)
      p[i] = check_finite(scan_, scan_.read_on_line<double>("a coordinate"), "the coordinate");
    const double radius = check_finite(scan_, scan_.read_on_line<double>("a radius"), "the radius");
    if (std::signbit(radius)) {
      scan_.fail(fmt::format("sphere {} has the negative radius {}", mesh_.points.size(), radius),
                 "Radii must be 0 or above; -0 is a sign of a failed computation.");
    }
    mesh_.points.push_back(p);
    mesh_.radii.push_back(radius);
  }

  template <class Element>
  Element parse_element(const char* kind, size_t number) {
    Element element;
    for (Index& v : element) {
      const auto index = scan_.read_on_line<std::int64_t>("a sphere number");
      v = to_index(scan_, kind, static_cast<std::int64_t>(number), index, {0, sphere_count_});
    }
    return element;
  }

  void check_total(const char* what, std::int64_t announced, size_t found) const {
    if (announced == static_cast<std::int64_t>(found)) return;
    scan_.fail_at(scan_.position(),
                  fmt::format("the first line announces {} {}, but there are {}", announced, what, found),
                  "The file is cut off or was edited by hand.");
  }

  TextScanner scan_;
  Mesh mesh_;
  std::int64_t sphere_count_ = 0;
  std::int64_t edge_count_ = 0;
  std::int64_t face_count_ = 0;
};

}  // namespace

Mesh parse_ma(std::string_view text, const std::string& name) { return MaParser(text, name).parse(); }

std::string format_ma(const Mesh& mesh) {
  TextWriter out;
  out.number(mesh.points.size()).number(mesh.edges.size()).number(mesh.triangles.size(), '\n');
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    out.text("v ").point(mesh.points[i], ' ').number(mesh.radii.empty() ? 0.0 : mesh.radii[i], '\n');
  }
  for (const Edge& e : mesh.edges) out.text("e ").element(e);
  for (const Triangle& t : mesh.triangles) out.text("f ").element(t);
  return out.take();
}

}  // namespace marrow
