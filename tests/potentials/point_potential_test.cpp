// Energies of others over points: the battery, on soft and affine bodies, and what is not allowed.
#include "potentials/point_potential.h"

#include "kinematics/elements/mass_properties.h"
#include "mesh/shapes.h"
#include "mesh/surface.h"
#include "potential_battery.h"

namespace marrow {
namespace {

// (|x₀ − x₁|² − l²)² / 4: not convex where the points are near.
double evaluate_link(std::span<const Vec3> x, double length, std::span<Vec3> gradient,
                     Eigen::Ref<MatX> hessian) {
  const Vec3 d = x[0] - x[1];
  const double excess = d.squaredNorm() - length * length;
  if (!gradient.empty()) {
    gradient[0] = excess * d;
    gradient[1] = -gradient[0];
  }
  if (hessian.size() > 0) {
    const Mat3 block = excess * Mat3::Identity() + 2 * d * d.transpose();
    hessian << block, -block, -block, block;
  }
  return 0.25 * excess * excess;
}

PointPotential make_links(const Kinematics& kinematics, double length) {
  return {kinematics,
          {{0, 5}, {2, 7}, {1, 6}},
          [length](size_t, std::span<const Vec3> x, std::span<Vec3> gradient, Eigen::Ref<MatX> hessian) {
            return evaluate_link(x, length, gradient, hessian);
          }};
}

BoxShape make_box() {
  BoxShape box;
  box.cells_x = box.cells_y = box.cells_z = 1;
  return box;
}

VecX join(const Points& points) {
  VecX n(3 * static_cast<Index>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) n.segment<3>(3 * static_cast<Index>(i)) = points[i];
  return n;
}

}  // namespace

TEST(PointPotential, passes_the_battery_on_a_soft_body) {
  Kinematics kinematics;
  VecX n = join(add_soft_body("box", build_shape(make_box()), 1000, MassKind::Lumped, 0, kinematics));
  n += battery::random_vector(static_cast<Index>(n.size()), 0.05, 3);
  PointPotential stretched = make_links(kinematics, 0.2);
  battery::check_all(stretched, n, {1, 1e-7}, true);
  PointPotential pressed = make_links(kinematics, 5);
  battery::check_all(pressed, n, {1, 1e-7}, false);
}

TEST(PointPotential, passes_the_battery_on_an_affine_body) {
  Kinematics kinematics;
  Mesh box = build_shape(make_box());
  box.triangles = extract_surface(box.tets);
  VecX n = join(add_affine_body("box", box, compute_mass_properties(box, 1000, 0), 0, kinematics));
  n += battery::random_vector(static_cast<Index>(n.size()), 0.05, 4);
  PointPotential links = make_links(kinematics, 0.2);
  battery::check_gradient(links, n, {1, 1e-7});
  battery::check_hessian(links, n, {1, 1e-7}, true);
}

TEST(PointPotential, an_infinite_energy_is_passed_on) {
  Kinematics kinematics;
  add_soft_body("box", build_shape(make_box()), 1000, MassKind::Lumped, 0, kinematics);
  const PointPotential forbidden(
      kinematics, {{0}}, [](size_t, auto, auto, auto) { return std::numeric_limits<double>::infinity(); });
  EXPECT_EQ(forbidden.compute_value(VecX::Zero(3 * kinematics.node_count)),
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(forbidden.compute_magnitude(VecX::Zero(3 * kinematics.node_count)), 0);
}

}  // namespace marrow
