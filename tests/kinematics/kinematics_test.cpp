#include <gtest/gtest.h>

#include <numbers>

#include "kinematics/body.h"
#include "kinematics/joined.h"
#include "kinematics/motion.h"
#include "mesh/shapes.h"

namespace marrow {
namespace {

VecX to_vector(const Points& points) {
  VecX v(3 * static_cast<Index>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) v.segment<3>(3 * static_cast<Index>(i)) = points[i];
  return v;
}

double total(const ScalarMatrix& A) {
  double sum = 0;
  for (const double value : A.values) sum += value;
  return sum;
}

}  // namespace

TEST(Kinematics, deformation_gradient_of_an_affine_map_is_its_matrix) {
  Kinematics kinematics;
  const Points points =
      add_soft_body("ball", build_shape(SphereShape{}), 1000, MassKind::Lumped, 0, kinematics);
  Mat3 A;
  A << 1, 0.2, 0.1, -0.3, 1.2, 0, 0.4, 0.1, 0.8;
  Points moved;
  for (const Vec3& x : points) moved.push_back(A * x + Vec3(5, 6, 7));
  const VecX n = to_vector(moved);
  for (size_t e = 0; e < kinematics.elements.count(); ++e) {
    EXPECT_LE((compute_deformation_gradient(kinematics.elements, e, n) - A).norm(), 1e-12);
  }
}

TEST(Kinematics, mass_is_density_times_volume_however_it_is_distributed) {
  for (const MassKind kind : {MassKind::Lumped, MassKind::Consistent}) {
    Kinematics kinematics;
    add_soft_body("box", build_shape(BoxShape{}), 700, kind, 0, kinematics);
    EXPECT_NEAR(total(kinematics.bodies[0].mass), 700, 1e-9);
    double volume = 0;
    for (const double v : kinematics.elements.volumes) volume += v;
    EXPECT_NEAR(volume, 1, 1e-12);
  }
}

TEST(Kinematics, consistent_mass_gives_the_exact_moment_of_inertia) {
  // For a linear field u = x the kinetic form is ∫ρ x², exact on tets: 1/12 for the unit box.
  Kinematics kinematics;
  const Points points = add_soft_body("box", build_shape(BoxShape{}), 1, MassKind::Consistent, 0, kinematics);
  const VecX n = to_vector(points);
  VecX Mn;
  multiply(kinematics.bodies[0].mass, n, Mn);
  EXPECT_NEAR(n.dot(Mn), 3.0 / 12, 1e-12);
}

TEST(Kinematics, elements_of_a_reduced_body_follow_its_weights) {
  // An affine body as weights (1, X, Y, Z): every element's F is the three last nodes as columns.
  const Mesh mesh = build_shape(BoxShape{});
  std::vector<Triplet> triplets;
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    const Index row = static_cast<Index>(i);
    triplets.push_back({row, 0, 1});
    for (int k = 0; k < 3; ++k) triplets.push_back({row, 1 + k, mesh.points[i][k]});
  }
  const ScalarMatrix W = build_scalar_matrix(static_cast<Index>(mesh.points.size()), 4, triplets);
  Elements elements;
  add_tet_elements(mesh.points, mesh.tets, W, 10, 0, elements);
  Mat3 A;
  A << 1, 0.2, 0.1, -0.3, 1.2, 0, 0.4, 0.1, 0.8;
  VecX n = VecX::Zero(42);
  n.segment<3>(30) = Vec3(1, 2, 3);
  for (int k = 0; k < 3; ++k) n.segment<3>(33 + 3 * k) = A.col(k);
  for (size_t e = 0; e < elements.count(); ++e) {
    EXPECT_LE((compute_deformation_gradient(elements, e, n) - A).norm(), 1e-11);
  }
  const ScalarMatrix mass = compute_node_mass(W, compute_vertex_mass(mesh.points, mesh.tets, 1000));
  EXPECT_NEAR(mass.values[0], 1000, 1e-9);
}

