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

// A body whose surface is one triangle, with two curved tets of order 2 over 14 nodes, the first of which are
// another body's.
struct CurvedFrame {
  OutputTopology topology;
  VecX nodes = VecX::LinSpaced(3 * 16, 0, 47) / 3;
  std::vector<double> heat = std::vector<double>(16, 0.5);

  CurvedFrame() {
    topology.bodies = {{"ball", "rigid", 0, 1, 0, 0, 2}, {"curved", "soft", 1, 3, 0, 2, 14}};
    topology.triangles = {{1, 2, 3}};
    topology.curved = {{2, 1, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3, 4, 5, 13, 7, 14, 15, 10, 11}}};
    heat[7] = 42;
  }

  VtuFrame read() const {
    const Points points(4, Vec3(1, 2, 3));
    const std::vector<double> of_points(4, 7);
    Frame frame;
    frame.points = points;
    frame.velocities = points;
    frame.nodes = {nodes.data(), static_cast<size_t>(nodes.size())};
    frame.point_scalars = {{"heat", of_points}, {"pressure", of_points}};
    frame.node_scalars = {{"heat", heat}};
    return parse_vtu(format_vtu(topology, frame, VtuNumbers::Double), "frame.vtu");
  }
};

TEST(FrameDifference, curved_tets_are_read_back_with_their_nodes) {
  const CurvedFrame curved;
  const VtuFrame frame = curved.read();
  EXPECT_EQ(frame.points, Points(4, Vec3(1, 2, 3)));
  EXPECT_EQ(frame.triangles, curved.topology.triangles);
  EXPECT_EQ(frame.vertices, (std::vector<Index>{0}));
  ASSERT_EQ(frame.nodes.size(), 14u);
  EXPECT_EQ(frame.nodes[5], Vec3(curved.nodes.segment<3>(3 * 7)));
  ASSERT_EQ(frame.curved.size(), 1u);
  EXPECT_EQ(frame.curved[0].order, 2);
  for (size_t k = 0; k < 20; ++k) EXPECT_EQ(frame.curved[0].nodes[k] + 2, curved.topology.curved[0].nodes[k]);
  for (const VtuFrame::Data& data : frame.point_data) {
    EXPECT_EQ(data.values.size(), 4 * static_cast<size_t>(data.components));
  }
  for (const VtuFrame::Data& data : frame.node_data) {
    if (data.name == "heat") {
      EXPECT_EQ(data.values[5], 42);
    } else if (data.name != "body") {
      EXPECT_EQ(data.values, std::vector<double>(14 * static_cast<size_t>(data.components), 0)) << data.name;
    }
  }
  EXPECT_EQ(find_difference(frame, curved.topology), std::nullopt);
}

TEST(FrameDifference, curved_tets_are_compared_node_by_node) {
  const CurvedFrame curved;
  const auto difference = [&](const auto& change) {
    VtuFrame frame = curved.read();
    change(frame);
    return find_difference(frame, curved.topology).value_or("none");
  };
  EXPECT_EQ(difference([](VtuFrame& f) { std::swap(f.curved[0].nodes[4], f.curved[0].nodes[5]); }),
            "node of the curved tets, number 4 is 5, but in the scene 4");
  EXPECT_EQ(difference([](VtuFrame& f) { f.curved.clear(); }),
            "it has 0 nodes in curved tets, but the scene has 20");
  EXPECT_EQ(difference([](VtuFrame& f) { f.nodes.pop_back(); }),
            "it has 13 nodes of curved tets, but the scene has 14");
  EXPECT_EQ(difference([](VtuFrame& f) { f.node_data.back().values[3] = 0; }),
            "node 3 belongs to body 0, but in the scene to body 1");
  EXPECT_EQ(difference([](VtuFrame& f) { f.curved_data.back().values[1] = 0; }),
            "curved tet 1 belongs to body 0, but in the scene to body 1");
}

}  // namespace
}  // namespace marrow
