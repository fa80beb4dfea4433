// Small faults of surfaces: each is mended, named, and nothing else is touched.
#include "mesh/mend.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/mesh_check.h"
#include "mesh/mesh_summary.h"
#include "mesh/shapes.h"
#include "mesh/surface.h"

namespace marrow {
namespace {

// A closed surface with all its points used.
Mesh make_closed(double shift = 0, double size = 1) {
  BoxShape shape;
  shape.size = Vec3::Constant(size);
  const Mesh box = build_shape(shape);
  Mesh mesh;
  mesh.triangles = extract_surface(box.tets);
  std::vector<Index> number(box.points.size(), kNone);
  for (Triangle& t : mesh.triangles) {
    for (Index& v : t) {
      if (number[static_cast<size_t>(v)] == kNone) {
        number[static_cast<size_t>(v)] = static_cast<Index>(mesh.points.size());
        mesh.points.push_back(box.points[static_cast<size_t>(v)] + Vec3(shift, 0, 0));
      }
      v = number[static_cast<size_t>(v)];
    }
  }
  return mesh;
}

void append(const Mesh& other, Mesh& mesh) {
  const auto first = static_cast<Index>(mesh.points.size());
  mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
  for (const Triangle& t : other.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

void reverse(Triangle& t) { std::swap(t[1], t[2]); }

double volume_of(const Mesh& mesh) { return compute_enclosed_volume(mesh.points, mesh.triangles); }

bool is_good(const Mesh& mesh) {
  check_closed_surface(mesh, "mesh");  // throws
  return true;
}

TEST(Mend, a_sound_mesh_stays_as_it_is) {
  Mesh mesh = make_closed();
  const Mesh before = mesh;
  EXPECT_TRUE(mend_mesh(mesh, false).is_empty());
  EXPECT_EQ(mesh.triangles, before.triangles);
  EXPECT_EQ(mesh.points, before.points);
}

TEST(Mend, triangles_that_are_listed_twice_go) {
  Mesh mesh = make_closed();
  const Mesh before = mesh;
  mesh.triangles.insert(mesh.triangles.begin() + 7,
                        {before.triangles[3][2], before.triangles[3][1], before.triangles[3][0]});
  mesh.triangles.push_back(before.triangles[5]);
  const MeshFaults faults = mend_mesh(mesh, false);
  EXPECT_EQ(faults.duplicates, (std::vector<Index>{7, static_cast<Index>(before.triangles.size()) + 1}));
  EXPECT_EQ(mesh.triangles, before.triangles);
  const auto texts = describe_faults(faults, [](Index t) { return 10 + t; });
  ASSERT_EQ(texts.size(), 1u);
  EXPECT_EQ(texts[0].fault, "2 triangles (7, " + std::to_string(before.triangles.size() + 1) +
                                "; the first on line 17) have the same points as earlier ones");
  EXPECT_EQ(texts[0].line, 17);
}

TEST(Mend, a_flipped_patch_is_turned_back) {
  Mesh mesh = make_closed();
  const Mesh before = mesh;
  for (size_t i = 4; i < 9; ++i) reverse(mesh.triangles[i]);
  const MeshFaults faults = mend_mesh(mesh, false);
  EXPECT_EQ(faults.flipped, (std::vector<Index>{4, 5, 6, 7, 8}));
  EXPECT_FALSE(faults.is_inside_out);
  EXPECT_EQ(mesh.triangles, before.triangles);
  // However many are wrong, outside stays outside.
  for (size_t i = 3; i < mesh.triangles.size(); ++i) reverse(mesh.triangles[i]);
  EXPECT_FALSE(mend_mesh(mesh, false).is_empty());
  EXPECT_NEAR(volume_of(mesh), 1, 1e-12);
}

TEST(Mend, a_surface_that_is_inside_out_is_turned) {
  Mesh mesh = make_closed();
  for (Triangle& t : mesh.triangles) reverse(t);
  const MeshFaults faults = mend_mesh(mesh, false);
  EXPECT_TRUE(faults.is_inside_out);
  EXPECT_NEAR(volume_of(mesh), 1, 1e-12);
  EXPECT_EQ(describe_faults(faults, {})[0].fault, "the surface is inside out");
}

TEST(Mend, cavities_stay_cavities_and_parts_beside_each_other_face_outwards) {
  Mesh hollow = make_closed(), inner = make_closed(0, 0.5);
  for (Triangle& t : inner.triangles) reverse(t);
  append(inner, hollow);
  const Mesh before = hollow;
  EXPECT_TRUE(mend_mesh(hollow, false).is_empty());
  EXPECT_EQ(hollow.triangles, before.triangles);
  // A flipped triangle in the wall of the cavity.
  reverse(hollow.triangles.back());
  EXPECT_EQ(mend_mesh(hollow, false).flipped.size(), 1u);
  EXPECT_EQ(hollow.triangles, before.triangles);

  Mesh two = make_closed(), beside = make_closed(3);
  for (Triangle& t : beside.triangles) reverse(t);
  append(beside, two);
  EXPECT_EQ(mend_mesh(two, false).flipped.size(), beside.triangles.size());
  EXPECT_NEAR(volume_of(two), 2, 1e-12);
}

TEST(Mend, equal_points_become_one_where_that_closes_edges) {
  const Mesh closed = make_closed();
  Mesh soup;
  for (const Triangle& t : closed.triangles) {
    const auto first = static_cast<Index>(soup.points.size());
    for (const Index v : t) soup.points.push_back(closed.points[static_cast<size_t>(v)]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  const MeshFaults faults = mend_mesh(soup, false);
  EXPECT_EQ(faults.welded, 3 * closed.triangles.size() - closed.points.size());
  EXPECT_EQ(soup.points.size(), closed.points.size());
  EXPECT_TRUE(is_good(soup));
  // Two closed surfaces that touch in a point stay two.
  Mesh two = make_closed();
  append(make_closed(1), two);
  EXPECT_TRUE(mend_mesh(two, false).is_empty());
}

TEST(Mend, a_triangle_without_area_goes_and_leaves_no_gap) {
  Mesh mesh = make_closed();
  // Cut a side of triangle 0 in the middle, but give the new point to one neighbour only.
  const Triangle t = mesh.triangles[0];
  const auto middle = static_cast<Index>(mesh.points.size());
  mesh.points.push_back(0.5 *
                        (mesh.points[static_cast<size_t>(t[0])] + mesh.points[static_cast<size_t>(t[1])]));
  mesh.triangles[0] = {t[0], middle, t[2]};
  mesh.triangles.push_back({middle, t[1], t[2]});
  mesh.triangles.push_back({t[1], middle, t[0]});  // flat: it closes the gap to the other neighbour
  ASSERT_TRUE(is_good(mesh));
  const MeshFaults faults = mend_mesh(mesh, false);
  EXPECT_EQ(faults.degenerate, (std::vector<Index>{static_cast<Index>(mesh.triangles.size()) - 1}));
  EXPECT_TRUE(is_good(mesh));
  EXPECT_NEAR(volume_of(mesh), 1, 1e-12);
  for (const Triangle& triangle : mesh.triangles) {
    const auto at = [&](size_t k) { return mesh.points[static_cast<size_t>(triangle[k])]; };
    EXPECT_GT((at(1) - at(0)).cross(at(2) - at(0)).norm(), 1e-3);
  }
}

TEST(Mend, triangles_that_name_a_point_twice_go) {
  Mesh mesh = make_closed();
  const Mesh before = mesh;
  mesh.triangles.insert(mesh.triangles.begin(), {4, 4, 5});
  EXPECT_EQ(mend_mesh(mesh, false).degenerate, (std::vector<Index>{0}));
  EXPECT_EQ(mesh.triangles, before.triangles);
}

TEST(Mend, points_of_no_tet_go_unless_they_are_particles) {
  Mesh mesh = build_shape(BoxShape{});
  mesh.triangles.clear();
  const Mesh before = mesh;
  mesh.points.insert(mesh.points.begin(), Vec3(9, 9, 9));
  for (Tet& t : mesh.tets) {
    for (Index& v : t) ++v;
  }
  Mesh kept = mesh;
  EXPECT_TRUE(mend_mesh(kept, true).is_empty());
  EXPECT_EQ(mend_mesh(mesh, false).unused, (std::vector<Index>{0}));
  EXPECT_EQ(mesh.points, before.points);
  EXPECT_EQ(mesh.tets, before.tets);
}

TEST(Mend, what_cannot_be_mended_is_left) {
  // A hole, an edge of three triangles, a band with one side only, an index out of range.
  Mesh open = make_closed();
  open.triangles.pop_back();
  EXPECT_TRUE(mend_mesh(open, false).is_empty());
  Mesh fin = make_closed();
  fin.points.emplace_back(5, 5, 5);
  fin.triangles.push_back(
      {fin.triangles[0][0], fin.triangles[0][1], static_cast<Index>(fin.points.size()) - 1});
  EXPECT_TRUE(mend_mesh(fin, false).is_empty());
  Mesh outside = make_closed();
  outside.triangles.push_back({0, 1, 99999});
  outside.triangles.push_back(outside.triangles[0]);
  EXPECT_TRUE(mend_mesh(outside, false).is_empty());
  Mesh none;
  EXPECT_TRUE(mend_mesh(none, false).is_empty());
}

}  // namespace
}  // namespace marrow
