// The battery of the elastic energy of a body, with every material.
#include "kinematics/body.h"
#include "mesh/shapes.h"
#include "potential_battery.h"
#include "potentials/elastic/elasticity.h"

namespace marrow {
namespace {

using battery::random_vector;

class ElasticityBattery : public ::testing::TestWithParam<MaterialModel> {
 protected:
  Kinematics kinematics;
  std::vector<Material> materials = {make_material(GetParam(), 1e5, 0.4)};
  VecX nodes;

  ElasticityBattery() {
    const Points points =
        add_soft_body("box", build_shape(BoxShape{.cells_x = 1, .cells_y = 2, .cells_z = 1}), 1000,
                      MassKind::Lumped, 0, kinematics);
    nodes.resize(3 * static_cast<Index>(points.size()));
    for (size_t i = 0; i < points.size(); ++i) nodes.segment<3>(3 * static_cast<Index>(i)) = points[i];
  }
  Index size() const { return static_cast<Index>(nodes.size()); }
};

}  // namespace

TEST_P(ElasticityBattery, derivatives_projection_and_threads) {
  Elasticity elasticity(kinematics.elements, materials, kinematics.node_count);
  battery::check_all(elasticity, nodes + random_vector(size(), 0.01, 1), {0.1, 1e-6}, false);
  battery::check_all(elasticity, nodes + random_vector(size(), 0.06, 2), {0.01, 1e-6}, false);
  battery::check_all(elasticity, 1.05 * nodes, {0.1, 1e-6}, true);
  battery::check_exact_hessian(elasticity, nodes + random_vector(size(), 0.06, 2), {0.01, 1e-6});
}

TEST_P(ElasticityBattery, internal_forces_have_no_sum_and_no_torque) {
  Elasticity elasticity(kinematics.elements, materials, kinematics.node_count);
  const VecX bent = nodes + random_vector(size(), 0.05, 5);
  const VecX force = battery::gradient_of(elasticity, bent);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  for (Index i = 0; i < size(); i += 3) {
    sum += force.segment<3>(i);
    torque += Vec3(bent.segment<3>(i)).cross(Vec3(force.segment<3>(i)));
  }
  EXPECT_LE(sum.norm(), 1e-9 * force.norm());
  EXPECT_LE(torque.norm(), 1e-9 * force.norm());
}

TEST_P(ElasticityBattery, no_step_turns_an_element_over) {
  Elasticity elasticity(kinematics.elements, materials, kinematics.node_count);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const VecX d = random_vector(size(), 1, seed);
    const StepLimit limit = elasticity.compute_step_limit({nodes, d, {}});
    for (size_t e = 0; e < kinematics.elements.count(); ++e) {
      const Mat3 F = compute_deformation_gradient(kinematics.elements, e, nodes + limit.alpha * d);
      EXPECT_GE(F.determinant(), 0.1 - 1e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Materials, ElasticityBattery,
                         ::testing::Values(MaterialModel::NeoHookean, MaterialModel::StableNeoHookean,
                                           MaterialModel::FixedCorotated, MaterialModel::StVenantKirchhoff,
                                           MaterialModel::LinearCorotated, MaterialModel::MooneyRivlin,
                                           MaterialModel::ArrudaBoyce),
                         [](const auto& c) { return std::string(enum_name(c.param)); });

}  // namespace marrow
