// Triangles in plane strain: energy, force and Hessian are those of the 3D density with a stretch of 1 along
// Z.
#include <gtest/gtest.h>

#include <cmath>

#include "potential_battery.h"
#include "potentials/elastic/elasticity.h"
#include "potentials/materials/laws.h"

namespace marrow {
namespace {

constexpr double kPlaneModulus = 2e3, kPlaneRatio = 0.4;

struct PlanePatch {
  Points rest = {{0, 0, 0}, {1, 0.1, 0}, {1.1, 0.9, 0}, {-0.1, 1, 0}};
  std::vector<Triangle> triangles = {{0, 1, 2}, {0, 2, 3}};
  Elements elements;
  std::vector<Material> materials;

  explicit PlanePatch(MaterialModel model) : materials{make_material(model, kPlaneModulus, kPlaneRatio)} {
    elements.is_plane_strain = true;
    add_triangle_elements(rest, triangles, build_identity(4), 0, 0, 1, elements);
  }
  // Moved in the plane.
  VecX nodes(unsigned seed) const {
    VecX n = battery::random_vector(12, 0.1, seed);
    for (Index i = 0; i < 4; ++i) {
      n[3 * i + 2] = 0;
      n.segment<3>(3 * i) += rest[static_cast<size_t>(i)];
    }
    return n;
  }
};

const MaterialModel kPlaneModels[] = {MaterialModel::NeoHookean, MaterialModel::StableNeoHookean,
                                      MaterialModel::FixedCorotated, MaterialModel::StVenantKirchhoff,
                                      MaterialModel::MooneyRivlin};

TEST(PlaneStrain, every_material_passes_the_battery) {
  for (const MaterialModel model : kPlaneModels) {
    PlanePatch patch(model);
    Elasticity elasticity(patch.elements, patch.materials, 4);
    for (unsigned seed = 0; seed < 4; ++seed) {
      battery::check_all(elasticity, patch.nodes(seed), {1e-2, 1e-6}, false);
      battery::check_exact_hessian(elasticity, patch.nodes(seed), {1e-2, 1e-6});
    }
  }
}

// µ/2 (|F₂|² − 2) − µ ln J + λ/2 ln² J.
TEST(PlaneStrain, neo_hookean_has_the_energy_of_two_dimensions) {
  PlanePatch patch(MaterialModel::NeoHookean);
  const Elasticity elasticity(patch.elements, patch.materials, 4);
  const Material& m = patch.materials[0];
  for (unsigned seed = 0; seed < 4; ++seed) {
    const VecX n = patch.nodes(seed);
    double expected = 0;
    for (const Triangle& t : patch.triangles) {
      const auto side = [&](size_t k, bool is_rest) -> Eigen::Vector2d {
        const auto at = [&](size_t c) -> Vec3 {
          return is_rest ? patch.rest[static_cast<size_t>(t[c])] : Vec3(n.segment<3>(3 * t[c]));
        };
        return (at(k) - at(0)).head<2>();
      };
      Eigen::Matrix2d X, x;
      X << side(1, true), side(2, true);
      x << side(1, false), side(2, false);
      const Eigen::Matrix2d F = x * X.inverse();
      const double J = F.determinant();
      expected += 0.5 * X.determinant() *
                  (m.lame_mu / 2 * (F.squaredNorm() - 2) - m.lame_mu * std::log(J) +
                   m.lame_lambda / 2 * std::log(J) * std::log(J));
    }
    EXPECT_NEAR(elasticity.compute_value(n), expected, 1e-12 * std::abs(expected));
  }
}

// A slab of tets 1 m deep, moved alike in all its layers, has the same energy and the same forces.
TEST(PlaneStrain, is_a_slab_of_tets_that_is_held_along_z) {
  for (const MaterialModel model : kPlaneModels) {
    PlanePatch patch(model);
    Points rest = patch.rest;
    for (const Vec3& p : patch.rest) rest.push_back(p + Vec3(0, 0, 1));
    std::vector<Tet> tets;
    for (const auto& [a, b, c] : patch.triangles) {
      tets.push_back({a, b, c, a + 4});
      tets.push_back({b, c, a + 4, b + 4});
      tets.push_back({c, a + 4, b + 4, c + 4});
    }
    for (Tet& t : tets) {
      const auto at = [&](size_t k) -> const Vec3& { return rest[static_cast<size_t>(t[k])]; };
      if ((at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0)) < 0) std::swap(t[0], t[1]);
    }
    Elements slab;
    add_tet_elements(rest, tets, build_identity(8), 0, 0, slab);
    Elasticity flat(patch.elements, patch.materials, 4), deep(slab, patch.materials, 8);
    const VecX n = patch.nodes(3);
    VecX m(24);
    m << n, n;
    for (Index i = 4; i < 8; ++i) m[3 * i + 2] = 1;
    EXPECT_NEAR(deep.compute_value(m), flat.compute_value(n), 1e-12 * flat.compute_value(n));
    const VecX of_flat = battery::gradient_of(flat, n), of_deep = battery::gradient_of(deep, m);
    for (Index i = 0; i < 4; ++i) {
      const Vec3 sum = of_deep.segment<3>(3 * i) + of_deep.segment<3>(3 * (i + 4));
      EXPECT_NEAR((sum - of_flat.segment<3>(3 * i)).head<2>().norm(), 0, 1e-11 * of_flat.norm());
    }
  }
}

TEST(PlaneStrain, no_triangle_turns_over_in_a_step) {
  PlanePatch patch(MaterialModel::StableNeoHookean);
  const Elasticity elasticity(patch.elements, patch.materials, 4);
  const VecX n = patch.nodes(1);
  VecX direction = VecX::Zero(12);
  direction.segment<3>(3) = Vec3(-5, 3, 0);  // a corner far across the opposite side
  const StepLimit limit = elasticity.compute_step_limit({n, direction, {}});
  EXPECT_EQ(limit.cause, LimitCause::Inversion);
  const VecX end = n + limit.alpha * direction;
  for (size_t e = 0; e < 2; ++e) {
    EXPECT_GT(compute_deformation_gradient(patch.elements, e, end).determinant(), 0);
  }
}

}  // namespace
}  // namespace marrow
