// Mass of stiff bodies, and the four points that stand for them.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "kinematics/body.h"
#include "math/rotation.h"

namespace marrow {
namespace {

// The surface of a box, outward.
Mesh make_box(const Vec3& size, const Vec3& center, const Mat3& R = Mat3::Identity()) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    mesh.points.push_back(center + R * size.cwiseProduct(corner));
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

Mat3 second_of_box(const Vec3& size, double mass) {
  return Mat3((mass / 12 * size.cwiseProduct(size)).asDiagonal());
}

}  // namespace

TEST(MassProperties, a_box_is_exact_wherever_it_is_and_whichever_way_it_faces) {
  const Vec3 size(1, 2, 3), center(100, -50, 7);
  const Mat3 R = rotation_from_degrees({20, 40, -70});
  Mesh box = make_box(size, center, R);
  for (const bool is_inside_out : {false, true}) {
    if (is_inside_out) {
      for (Triangle& t : box.triangles) std::swap(t[0], t[1]);
    }
    const MassProperties found = compute_mass_properties(box, 500, 0);
    EXPECT_NEAR(found.mass, 3000, 1e-9);
    EXPECT_NEAR(found.volume, 6, 1e-12);
    EXPECT_LT((found.center - center).norm(), 1e-11);
    EXPECT_LT((found.second - R * second_of_box(size, 3000) * R.transpose()).norm(), 1e-8);
  }
}

TEST(MassProperties, tets_and_surface_agree) {
  Mesh tet;
  tet.points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0.2, 0.1, 3}};
  Mesh surface = tet;
  tet.tets = {{0, 1, 2, 3}};
  surface.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  const MassProperties a = compute_mass_properties(tet, 1000, 0),
                       b = compute_mass_properties(surface, 1000, 0);
  EXPECT_NEAR(a.mass, 1000, 1e-9);
  EXPECT_NEAR(b.mass, 1000, 1e-9);
  EXPECT_LT((a.center - b.center).norm(), 1e-14);
  EXPECT_LT((a.second - b.second).norm(), 1e-10);
}

