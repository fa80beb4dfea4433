// Boxes of a body lie along one of its triangles. Corners that are collinear but for rounding have no normal:
// the axes must be orthogonal all the same, or the boxes miss the body and pairs are lost.
#include "potentials/contact/contact_motion.h"

#include <gtest/gtest.h>

#include <random>

#include "kinematics/body.h"
#include "kinematics/elements/mass_properties.h"
#include "math/rotation.h"

namespace marrow {
namespace {

// A unit cube, turned, with a collinear triangle on each of four edges.
Mesh make_cube(std::mt19937_64& random) {
  std::uniform_real_distribution<double> draw(-1, 1);
  const Vec3 axis(draw(random), draw(random), draw(random));
  const Mat3 R = rotation_from_vector(2 * axis);
  Mesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.points.push_back(R * Vec3((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5));
  }
  const std::array<std::array<Index, 4>, 6> sides = {
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& [a, b, c, d] : sides) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  for (size_t k : {0, 2, 4, 6}) {
    const auto [a, b, c] = mesh.triangles[k];
    const auto m = static_cast<Index>(mesh.points.size());
    mesh.points.push_back(mesh.points[a] + (0.5 + 0.3 * draw(random)) * (mesh.points[b] - mesh.points[a]));
    mesh.triangles[k] = {a, b, m};
    mesh.triangles.push_back({a, m, c});
    mesh.triangles.push_back({m, b, c});
  }
  return mesh;
}

}  // namespace

TEST(ContactMotion, finds_pairs_of_bodies_with_collinear_triangles) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 400; ++k) {
    Kinematics kinematics;
    const Mesh cube = make_cube(random);
    const MassProperties properties = compute_mass_properties(cube, 1000, 0.01);
    Points nodes = add_rigid_body("cube", cube, properties, kinematics);
    // A loose point just outside each corner of the cube.
    Mesh around;
    for (size_t i = 0; i < 8; ++i) around.points.push_back(1.001 * cube.points[i]);
    const Points obstacle = add_obstacle("around", around, kinematics);
    nodes.insert(nodes.end(), obstacle.begin(), obstacle.end());
    Mesh all = cube;
    all.points.insert(all.points.end(), around.points.begin(), around.points.end());
    CollisionMesh mesh = build_collision_mesh(all);
    mesh.bodies.assign(cube.points.size(), 0);
    mesh.bodies.resize(all.points.size(), 1);
    CandidateFilter filter;
    filter.ignored_bodies = {{0, 0}};
    ContactMotion motion(mesh, filter, NodeMap(kinematics), all.points, 0.01);
    const VecX n = VecX::Map(nodes[0].data(), 3 * static_cast<Index>(nodes.size()));
    std::vector<char> is_found(all.points.size(), 0);
    Points x;
    for (const PairStencil& pair : motion.move_to(n, x).vertex_face)
      is_found[static_cast<size_t>(pair[0])] = 1;
    for (size_t i = cube.points.size(); i < all.points.size(); ++i) EXPECT_TRUE(is_found[i]) << k << " " << i;
  }
}

}  // namespace marrow
