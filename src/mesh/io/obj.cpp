// Wavefront OBJ: v, f, l and p lines. Texture coordinates, normals, groups, materials and the like are
// skipped. Indices count from 1; negative ones count back from the latest point; faces may come before their
// points. The .seg files of IPC's scenes are OBJ files whose edges are lines "s a b".
#include <fmt/format.h>

#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/text_scanner.h"

namespace marrow {
namespace {

// Statements that carry nothing we keep.
constexpr std::string_view kSkipped[] = {"vt",       "vn",     "vp",     "g",          "o",        "usemtl",
                                         "mtllib",   "mg",     "lod",    "call",       "bevel",    "c_interp",
                                         "d_interp", "usemap", "maplib", "shadow_obj", "trace_obj"};

class ObjParser {
 public:
  ObjParser(std::string_view text, const std::string& name) : scan_(text, name, '#') {}

  Mesh parse() {
    while (!scan_.at_end()) {
      parse_statement(scan_.word_on_line());
      scan_.skip_line();
    }
    if (highest_ > point_count()) {
      scan_.fail_at(highest_position_,
                    bad_index_problem("face or line", highest_element_, highest_, {1, point_count()}),
                    "The element list and the point list do not match.");
    }
    return finish_mesh(std::move(mesh_), scan_.name(), polygons_);
  }

 private:
  std::int64_t point_count() const { return static_cast<std::int64_t>(mesh_.points.size()); }

  void parse_statement(std::string_view keyword) {
    if (keyword == "v") {
      parse_point();
    } else if (keyword == "f") {
      parse_corners(3, "a face");
      polygons_.add(corners_, mesh_.triangles);
    } else if (keyword == "l") {
      parse_corners(2, "a line");
      add_polyline(corners_, mesh_.edges);
    } else if (keyword == "s") {
      parse_segment();
    } else if (keyword == "p") {
      parse_corners(1, "a point element");
    } else if (std::find(std::begin(kSkipped), std::end(kSkipped), keyword) == std::end(kSkipped)) {
      scan_.fail(
          "this is not a known OBJ statement",
          "Known are v, vt, vn, f, l, p, g, o, s, usemtl and mtllib; curves and surfaces are not supported.");
    }
  }

  void parse_point() {
    Vec3 p;
    for (int i = 0; i < 3; ++i) {
      if (i == 2 && scan_.at_line_end()) {
        scan_.fail_at(scan_.position(), "a point needs three coordinates, but has two",
                      "2D meshes are not supported; give every point a third coordinate.");
      }
      p[i] = check_finite(scan_, scan_.read_on_line<double>("a coordinate"), "the coordinate");
    }
    mesh_.points.push_back(p);
  }

  // Corners as a, a/t, a//n or a/t/n.
  void parse_corners(size_t least, const char* what) {
    ++element_;
    corners_.clear();
    while (!scan_.at_line_end()) corners_.push_back(to_corner(scan_.word_on_line()));
    if (corners_.size() < least) {
      scan_.fail(fmt::format("{} needs at least {} corners, but has {}", what, least, corners_.size()));
    }
  }

  // One value is a smoothing group, which we skip; two are a segment.
  void parse_segment() {
    const std::string_view first = scan_.word_on_line();
    if (first.empty() || scan_.at_line_end()) return;
    ++element_;
    corners_ = {to_corner(first)};
    corners_.push_back(to_corner(scan_.word_on_line()));
    add_polyline(corners_, mesh_.edges);
  }

  Index to_corner(std::string_view word) {
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (error != std::errc() || (end != word.data() + word.size() && *end != '/')) {
      scan_.fail("this is not a corner of the form 7, 7/1, 7//1 or 7/1/1");
    }
    if (index == 0) scan_.fail("the point number is 0", "OBJ counts points from 1.");
    if (index < 0 && index + point_count() < 0) {
      scan_.fail(fmt::format("the point number {} counts back beyond the first of the {} points so far",
                             index, point_count()));
    }
    if (index < 0) index += point_count() + 1;
    if (index > highest_) {
      highest_ = index;
      highest_element_ = element_;
      highest_position_ = scan_.position() - word.size();
    }
    if (index > std::numeric_limits<Index>::max()) scan_.fail("the point number is too large");
    return static_cast<Index>(index - 1);
  }

  TextScanner scan_;
  Mesh mesh_;
  Polygons polygons_;
  std::vector<Index> corners_;
  std::int64_t element_ = 0;  // faces, lines and point elements so far
  std::int64_t highest_ = 0;  // the highest point number so far, and where it stands
  std::int64_t highest_element_ = 0;
  size_t highest_position_ = 0;
};

}  // namespace

Mesh parse_obj(std::string_view text, const std::string& name) { return ObjParser(text, name).parse(); }

std::string format_obj(const Mesh& mesh) {
  TextWriter out;
  for (const Vec3& p : mesh.points) out.text("v ").point(p);
  for (const Edge& e : mesh.edges) out.text("l ").element(e, 1);
  for (const Triangle& t : mesh.triangles) out.text("f ").element(t, 1);
  return out.take();
}

}  // namespace marrow