TEST(MassProperties, plates_wires_and_points_are_thin_solids) {
  // A square plate of side 2 and thickness 0.1.
  Mesh plate;
  plate.points = {{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}};
  plate.triangles = {{0, 2, 1}, {0, 3, 2}};
  EXPECT_TRUE(has_thin_parts(plate));
  const MassProperties flat = compute_mass_properties(plate, 1000, 0.1);
  EXPECT_LT((flat.second - second_of_box({2, 0.1, 2}, 400)).norm(), 1e-9);
  EXPECT_LT((flat.center - Vec3(1, 0, 1)).norm(), 1e-14);
  // A rod of length 3 and diameter 0.2, in two pieces.
  Mesh rod;
  rod.points = {{0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
  rod.edges = {{0, 1}, {1, 2}};
  const MassProperties thin = compute_mass_properties(rod, 1000, 0.2);
  const double mass = 1000 * std::numbers::pi * 0.01 * 3;
  EXPECT_NEAR(thin.mass, mass, 1e-10);
  EXPECT_NEAR(thin.second(0, 0), mass * 9 / 12, 1e-9);
  EXPECT_NEAR(thin.second(1, 1), mass * 0.04 / 16, 1e-12);
  // A ball of diameter 0.5.
  Mesh point;
  point.points = {{1, 2, 3}};
  const MassProperties ball = compute_mass_properties(point, 1000, 0.5);
  EXPECT_NEAR(ball.mass, 1000 * std::numbers::pi / 6 * 0.125, 1e-10);
  EXPECT_LT((ball.second - ball.mass * 0.25 / 20 * Mat3::Identity()).norm(), 1e-12);
}

TEST(MassProperties, an_empty_inside_has_no_mass) {
  Mesh flat = make_box({1, 0, 1}, Vec3::Zero());
  EXPECT_EQ(compute_mass_properties(flat, 1000, 0).mass, 0);
}

TEST(FourPoints, have_the_mass_centre_and_moments_of_the_body) {
  const Mat3 R = rotation_from_degrees({-10, 25, 60});
  const Mesh box = make_box({0.3, 1, 2}, {3, 4, 5}, R);
  const MassProperties properties = compute_mass_properties(box, 800, 0);
  Kinematics kinematics;
  const Points nodes = add_affine_body("box", box, properties, 0, kinematics);
  ASSERT_EQ(nodes.size(), 4u);
  Vec3 center = Vec3::Zero();
  for (const Vec3& x : nodes) center += x / 4;
  EXPECT_LT((center - properties.center).norm(), 1e-13);
  Mat3 second = Mat3::Zero();
  for (const Vec3& x : nodes) second += properties.mass / 4 * (x - center) * (x - center).transpose();
  EXPECT_LT((second - properties.second).norm(), 1e-10 * second.norm());
  // The points of the mesh are where they were, and stay a rotated copy when the nodes turn.
  VecX n(12);
  const Mat3 turn = rotation_from_degrees({5, -80, 33});
  for (Index i = 0; i < 4; ++i) n.segment<3>(3 * i) = turn * nodes[i] + Vec3(1, 0, 0);
  Points x;
  compute_points(kinematics, n, x);
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_LT((x[i] - (turn * box.points[i] + Vec3(1, 0, 0))).norm(), 1e-12);
  }
  EXPECT_EQ(kinematics.elements.count(), 1u);
  EXPECT_NEAR(kinematics.elements.volumes[0], 0.6, 1e-12);
}

TEST(FourPoints, flat_bodies_keep_apart_along_their_normal) {
  Mesh plate;
  plate.points = {{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}};
  plate.triangles = {{0, 2, 1}, {0, 3, 2}};
  Kinematics kinematics;
  const Points nodes = add_rigid_body("plate", plate, compute_mass_properties(plate, 1000, 1e-9), kinematics);
  double lowest = 1, highest = -1;
  for (const Vec3& x : nodes) {
    lowest = std::min(lowest, x.y());
    highest = std::max(highest, x.y());
  }
  EXPECT_GT(highest - lowest, 1e-5);
  EXPECT_EQ(kinematics.bodies[0].kind, BodyKind::Rigid);
}

TEST(FourPoints, a_thin_shaft_has_its_own_moment_about_its_axis) {
  const Vec3 size(1, 0.002, 0.002);
  Kinematics kinematics;
  const Mesh shaft = make_box(size, Vec3::Zero());
  const Points nodes = add_rigid_body("shaft", shaft, compute_mass_properties(shaft, 8000, 0), kinematics);
  const double mass = 8000 * size.prod();
  double moment = 0;
  for (const Vec3& x : nodes) moment += mass / 4 * (x.y() * x.y() + x.z() * x.z());
  EXPECT_NEAR(moment, mass / 12 * 2 * 0.002 * 0.002, 1e-9 * moment);
}

TEST(MassProperties, a_closed_surface_whose_triangles_disagree_is_a_solid) {
  Mesh box = make_box({1, 2, 3}, {5, 0, 0});
  const auto count = static_cast<Index>(box.points.size());
  const Mesh other = make_box({1, 1, 1}, {0, 0, 0});
  box.points.insert(box.points.end(), other.points.begin(), other.points.end());
  for (const Triangle& t : other.triangles)
    box.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  for (const size_t turned : {0u, 5u, 11u, 14u})
    std::swap(box.triangles[turned][1], box.triangles[turned][2]);
  ASSERT_FALSE(is_closed_surface(box.triangles));
  EXPECT_FALSE(has_thin_parts(box));
  const MassProperties found = compute_mass_properties(box, 1000, 0);
  EXPECT_NEAR(found.mass, 7000, 1e-9);
  EXPECT_LT((found.center - Vec3(30.0 / 7, 0, 0)).norm(), 1e-12);
}

TEST(MassProperties, a_surface_with_one_side_only_is_a_plate) {
  // A Möbius strip of three twisted squares, closed by nothing.
  Mesh strip;
  for (int i = 0; i < 6; ++i) strip.points.push_back({std::cos(i), std::sin(i), 0.1 * i});
  strip.triangles = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}, {4, 5, 1}, {5, 0, 1}};
  EXPECT_TRUE(has_thin_parts(strip));
}

}  // namespace marrow
