// Shells and wires: the battery, invariance, and energies against closed forms.
#include <numbers>

#include "kinematics/body.h"
#include "potential_battery.h"
#include "potentials/elastic/elastic_terms.h"
#include "potentials/elastic/elasticity.h"
#include "potentials/elastic/shell_bending.h"
#include "potentials/elastic/wire_bending.h"
#include "potentials/materials/thin_materials.h"
#include "thin_meshes.h"

namespace marrow {
namespace {

using battery::random_vector;

constexpr double kThickness = 0.05;

struct ThinBody {
  Kinematics kinematics;
  std::vector<Material> materials;
  VecX nodes;

  explicit ThinBody(const Mesh& mesh, double poissons_ratio = 0.3) {
    materials.push_back(make_material(MaterialModel::NeoHookean, 1e6, poissons_ratio));
    const Points points = add_soft_body("thin", mesh, 1000, MassKind::Lumped, 0, kinematics, kThickness);
    nodes.resize(3 * static_cast<Index>(points.size()));
    for (size_t i = 0; i < points.size(); ++i) nodes.segment<3>(3 * static_cast<Index>(i)) = points[i];
  }
  Index size() const { return static_cast<Index>(nodes.size()); }

  // Moves every node.
  template <class Map>
  VecX moved(const Map& map) const {
    VecX n = nodes;
    for (Index i = 0; i < size(); i += 3) n.segment<3>(i) = map(Vec3(nodes.segment<3>(i)));
    return n;
  }
};

// Gauss–Newton is not above the true Hessian, but it is positive semi-definite, symmetric, and exact at rest.
void check_gauss_newton(Potential& potential, const VecX& rest, const VecX& bent, double length) {
  battery::check_gradient(potential, bent, {0.1 * length, 1e-6});
  battery::check_threads(potential, bent);
  const MatX H = battery::hessian_of(potential, bent);
  EXPECT_LE((H - H.transpose()).norm(), 1e-13 * H.norm());
  EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatX>(H).eigenvalues().minCoeff(), -1e-12 * H.norm());
  const MatX exact = battery::difference_hessian(potential, rest, 1e-3 * length);
  EXPECT_LE((battery::hessian_of(potential, rest) - exact).norm(), 1e-5 * exact.norm());
}

}  // namespace

TEST(Thin, stretching_of_shells_passes_the_battery) {
  const ThinBody body(test::make_sheet(1, 0.6, 3, 2, true));
  Elasticity membrane(body.kinematics.membranes, body.materials, body.kinematics.node_count);
  battery::check_all(membrane, body.nodes + random_vector(body.size(), 0.02, 1), {0.05, 1e-6}, false);
  battery::check_all(membrane, body.nodes + random_vector(body.size(), 0.06, 2), {0.01, 1e-6}, false);
  battery::check_all(membrane, 1.05 * body.nodes, {0.1, 1e-6}, true);
}

TEST(Thin, stretching_of_wires_passes_the_battery) {
  const ThinBody body(test::make_arc(0.5, 8));
  Elasticity strands(body.kinematics.strands, body.materials, body.kinematics.node_count);
  battery::check_all(strands, body.nodes + random_vector(body.size(), 0.02, 1), {0.05, 1e-6}, false);
  battery::check_all(strands, 1.05 * body.nodes, {0.1, 1e-6}, true);
}

TEST(Thin, bending_of_shells_has_exact_gradients_and_psd_hessians) {
  const ThinBody flat(test::make_sheet(1, 0.6, 3, 2, true));
  ShellBending bending(flat.kinematics.shell_bends, flat.materials, flat.kinematics.node_count);
  check_gauss_newton(bending, flat.nodes, flat.nodes + random_vector(flat.size(), 0.03, 3), 0.1);

  // A shell that is bent at rest.
  Mesh mesh = test::make_sheet(1, 0.6, 3, 2);
  for (Vec3& x : mesh.points) x[1] = 0.5 * x[0] * x[0] - 0.3 * x[2] * x[0];
  const ThinBody bent(mesh);
  ShellBending curved(bent.kinematics.shell_bends, bent.materials, bent.kinematics.node_count);
  EXPECT_LE(curved.compute_value(bent.nodes), 1e-20);
  check_gauss_newton(curved, bent.nodes, bent.nodes + random_vector(bent.size(), 0.03, 4), 0.1);
}

