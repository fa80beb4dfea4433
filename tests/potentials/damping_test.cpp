// Damping: the battery, and what it does not see.
#include "kinematics/body.h"
#include "mesh/shapes.h"
#include "potential_battery.h"
#include "potentials/elastic/elastic_terms.h"

namespace marrow {
namespace {

using battery::random_vector;

// Two boxes, of which only the second is damped.
struct TwoBoxes {
  Kinematics kinematics;
  std::vector<Material> materials = {make_material(MaterialModel::NeoHookean, 1e5, 0.4),
                                     make_material(MaterialModel::FixedCorotated, 2e5, 0.3)};
  VecX nodes;

  TwoBoxes() {
    materials[1].damping = 0.02;
    for (Index k = 0; k < 2; ++k) {
      const Points points =
          add_soft_body("box", build_shape(BoxShape{.cells_x = 1, .cells_y = 1, .cells_z = 1}), 1000,
                        MassKind::Lumped, k, kinematics);
      const Index start = static_cast<Index>(nodes.size());
      nodes.conservativeResize(start + 3 * static_cast<Index>(points.size()));
      for (size_t i = 0; i < points.size(); ++i) {
        nodes.segment<3>(start + 3 * static_cast<Index>(i)) = points[i];
      }
    }
  }
};

}  // namespace

TEST(Damping, passes_the_battery_and_is_the_stiffness_at_the_start) {
  const TwoBoxes boxes;
  const Index size = static_cast<Index>(boxes.nodes.size());
  ElasticTerms terms(boxes.kinematics, boxes.materials);
  ASSERT_EQ(terms.damping().size(), 1u);
  Damping& damping = *terms.damping()[0];
  const VecX start = boxes.nodes + random_vector(size, 0.02, 1);
  const double h = 0.01;
  terms.start_step(start, h);
  EXPECT_EQ(damping.compute_value(start), 0);
  battery::check_all(damping, start + random_vector(size, 0.1, 2), {1, 1e-7}, true);
  MatX K = battery::hessian_of(*terms.list()[0], start);
  K.topRows(size / 2).setZero();
  K.leftCols(size / 2).setZero();
  EXPECT_LE((battery::hessian_of(damping, start) - 0.02 / h * K).norm(), 1e-12 * K.norm());
  // A second step takes the place of the first.
  terms.start_step(boxes.nodes, 2 * h);
  K = battery::hessian_of(*terms.list()[0], boxes.nodes);
  K.topRows(size / 2).setZero();
  K.leftCols(size / 2).setZero();
  EXPECT_LE((battery::hessian_of(damping, start) - 0.01 / h * K).norm(), 1e-12 * K.norm());
}

TEST(Damping, does_not_see_translation_or_small_rotation_from_rest) {
  const TwoBoxes boxes;
  ElasticTerms terms(boxes.kinematics, boxes.materials);
  terms.start_step(boxes.nodes, 0.01);
  Damping& damping = *terms.damping()[0];
  VecX moved = boxes.nodes;
  for (Index i = 0; i < moved.size(); i += 3) {
    moved.segment<3>(i) += Vec3(1, 2, 3) + 0.1 * Vec3(3, -1, 2).cross(Vec3(boxes.nodes.segment<3>(i)));
  }
  EXPECT_LE(damping.compute_value(moved), 1e-8);
  EXPECT_LE(battery::gradient_of(damping, moved).norm(), 1e-6);
}

}  // namespace marrow
