#include "mesh/mesh_check.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "mesh/mesh_summary.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

using Check = void (*)(const Mesh&, const std::string&);

std::string message(Check check, const Mesh& mesh) {
  try {
    check(mesh, "m");
  } catch (const InputError& error) {
    return error.problem();
  }
  return "no error";
}

Mesh unit_tet() {
  Mesh mesh;
  mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  return mesh;
}

TEST(MeshCheck, sound_meshes_pass) {
  EXPECT_EQ(message(check_tet_mesh, unit_tet()), "no error");
  Mesh loose = unit_tet();
  loose.tets.clear();
  EXPECT_EQ(message(check_mesh, loose), "no error");
}

TEST(MeshCheck, points) {
  EXPECT_EQ(message(check_mesh, {}), "the mesh is empty: it has no points");
  Mesh mesh = unit_tet();
  mesh.points[2].x() = NAN;
  EXPECT_EQ(message(check_mesh, mesh), "1 point has a coordinate that is not finite (2, counted from 0)");
  mesh = unit_tet();
  mesh.radii = {1, 1};
  EXPECT_EQ(message(check_mesh, mesh), "2 radius values for 4 points");
  mesh.radii = {1, -1, 0, -0.0};
  EXPECT_EQ(message(check_mesh, mesh), "2 radius values are negative or not finite (1, 3, counted from 0)");
}

TEST(MeshCheck, elements) {
  Mesh mesh = unit_tet();
  mesh.triangles = {{0, 1, 2}, {0, 1, 4}, {-1, 2, 3}};
  EXPECT_EQ(message(check_mesh, mesh), "2 triangles name points that do not exist (1, 2, counted from 0)");
  mesh.triangles = {{0, 1, 1}};
  EXPECT_EQ(message(check_mesh, mesh), "1 triangle names the same point twice (0, counted from 0)");
  mesh.triangles = {{0, 1, 2}, {1, 2, 3}, {2, 1, 0}};
  EXPECT_EQ(message(check_mesh, mesh),
            "1 triangle has the same points as an earlier one (2, counted from 0)");
}

TEST(MeshCheck, tets) {
  Mesh mesh = unit_tet();
  std::swap(mesh.tets[0][0], mesh.tets[0][1]);
  EXPECT_EQ(message(check_tet_mesh, mesh), "1 tet is inverted (0, counted from 0)");
  mesh = unit_tet();
  mesh.points[3] = {0.3, 0.3, 1e-13};
  EXPECT_EQ(message(check_tet_mesh, mesh), "1 tet is flat (0, counted from 0)");
  mesh = unit_tet();
  mesh.points.push_back({5, 5, 5});
  EXPECT_EQ(message(check_tet_mesh, mesh), "1 point is in no tet (4, counted from 0)");
  mesh.tets.clear();
  EXPECT_EQ(message(check_tet_mesh, mesh), "the mesh has no tets");
}

TEST(MeshCheck, three_tets_on_a_face) {
  Mesh mesh = unit_tet();
  mesh.points.push_back({0, 0, 2});
  mesh.points.push_back({0, 0, 3});
  mesh.tets.push_back({0, 1, 2, 4});
  mesh.tets.push_back({0, 1, 2, 5});
  EXPECT_EQ(message(check_tet_mesh, mesh), "the face 0, 1, 2 lies in more than two tets");
}

TEST(MeshCheck, scale_does_not_matter) {
  for (const double scale : {1e-60, 1e-9, 1e9, 1e60}) {
    Mesh mesh = unit_tet();
    for (Vec3& p : mesh.points) p *= scale;
    EXPECT_EQ(message(check_tet_mesh, mesh), "no error") << scale;
  }
}

TEST(MeshCheck, closed_surface) {
  Mesh mesh = build_shape(BoxShape{});
  EXPECT_EQ(message(check_closed_surface, mesh), "no error");
  Mesh turned = mesh;
  std::swap(turned.triangles[0][1], turned.triangles[0][2]);
  EXPECT_NE(message(check_closed_surface, turned).find("face opposite directions"), std::string::npos);
  Mesh inside_out = mesh;
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  EXPECT_EQ(message(check_closed_surface, inside_out),
            "the surface is inside out: the volume it encloses is not positive");
  mesh.triangles.pop_back();
  EXPECT_NE(message(check_closed_surface, mesh).find("so the surface is not closed"), std::string::npos);
}

TEST(MeshSummaryTest, unit_tet) {
  const MeshSummary s = summarize(unit_tet());
  EXPECT_EQ(s.points, 4);
  EXPECT_EQ(s.tets, 1);
  EXPECT_EQ(s.components, 1);
  EXPECT_EQ(s.loose_points, 0);
  EXPECT_DOUBLE_EQ(s.volume, 1.0 / 6);
  EXPECT_DOUBLE_EQ(s.area, 1.5 + std::sqrt(3.0) / 2);
  EXPECT_DOUBLE_EQ(s.min_edge_length, 1);
  EXPECT_DOUBLE_EQ(s.max_edge_length, std::sqrt(2.0));
  EXPECT_EQ(s.euler_characteristic, 2);
}

TEST(MeshSummaryTest, components_and_loose_points) {
  Mesh mesh;
  mesh.points.assign(6, Vec3::Zero());
  mesh.edges = {{4, 1}, {1, 2}};
  mesh.radii = {1, 2, 3, 4, 5, 0.5};
  const MeshSummary s = summarize(mesh);
  EXPECT_EQ(s.components, 4);
  EXPECT_EQ(s.loose_points, 3);
  EXPECT_EQ(s.min_radius, 0.5);
  EXPECT_EQ(s.max_radius, 5);
  EXPECT_FALSE(s.closed);
}

TEST(MeshSummaryTest, quality_of_the_regular_tet_is_one) {
  const Vec3 a(1, 1, 1), b(-1, 1, -1), c(1, -1, -1), d(-1, -1, 1);
  EXPECT_NEAR(compute_tet_quality(a, b, c, d), 1, 1e-14);
  EXPECT_NEAR(compute_tet_quality(b, a, c, d), -1, 1e-14);
  EXPECT_EQ(compute_tet_quality(a, a, a, a), 0);
}

}  // namespace
}  // namespace marrow