TEST(Thin, bending_of_wires_has_exact_gradients_and_psd_hessians) {
  const ThinBody straight(test::make_wire(1, 5));
  WireBending bending(straight.kinematics.wire_bends, straight.materials, straight.kinematics.node_count);
  check_gauss_newton(bending, straight.nodes, straight.nodes + random_vector(straight.size(), 0.03, 3), 0.05);
  const ThinBody arc(test::make_arc(0.5, 6));
  WireBending curved(arc.kinematics.wire_bends, arc.materials, arc.kinematics.node_count);
  EXPECT_LE(curved.compute_value(arc.nodes), 1e-20);
  check_gauss_newton(curved, arc.nodes, arc.nodes + random_vector(arc.size(), 0.02, 4), 0.05);
  // Folded back on itself: infinite.
  VecX folded = straight.nodes;
  folded.segment<3>(6) = folded.segment<3>(0);
  EXPECT_TRUE(std::isinf(bending.compute_value(folded)));
}

TEST(Thin, rigid_motion_costs_nothing_and_forces_balance) {
  Mesh mesh = test::make_sheet(1, 0.6, 4, 3);
  const Index first = static_cast<Index>(mesh.points.size());
  for (int i = 0; i < 4; ++i) mesh.points.emplace_back(1 + 0.2 * (i + 1), 0.1 * i * i, 0.3);
  mesh.edges = {{first - 1, first}, {first, first + 1}, {first + 1, first + 2}, {first + 2, first + 3}};
  const ThinBody body(mesh);
  ElasticTerms terms(body.kinematics, body.materials);
  EXPECT_EQ(terms.list().size(), 4u);
  const Mat3 R = Eigen::AngleAxisd(2, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const VecX turned = body.moved([&](const Vec3& x) { return Vec3(R * x + Vec3(3, -2, 5)); });
  EXPECT_NEAR(compute_elastic_energy(body.kinematics, body.materials, turned), 0, 1e-9);
  const VecX bent = body.nodes + random_vector(body.size(), 0.03, 5);
  VecX force = VecX::Zero(body.size());
  terms.add_gradient(bent, 1, force);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  for (Index i = 0; i < force.size(); i += 3) {
    sum += force.segment<3>(i);
    torque += Vec3(bent.segment<3>(i)).cross(Vec3(force.segment<3>(i)));
  }
  EXPECT_LE(sum.norm(), 1e-9 * force.norm());
  EXPECT_LE(torque.norm(), 1e-9 * force.norm());
  // The free function sums the same.
  double total = 0;
  for (const auto& term : terms.list()) total += term->compute_value(bent);
  EXPECT_NEAR(compute_elastic_energy(body.kinematics, body.materials, bent), total, 1e-12 * total);
}

TEST(Thin, small_strains_follow_plane_stress_and_tension) {
  const ThinBody sheet(test::make_sheet(1, 0.6, 2, 2), 0.3);
  const double strain = 1e-5, E = 1e6, nu = 0.3, volume = 0.6 * kThickness;
  // Stretched along x with the width kept: ½ E/(1 − ν²) ε².
  const VecX wide = sheet.moved([&](const Vec3& x) { return Vec3(x[0] * (1 + strain), x[1], x[2]); });
  EXPECT_NEAR(compute_elastic_energy(sheet.kinematics.membranes, sheet.materials, wide),
              0.5 * E / (1 - nu * nu) * strain * strain * volume, 1e-4 * E * strain * strain * volume);
  // Free to shrink: ½ E ε².
  const VecX free =
      sheet.moved([&](const Vec3& x) { return Vec3(x[0] * (1 + strain), x[1], x[2] * (1 - nu * strain)); });
  EXPECT_NEAR(compute_elastic_energy(sheet.kinematics.membranes, sheet.materials, free),
              0.5 * E * strain * strain * volume, 1e-4 * E * strain * strain * volume);
  const ThinBody wire(test::make_wire(2, 4));
  const double section = std::numbers::pi / 4 * kThickness * kThickness;
  EXPECT_NEAR(compute_elastic_energy(wire.kinematics.strands, wire.materials, (1 + strain) * wire.nodes),
              0.5 * E * strain * strain * 2 * section, 1e-4 * E * strain * strain * section);
}

TEST(Thin, constant_curvature_costs_what_the_plate_theory_says) {
  // y = ½ (a x² + b z²) + c x z on a sheet; interior triangles carry ½ D ((a+b)² − 2 (1−ν)(ab − c²)) per
  // area.
  const double E = 1e6, nu = 0.3, D = E * std::pow(kThickness, 3) / (12 * (1 - nu * nu));
  const ThinBody sheet(test::make_sheet(1, 1, 10, 10), nu);
  for (const Vec3& k :
       {Vec3(1e-3, 0, 0), Vec3(0, 1e-3, 0), Vec3(1e-3, 1e-3, 0), Vec3(0, 0, 1e-3), Vec3(1e-3, -5e-4, 3e-4)}) {
    const VecX bent = sheet.moved([&](const Vec3& x) {
      return Vec3(x[0], 0.5 * (k[0] * x[0] * x[0] + k[1] * x[2] * x[2]) + k[2] * x[0] * x[2], x[2]);
    });
    // Only triangles with three hinges: the others adapt at their free edges.
    ShellBends inner;
    double area = 0;
    const ShellBends& all = sheet.kinematics.shell_bends;
    for (size_t t = 0; t < all.count(); ++t) {
      if (all.offsets[t + 1] - all.offsets[t] < 6) continue;
      inner.nodes.insert(inner.nodes.end(), all.nodes.begin() + all.offsets[t],
                         all.nodes.begin() + all.offsets[t + 1]);
      inner.offsets.push_back(static_cast<Index>(inner.nodes.size()));
      inner.far.push_back(all.far[t]);
      inner.rest_angles.push_back(all.rest_angles[t]);
      inner.curvatures.push_back(all.curvatures[t]);
      inner.areas.push_back(all.areas[t]);
      inner.thicknesses.push_back(all.thicknesses[t]);
      inner.materials.push_back(0);
      area += all.areas[t];
    }
    const double trace = k[0] + k[1], determinant = k[0] * k[1] - k[2] * k[2];
    const double expected = 0.5 * D * (trace * trace - 2 * (1 - nu) * determinant) * area;
    EXPECT_NEAR(compute_bending_energy(inner, sheet.materials, bent), expected, 1e-5 * expected);
  }
}

TEST(Thin, wire_in_a_circle_costs_what_the_beam_theory_says) {
  const int edges = 200;
  const double radius = 2, E = 1e6;
  const ThinBody wire(test::make_wire(1.5 * std::numbers::pi * radius, edges));
  const ThinBody arc(test::make_arc(radius, edges));
  const double inertia = std::numbers::pi / 64 * std::pow(kThickness, 4);
  const double bent_length = 1.5 * std::numbers::pi * radius * (edges - 1) / edges;
  EXPECT_NEAR(compute_bending_energy(wire.kinematics.wire_bends, wire.materials, arc.nodes),
              0.5 * E * inertia / (radius * radius) * bent_length, 1e-3 * E * inertia);
}

TEST(Thin, step_limit_keeps_a_tenth_of_area_and_length) {
  const ThinBody sheet(test::make_sheet(1, 1, 2, 2));
  Elasticity membrane(sheet.kinematics.membranes, sheet.materials, sheet.kinematics.node_count);
  // (1 − 2 α)² = 0.1: all triangles shrink to nothing half way.
  const StepLimit limit = membrane.compute_step_limit({sheet.nodes, -2 * sheet.nodes, {}});
  EXPECT_EQ(limit.cause, LimitCause::Inversion);
  EXPECT_NEAR(limit.alpha, 0.5 * (1 - std::sqrt(0.1)), 1e-5);
  // Turning a sheet over by half a turn in a straight line passes through a flat one; sliding does not.
  const VecX slide = Vec3(5, -3, 2).replicate(sheet.kinematics.node_count, 1);
  EXPECT_EQ(membrane.compute_step_limit({sheet.nodes, slide, {}}).alpha, 1);
  const ThinBody wire(test::make_wire(1, 3));
  Elasticity strands(wire.kinematics.strands, wire.materials, wire.kinematics.node_count);
  EXPECT_NEAR(strands.compute_step_limit({wire.nodes, -2 * wire.nodes, {}}).alpha, 0.45, 1e-5);
}

}  // namespace marrow