TEST(Kinematics, parts_without_volume_are_told_apart_and_weighed) {
  // A box with its listed surface, a flag on one of its corners, a wire on the flag, a loose point.
  Mesh mesh = build_shape(BoxShape{.cells_x = 1, .cells_y = 1, .cells_z = 1});
  const size_t surface = mesh.triangles.size();
  const Index first = static_cast<Index>(mesh.points.size());
  const Vec3 corner = mesh.points[0];
  for (const Vec3& offset : {Vec3(-1, 0, 0), Vec3(0, -2, 0), Vec3(0, -5, 0), Vec3(9, 9, 9)}) {
    mesh.points.push_back(corner + offset);
  }
  mesh.triangles.push_back({0, first, first + 1});
  mesh.edges = {{first + 1, first + 2}, {0, first}};  // the second is an edge of the flag
  const CodimensionalParts parts = find_codimensional_parts(mesh);
  EXPECT_EQ(parts.triangles, std::vector<Triangle>{mesh.triangles[surface]});
  EXPECT_EQ(parts.edges, std::vector<Edge>{mesh.edges[0]});
  EXPECT_EQ(parts.points, std::vector<Index>{first + 3});
  const double d = 0.1, pi = std::numbers::pi;
  for (const MassKind kind : {MassKind::Lumped, MassKind::Consistent}) {
    Kinematics kinematics;
    add_soft_body("mixed", mesh, 100, kind, 0, kinematics, d);
    const double expected = 1 + d * 1 + pi / 4 * d * d * 3 + pi / 6 * d * d * d;
    EXPECT_NEAR(total(kinematics.bodies[0].mass), 100 * expected, 1e-9);
    EXPECT_EQ(kinematics.membranes.count(), 1u);
    EXPECT_EQ(kinematics.strands.count(), 1u);
    EXPECT_EQ(kinematics.shell_bends.count(), 0u);
  }
}

TEST(Kinematics, membranes_have_the_matrix_of_an_affine_map_within_their_plane) {
  Mesh mesh;
  mesh.points = {Vec3(0, 0, 1), Vec3(2, 0, 1), Vec3(0.5, 1, 2)};
  mesh.triangles = {{0, 1, 2}};
  Kinematics kinematics;
  const Points points = add_soft_body("sheet", mesh, 1, MassKind::Lumped, 0, kinematics, 0.1);
  Mat3 A;
  A << 1, 0.2, 0.1, -0.3, 1.2, 0, 0.4, 0.1, 0.8;
  Points moved;
  for (const Vec3& x : points) moved.push_back(A * x + Vec3(5, 6, 7));
  const Mat3 F = compute_deformation_gradient(kinematics.membranes, 0, to_vector(moved));
  const Vec3 u = points[1] - points[0], v = points[2] - points[0];
  EXPECT_LE((F * u - A * u).norm() + (F * v - A * v).norm(), 1e-12);
  EXPECT_LE((F * u.cross(v)).norm(), 1e-12);
}

TEST(Kinematics, points_of_several_bodies_are_numbered_in_a_row) {
  Kinematics kinematics;
  Points first = add_soft_body("a", build_shape(BoxShape{}), 1, MassKind::Lumped, 0, kinematics);
  const Points second = add_obstacle("b", build_shape(SphereShape{}), kinematics);
  EXPECT_EQ(kinematics.bodies[1].first_node, static_cast<Index>(first.size()));
  first.insert(first.end(), second.begin(), second.end());
  Points x;
  compute_points(kinematics, to_vector(first), x);
  EXPECT_EQ(x, first);
}

