#include <gtest/gtest.h>

#include <string>

#include "core/error.h"
#include "mesh/io/mesh_formats.h"
#include "mesh/io/mesh_writers.h"
#include "mesh/io/text_scanner.h"

namespace marrow {
namespace {

// [recipe
// "TRI 4 2", then points "x y z", then triangles "i j k" counted from 1; # starts a comment.
Mesh parse_tri(std::string_view text, const std::string& name) {
  TextScanner scan(text, name, '#');
  if (scan.next_word() != "TRI") scan.fail("the file does not start with the word TRI", "Check the format.");
  const auto point_count = check_count(scan, scan.read<std::int64_t>("the number of points"), "points");
  scan.require_room(point_count, 3, 0, "points");
  const auto triangle_count =
      check_count(scan, scan.read<std::int64_t>("the number of triangles"), "triangles");
  scan.require_room(triangle_count, 3, 0, "triangles");
  Mesh mesh;
  mesh.points.resize(static_cast<size_t>(point_count));
  for (Vec3& p : mesh.points) {
    for (int i = 0; i < 3; ++i)
      p[i] = check_finite(scan, scan.read<double>("a coordinate"), "the coordinate");
  }
  for (std::int64_t t = 1; t <= triangle_count; ++t) {
    Triangle triangle;
    for (Index& v : triangle)
      v = to_index(scan, "triangle", t, scan.read<std::int64_t>("a point number"), {1, point_count});
    mesh.triangles.push_back(triangle);
  }
  return finish_mesh(std::move(mesh), name);
}

std::string format_tri(const Mesh& mesh) {
  TextWriter out;
  out.text("TRI ").number(mesh.points.size()).number(mesh.triangles.size(), '\n');
  for (const Vec3& p : mesh.points) out.point(p);
  for (const Triangle& t : mesh.triangles) out.element(t, 1);
  return out.take();
}
// recipe]

std::string answer(const std::string& text) {
  try {
    parse_tri(text, "a.tri");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Recipe, a_reader_reads) {
  const Mesh mesh =
      parse_tri("TRI 4 2  # two triangles\n0 0 0\n1 0 0\n0 1 0\n1 1 1\n1 2 3\n2 4 3\n", "a.tri");
  EXPECT_EQ(mesh.points.size(), 4u);
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
  const Mesh again = parse_tri(format_tri(mesh), "b.tri");
  EXPECT_EQ(again.points, mesh.points);
  EXPECT_EQ(again.triangles, mesh.triangles);
}

TEST(Recipe, a_reader_names_the_line_that_is_wrong) {
  const auto starts_with = [](const std::string& text, const char* start) { return text.starts_with(start); };
  EXPECT_PRED2(starts_with, answer("OFF 1 1"), "a.tri:1:1: the file does not start with the word TRI");
  EXPECT_PRED2(starts_with, answer("TRI 3 1\n0 0 0 1 0 0 0 1 0\n1 2 4\n"),
               "a.tri:3:5: triangle 1 names point 4, but points run from 1 to 3");
  EXPECT_PRED2(starts_with, answer("TRI 3 1\n0 0 0 1 0 x 0 1 0\n1 2 3\n"), "a.tri:2:11: ");
  EXPECT_PRED2(starts_with, answer("TRI 2000000000 1\n0 0 0\n"),
               "a.tri:1:5: the file announces 2000000000 points");
}

}  // namespace
}  // namespace marrow
