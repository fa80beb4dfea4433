#include <gtest/gtest.h>

#include "kinematics/body.h"
#include "mesh/point_box.h"
#include "mesh/shapes.h"
#include "mesh/surface.h"
#include "sim/simulate.h"

namespace marrow {
namespace {

// [recipe
// A surface that the eight corners of its box deform, by trilinear weights. Six tets fill the box.
Points add_cage_body(const std::string& name, Mesh surface, const MassProperties& properties, Index material,
                     Kinematics& kinematics) {
  const Eigen::AlignedBox3d box = compute_box(surface.points);
  Points nodes(8);
  for (int k = 0; k < 8; ++k) nodes[k] = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(k));
  std::vector<Triplet> weights, masses;
  for (size_t i = 0; i < surface.points.size(); ++i) {
    const Vec3 u = (surface.points[i] - box.min()).cwiseQuotient(box.sizes());  // 0 to 1 in the box
    for (Index k = 0; k < 8; ++k) {
      double w = 1;
      for (int axis = 0; axis < 3; ++axis) w *= (k >> axis & 1) != 0 ? u[axis] : 1 - u[axis];
      weights.push_back({static_cast<Index>(i), k, w});
    }
  }
  for (Index k = 0; k < 8; ++k) masses.push_back({k, k, properties.mass / 8});
  Body body;
  body.name = name;
  body.kind = BodyKind::Soft;  // a kind of its own gets its own line in the enum
  body.W = build_scalar_matrix(static_cast<Index>(surface.points.size()), 8, weights);
  body.mass = build_scalar_matrix(8, 8, masses);
  body.rest = std::move(surface);
  const Index first = kinematics.node_count;
  append_body(std::move(body), kinematics);
  const std::vector<Tet> tets = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                 {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  add_tet_elements(nodes, tets, build_identity(8), first, material, kinematics.elements);
  return nodes;
}
// recipe]

struct Cage {
  Model model;
  State state;
  Points surface;

  Cage() {
    Mesh mesh = build_shape(SphereShape{.radius = 0.5, .resolution = 4});
    mesh.triangles = extract_surface(mesh.tets);
    const MassProperties properties = compute_mass_properties(mesh, 1000, 0);
    mesh.tets.clear();
    surface = mesh.points;
    model.materials.push_back(make_material(MaterialModel::NeoHookean, 1e5, 0.4));
    const Points nodes = add_cage_body("ball", mesh, properties, 0, model.kinematics);
    model.mass = model.kinematics.bodies[0].mass;
    model.size = 1;
    state.nodes.resize(24);
    for (Index k = 0; k < 8; ++k) state.nodes.segment<3>(3 * k) = nodes[static_cast<size_t>(k)];
    state.velocities = VecX::Zero(24);
    model.initial_nodes = state.nodes;
  }
};

TEST(Recipe, a_body_kind_has_weights_that_reproduce_its_points) {
  const Cage cage;
  Points x;
  compute_points(cage.model.kinematics, cage.state.nodes, x);
  for (size_t i = 0; i < x.size(); ++i) EXPECT_LT((x[i] - cage.surface[i]).norm(), 1e-15);
  for (size_t e = 0; e < cage.model.kinematics.elements.count(); ++e)
    EXPECT_GT(cage.model.kinematics.elements.volumes[e], 0);
}

TEST(Recipe, a_body_kind_falls_as_implicit_euler_says) {
  Cage cage;
  cage.model.gravity = {0, -9.81, 0};
  cage.model.time.step = 0.01;
  cage.model.time.duration = 0.1;
  const RunReport report = simulate(cage.model, cage.state, {});
  EXPECT_EQ(report.end, RunEnd::Finished);
  const double fallen = cage.model.gravity.y() * 0.01 * 0.01 * 10 * 11 / 2;
  for (Index k = 0; k < 8; ++k) {
    const Vec3 moved = cage.state.nodes.segment<3>(3 * k) - cage.model.initial_nodes.segment<3>(3 * k);
    EXPECT_LT((moved - Vec3(0, fallen, 0)).norm(), 1e-6 * std::abs(fallen));
  }
}

}  // namespace
}  // namespace marrow