TEST(Kinematics, joined_bodies_keep_their_elements_and_blocks) {
  Kinematics kinematics;
  Mesh wall;
  wall.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  wall.triangles = {{0, 1, 2}};
  add_obstacle("wall", wall, kinematics);
  EXPECT_TRUE(join_rest_meshes(kinematics).radii.empty());
  Mesh tet;
  tet.points = {Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(0, 1, 1), Vec3(0, 0, 2)};
  tet.tets = {{0, 1, 2, 3}};
  tet.radii = {0, 0, 0, 0.5};
  add_soft_body("tet", tet, 6, MassKind::Lumped, 0, kinematics);

  const Mesh all = join_rest_meshes(kinematics);
  EXPECT_EQ(all.points.size(), 7U);
  EXPECT_EQ(all.points[6], Vec3(0, 0, 2));
  EXPECT_EQ(all.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  EXPECT_EQ(all.tets, (std::vector<Tet>{{3, 4, 5, 6}}));
  EXPECT_EQ(all.radii, (std::vector<double>{0, 0, 0, 0, 0, 0, 0.5}));
  EXPECT_EQ(list_bodies_of_points(kinematics), (std::vector<Index>{0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(flag_obstacle_points(kinematics), (std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0, 0}));

  const ScalarMatrix W = join_diagonal(kinematics, &Body::W);
  EXPECT_EQ(W.columns, 7);
  EXPECT_EQ(W.indices, (std::vector<Index>{0, 1, 2, 3, 4, 5, 6}));
  const ScalarMatrix mass = join_diagonal(kinematics, &Body::mass);
  EXPECT_EQ(mass.rows(), 7);
  EXPECT_NEAR(total(mass), 1, 1e-12);
  EXPECT_EQ(mass.indices[static_cast<size_t>(mass.offsets[3])], 3);
}

TEST(Motion, constant_velocities_turn_about_a_moving_point) {
  Motion motion;
  motion.about = Vec3(1, 0, 0);
  motion.velocity = Vec3(0, 0, 2);
  motion.angular_velocity = Vec3(0, 0, std::numbers::pi);
  EXPECT_LE((compute_position(motion, Vec3(2, 0, 0), 1) - Vec3(0, 0, 2)).norm(), 1e-14);
}

TEST(Motion, keyframes_are_joined_linearly_and_held_outside) {
  Motion motion;
  motion.keys = {{1, Vec3(0, 0, 0), Vec3(0, 0, 0)}, {3, Vec3(4, 0, 0), Vec3(0, 0, 180)}};
  const Vec3 X(0, 1, 0);
  EXPECT_LE((compute_position(motion, X, 0) - X).norm(), 1e-15);
  EXPECT_LE((compute_position(motion, X, 2) - Vec3(1, 0, 0)).norm(), 1e-14);
  EXPECT_LE((compute_position(motion, X, 9) - Vec3(4, -1, 0)).norm(), 1e-14);
}

TEST(Motion, a_point_at_rest_keeps_its_bits) {
  const Vec3 X(0.1, 0.2, 0.3);
  Motion motion;
  motion.about = Vec3(0.7, 0.1, 0.9);
  EXPECT_EQ(compute_position(motion, X, 123.4), X);
}

TEST(Motion, formulas_translate_turn_and_grow) {
  Motion motion;
  motion.about = Vec3(1, 0, 0);
  motion.formulas.translation =
      VectorExpression(Expression("t^2"), Expression(0), Expression("if(t > 1, 5, 0)"));
  motion.formulas.angle = Expression("90 * t");
  motion.formulas.axis = Vec3(0, 0, 2);
  motion.formulas.scale = Expression("1 + t");
  EXPECT_LE((compute_position(motion, Vec3(2, 0, 0), 1) - Vec3(2, 2, 0)).norm(), 1e-14);
  EXPECT_LE((compute_position(motion, Vec3(2, 0, 0), 2) - Vec3(2, 0, 5)).norm(), 1e-14);
}

TEST(Motion, runs_from_its_start_to_its_end) {
  Motion motion;
  motion.velocity = Vec3(2, 0, 0);
  motion.start = 1;
  motion.end = 3;
  EXPECT_EQ(compute_position(motion, Vec3::Zero(), 0.5), Vec3(0, 0, 0));
  EXPECT_EQ(compute_position(motion, Vec3::Zero(), 2), Vec3(2, 0, 0));
  EXPECT_EQ(compute_position(motion, Vec3::Zero(), 9), Vec3(4, 0, 0));
}

TEST(Motion, sequences_join_their_positions_and_groups_end) {
  PrescribedNodes group;
  group.initial = {Vec3(0, 0, 0)};
  group.sequence = {1, 0.5, {{Vec3(2, 0, 0)}, {Vec3(2, 4, 0)}}};
  EXPECT_EQ(compute_positions(group, 0)[0], Vec3(0, 0, 0));
  EXPECT_EQ(compute_positions(group, 0.5)[0], Vec3(1, 0, 0));
  EXPECT_EQ(compute_positions(group, 1.25)[0], Vec3(2, 2, 0));
  EXPECT_EQ(compute_positions(group, 7)[0], Vec3(2, 4, 0));
  group.release = 2;
  EXPECT_TRUE(group.is_active(2));
  EXPECT_FALSE(group.is_active(2.01));
}

}  // namespace marrow
