// The battery over every potential.
#include "exact/predicates.h"
#include "kinematics/body.h"
#include "mesh/shapes.h"
#include "potential_battery.h"
#include "potentials/elastic/elasticity.h"
#include "potentials/gravity.h"
#include "potentials/inertia.h"
#include "potentials/prescribed.h"

namespace marrow {
namespace {

using battery::random_vector;

// A small box of the given edge length with everything the potentials need.
struct SmallBody {
  Kinematics kinematics;
  std::vector<Material> materials = {make_material(MaterialModel::NeoHookean, 1e5, 0.4)};
  ScalarMatrix mass;
  VecX nodes;

  explicit SmallBody(double edge, MassKind kind = MassKind::Consistent) {
    BoxShape box;
    box.size = Vec3::Constant(edge);
    box.cells_x = 1;
    box.cells_y = 2;
    box.cells_z = 1;
    const Points points = add_soft_body("box", build_shape(box), 1000, kind, 0, kinematics);
    mass = kinematics.bodies[0].mass;
    nodes.resize(3 * static_cast<Index>(points.size()));
    for (size_t i = 0; i < points.size(); ++i) nodes.segment<3>(3 * static_cast<Index>(i)) = points[i];
  }
  Index count() const { return kinematics.node_count; }
};

}  // namespace

TEST(Potentials, elasticity_passes_the_battery_at_every_scale) {
  for (const double edge : {1e-3, 1.0, 1e3}) {
    const SmallBody body(edge);
    Elasticity elasticity(body.kinematics.elements, body.materials, body.count());
    const VecX slight = body.nodes + random_vector(3 * body.count(), 0.01 * edge, 1);
    const VecX strong = body.nodes + random_vector(3 * body.count(), 0.06 * edge, 2);
    const VecX stretched = 1.05 * body.nodes;
    battery::check_all(elasticity, slight, {0.1 * edge, 1e-6}, false);
    battery::check_all(elasticity, strong, {0.01 * edge, 1e-6}, false);
    battery::check_all(elasticity, stretched, {0.1 * edge, 1e-6}, true);
  }
}

TEST(Potentials, elasticity_of_an_affine_body_passes_the_battery) {
  // Weights (1, X, Y, Z): the gradients do not sum to zero.
  const Mesh mesh = build_shape(BoxShape{.cells_x = 1, .cells_y = 1, .cells_z = 1});
  std::vector<Triplet> triplets;
  for (size_t i = 0; i < mesh.points.size(); ++i) {
    triplets.push_back({static_cast<Index>(i), 0, 1});
    for (int k = 0; k < 3; ++k) triplets.push_back({static_cast<Index>(i), 1 + k, mesh.points[i][k]});
  }
  Elements elements;
  add_tet_elements(mesh.points, mesh.tets,
                   build_scalar_matrix(static_cast<Index>(mesh.points.size()), 4, triplets), 0, 0, elements);
  const std::vector<Material> materials = {make_material(MaterialModel::NeoHookean, 1e5, 0.4)};
  Elasticity elasticity(elements, materials, 4);
  VecX n(12);
  n << 1, 2, 3, 1.05, 0, 0, 0, 1.05, 0, 0, 0, 1.05;
  battery::check_all(elasticity, n, {0.1, 1e-6}, true);
  battery::check_all(elasticity, n + random_vector(12, 0.2, 4), {0.1, 1e-6}, false);
}

TEST(Potentials, elasticity_does_not_see_rigid_motion) {
  const SmallBody body(1);
  Elasticity elasticity(body.kinematics.elements, body.materials, body.count());
  const Mat3 R = Eigen::AngleAxisd(2, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  VecX moved = body.nodes;
  for (Index i = 0; i < moved.size(); i += 3)
    moved.segment<3>(i) = R * Vec3(moved.segment<3>(i)) + Vec3(3, -2, 5);
  EXPECT_NEAR(elasticity.compute_value(moved), 0, 1e-9);
  EXPECT_LE(battery::gradient_of(elasticity, moved).norm(), 1e-9);
  const VecX bent = body.nodes + random_vector(3 * body.count(), 0.03, 5);
  const VecX force = battery::gradient_of(elasticity, bent);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  for (Index i = 0; i < force.size(); i += 3) {
    sum += force.segment<3>(i);
    torque += Vec3(bent.segment<3>(i)).cross(Vec3(force.segment<3>(i)));
  }
  EXPECT_LE(sum.norm(), 1e-9 * force.norm());
  EXPECT_LE(torque.norm(), 1e-9 * force.norm());
}

TEST(Potentials, no_number_of_steps_turns_an_element_over_by_rounding) {
  // Every step would squash the body to nothing and beyond, in a direction of no axis, and goes as far as it
  // may.
  const SmallBody body(1);
  Elasticity elasticity(body.kinematics.elements, body.materials, body.count());
  for (unsigned seed = 0; seed < 20; ++seed) {
    VecX n = body.nodes + random_vector(3 * body.count(), 0.05, seed);
    const Vec3 axis = Vec3(random_vector(3, 1, 100 + seed)).normalized();
    for (int step = 0; step < 40; ++step) {
      VecX direction(n.size());
      for (Index i = 0; i < n.size(); i += 3)
        direction.segment<3>(i) = -1.7 * axis * axis.dot(Vec3(n.segment<3>(i)));
      const NodePath path = {n, direction, {}};
      n = path.at(elasticity.compute_step_limit(path).alpha);
      for (const Tet& t : body.kinematics.bodies[0].rest.tets) {
        const auto at = [&](int k) { return Vec3(n.segment<3>(3 * t[k])); };
        const auto rest = [&](int k) { return Vec3(body.nodes.segment<3>(3 * t[k])); };
        ASSERT_EQ(orient3_sign(at(0), at(1), at(2), at(3)), orient3_sign(rest(0), rest(1), rest(2), rest(3)))
            << seed << " " << step;
      }
    }
  }
}

TEST(Potentials, step_limit_stops_before_the_first_inversion) {
  const SmallBody body(1);
  Elasticity elasticity(body.kinematics.elements, body.materials, body.count());
  // Collapse towards the origin: all elements are flat at a full step.
  const VecX direction = -1.5 * body.nodes;
  const StepLimit limit = elasticity.compute_step_limit({body.nodes, direction, {}});
  EXPECT_EQ(limit.cause, LimitCause::Inversion);
  // (1 − 1.5 α)³ = 0.1
  EXPECT_NEAR(limit.alpha, (1 - std::cbrt(0.1)) / 1.5, 1e-9);
  EXPECT_TRUE(std::isfinite(elasticity.compute_value(body.nodes + limit.alpha * direction)));
  for (unsigned seed = 0; seed < 50; ++seed) {
    const VecX d = random_vector(3 * body.count(), 1, seed);
    const StepLimit random_limit = elasticity.compute_step_limit({body.nodes, d, {}});
    EXPECT_GT(random_limit.alpha, 0);
    for (const double t : {0.25, 0.5, 0.75, 1.0}) {
      EXPECT_TRUE(std::isfinite(elasticity.compute_value(body.nodes + t * random_limit.alpha * d)));
    }
  }
  EXPECT_EQ(elasticity.compute_step_limit({body.nodes, 0.5 * body.nodes, {}}).alpha, 1);
}

TEST(Potentials, inertia_passes_the_battery) {
  for (const MassKind kind : {MassKind::Lumped, MassKind::Consistent}) {
    const SmallBody body(1, kind);
    Inertia inertia(body.mass);
    inertia.set_target(body.nodes);
    battery::check_all(inertia, body.nodes + random_vector(3 * body.count(), 0.1, 3), {1, 1e-8}, true);
    // A translation by d costs ½ m |d|².
    const VecX moved = body.nodes + Vec3(1, 2, 3).replicate(body.count(), 1);
    EXPECT_NEAR(inertia.compute_value(moved), 0.5 * 1000 * 14, 1e-6);
  }
}

TEST(Potentials, gravity_passes_the_battery) {
  const SmallBody body(1);
  Gravity gravity(body.mass, Vec3(0, -9.81, 1), body.nodes);
  battery::check_gradient(gravity, body.nodes + random_vector(3 * body.count(), 0.1, 3), {1, 1e-8});
  const VecX lifted = body.nodes + Vec3(0, 2, 0).replicate(body.count(), 1);
  EXPECT_NEAR(gravity.compute_value(lifted), 1000 * 9.81 * 2, 1e-6);
}

TEST(Potentials, prescribed_pull_passes_the_battery_with_multipliers) {
  const SmallBody body(1);
  PrescribedPull pull({0, 3}, {0.5, 2.0}, body.count());
  pull.reset({Vec3(1, 0, 0), Vec3(0, 1, 0)});
  pull.tighten(body.nodes, false);
  pull.tighten(body.nodes, true);
  battery::check_all(pull, body.nodes, {1, 1e-7}, true);
}

}  // namespace marrow
