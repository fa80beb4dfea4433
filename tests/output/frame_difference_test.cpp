#include "output/vtk/frame_difference.h"

#include <gtest/gtest.h>

namespace marrow {
namespace {

// A tet, a sheet of two triangles, a wire and a loose point.
OutputTopology make_topology() {
  OutputTopology topology;
  topology.bodies = {{"tet", "soft", 0, 4, 0}, {"sheet", "soft", 4, 4, 0}, {"wire", "soft", 8, 3, 0}};
  topology.tets = {{0, 1, 2, 3}};
  topology.triangles = {{0, 2, 1}, {4, 5, 6}, {5, 7, 6}};
  topology.edges = {{8, 9}};
  return topology;
}

VtuFrame make_frame() {
  const OutputTopology topology = make_topology();
  const Points points(11, Vec3::Zero());
  Frame frame;
  frame.points = points;
  return parse_vtu(format_vtu(topology, frame), "frame.vtu");
}

std::string difference_of(const VtuFrame& frame) {
  return find_difference(frame, make_topology()).value_or("none");
}

TEST(FrameDifference, none_in_what_was_written) { EXPECT_EQ(difference_of(make_frame()), "none"); }

TEST(FrameDifference, says_which_cell_differs) {
  VtuFrame frame = make_frame();
  std::swap(frame.tets[0][0], frame.tets[0][1]);
  EXPECT_EQ(difference_of(frame), "tet 0 is 1-0-2-3, but in the scene 0-1-2-3");
  frame = make_frame();
  frame.triangles[1] = {5, 6, 7};
  EXPECT_EQ(difference_of(frame), "triangle 1 is 5-6-7, but in the scene 5-7-6");
  frame = make_frame();
  frame.edges[0] = {8, 10};
  EXPECT_EQ(difference_of(frame), "edge 0 is 8-10, but in the scene 8-9");
  frame = make_frame();
  frame.vertices[0] = 9;
  EXPECT_EQ(difference_of(frame), "vertex 0 is 9, but in the scene 10");
}

TEST(FrameDifference, says_what_is_missing_or_too_many) {
  VtuFrame frame = make_frame();
  frame.points.pop_back();
  EXPECT_EQ(difference_of(frame), "it has 10 points, but the scene has 11");
  frame = make_frame();
  frame.triangles.pop_back();
  EXPECT_EQ(difference_of(frame), "it has 1 triangles, but the scene has 2");
}

TEST(FrameDifference, says_whose_points_and_cells_are_of_other_bodies) {
  VtuFrame frame = make_frame();
  for (VtuFrame::Data& data : frame.point_data) {
    if (data.name == "body") data.values[5] = 0;
  }
  EXPECT_EQ(difference_of(frame), "point 5 belongs to body 0, but in the scene to body 1");
  frame = make_frame();
  for (VtuFrame::Data& data : frame.cell_data) data.name = "Body";
  EXPECT_EQ(difference_of(frame), "it has no array \"body\" for its cells");
}

}  // namespace
}  // namespace marrow
