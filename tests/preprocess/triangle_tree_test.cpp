#include "preprocess/volume/triangle_tree.h"

#include <gtest/gtest.h>

#include <random>

#include "preprocess/solids.h"

namespace marrow {
namespace {

TEST(TriangleTree, nearest_point_agrees_with_trying_every_triangle) {
  const Mesh mesh = make_surface(TorusShape{});
  const TriangleTree tree(mesh.points, mesh.triangles);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(-0.8, 0.8);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p(coordinate(random), coordinate(random), coordinate(random));
    double least = INFINITY;
    for (const Triangle& t : mesh.triangles) {
      const Vec3 k = find_nearest_weights(p, mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]);
      EXPECT_NEAR(k.sum(), 1, 1e-14);
      least = std::min(
          least, (k[0] * mesh.points[t[0]] + k[1] * mesh.points[t[1]] + k[2] * mesh.points[t[2]] - p).norm());
    }
    const NearestPoint nearest = tree.find_nearest(p);
    EXPECT_DOUBLE_EQ(nearest.distance, least);
    EXPECT_NEAR((nearest.point - p).norm(), least, 1e-15);
    // A reach just short of it finds nothing.
    EXPECT_EQ(tree.find_nearest(p, 0.999 * least).triangle, kNone);
  }
}

TEST(TriangleTree, side_is_right_also_where_edges_and_corners_are_nearest) {
  const Mesh mesh = make_surface(BoxShape{.size = Vec3(1, 2, 3), .cells_x = 1, .cells_y = 1, .cells_z = 1});
  const TriangleTree tree(mesh.points, mesh.triangles);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> coordinate(-2, 2);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p(coordinate(random), coordinate(random), coordinate(random));
    const bool is_inside = (p.cwiseAbs().array() < Vec3(0.5, 1, 1.5).array()).all();
    EXPECT_EQ(tree.is_inside(p), is_inside) << p.transpose();
  }
}

TEST(TriangleTree, degenerate_triangles_do_no_harm) {
  const Points points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 0, 0}};
  const TriangleTree tree(points, triangles);
  EXPECT_DOUBLE_EQ(tree.find_nearest(Vec3(1.5, 1, 0)).distance, 1);
  EXPECT_DOUBLE_EQ(tree.find_nearest(Vec3(-3, 4, 0)).distance, 5);
}

}  // namespace
}  // namespace marrow
