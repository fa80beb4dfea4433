// Shells and wires at rest under their weight, against the theory of beams and chains.
#include <gtest/gtest.h>

#include <numbers>

#include "potentials/thin_meshes.h"
#include "scenes.h"

namespace marrow {
namespace {

using test::prescribe;
using test::run_all;
using test::SmallRun;

struct ThinSpec {
  double youngs_modulus = 1e7;
  double poissons_ratio = 0.3;
  double thickness = 0.01;
  double step = 1;
  double duration = 1;
};

SmallRun make_thin_run(const Mesh& mesh, const ThinSpec& spec) {
  SmallRun run;
  Model& model = run.model;
  model.contact.is_enabled = false;
  model.materials.push_back(
      make_material(MaterialModel::NeoHookean, spec.youngs_modulus, spec.poissons_ratio));
  const Points points =
      add_soft_body("thin", mesh, 1000, MassKind::Lumped, 0, model.kinematics, spec.thickness);
  model.mass = model.kinematics.bodies[0].mass;
  model.time.step = spec.step;
  model.time.duration = spec.duration;
  run.state.nodes.resize(3 * model.kinematics.node_count);
  for (size_t i = 0; i < points.size(); ++i) {
    run.state.nodes.segment<3>(3 * static_cast<Index>(i)) = points[i];
  }
  run.state.velocities = VecX::Zero(3 * model.kinematics.node_count);
  run.initial = run.model.initial_nodes = run.state.nodes;
  return run;
}

// How far the far end of a clamped beam along x has sunk.
double compute_tip_deflection(const SmallRun& run, double length) {
  double sum = 0;
  int count = 0;
  for (Index i = 0; i < run.initial.size(); i += 3) {
    if (run.initial[i] < length - 1e-9) continue;
    sum += run.initial[i + 1] - run.state.nodes[i + 1];
    ++count;
  }
  return sum / count;
}

}  // namespace

TEST(Thin, clamped_strip_sinks_like_an_euler_bernoulli_beam) {
  // Narrow: E h³/12 per width. The clamp holds two rows of points and acts half a cell before the second.
  const int cells = 40;
  for (const bool is_alternating : {false, true}) {
    ThinSpec spec;
    SmallRun run = make_thin_run(test::make_sheet(1, 0.05, cells, 2, is_alternating), spec);
    run.model.time.integrator = Integrator::QuasiStatic;
    run.model.gravity = Vec3(0, -0.002, 0);
    run.model.newton.tolerance = 1e-7;
    prescribe(run, [&](const Vec3& X) { return X[0] < 1.01 / cells; });
    run_all(run);
    ASSERT_EQ(run.state.step, 1);
    const double length = 1 - 0.5 / cells, h = spec.thickness;
    const double expected =
        1000 * 0.002 * h * std::pow(length, 4) / (8 * spec.youngs_modulus * h * h * h / 12);
    EXPECT_NEAR(compute_tip_deflection(run, 1) / expected, 1, 0.03);
  }
}

TEST(Thin, clamped_wire_sinks_like_an_euler_bernoulli_beam) {
  const int edges = 50;
  ThinSpec spec;
  SmallRun run = make_thin_run(test::make_wire(1, edges), spec);
  run.model.time.integrator = Integrator::QuasiStatic;
  run.model.gravity = Vec3(0, -0.002, 0);
  run.model.newton.tolerance = 1e-7;
  prescribe(run, [&](const Vec3& X) { return X[0] < 1.01 / edges; });
  run_all(run);
  ASSERT_EQ(run.state.step, 1);
  const double length = 1 - 0.5 / edges, d = spec.thickness;
  // Section over inertia of a round wire: 16/d².
  const double expected = 1000 * 0.002 * std::pow(length, 4) / 8 * 16 / (d * d) / spec.youngs_modulus;
  EXPECT_NEAR(compute_tip_deflection(run, 1) / expected, 1, 0.01);
}

TEST(Thin, slack_wire_hangs_in_a_catenary) {
  // A wire of length 1.2 between ends 1 apart, made as a V; so thin that bending does not matter.
  const int edges = 40;
  const double length = 1.2;
  Mesh mesh = test::make_wire(1, edges);
  for (Vec3& x : mesh.points) x[1] = -std::sqrt(0.36 - 0.25) * (1 - std::abs(2 * x[0] - 1));
  SmallRun run = make_thin_run(mesh, {.youngs_modulus = 1e8, .thickness = 5e-5, .step = 0.1, .duration = 10});
  run.model.gravity = Vec3(0, -9.81, 0);
  run.model.newton.tolerance = 1e-6;
  run.model.size = 1;
  prescribe(run, [&](const Vec3& X) { return X[0] < 1e-9 || X[0] > 1 - 1e-9; });
  run_all(run);
  ASSERT_EQ(run.state.step, 100);
  // 2 a sinh(1/(2a)) = length, by bisection.
  double low = 0.1, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(0.5 / a) > length ? low : high) = a;
  }
  for (Index i = 0; i < run.state.nodes.size(); i += 3) {
    const double x = run.state.nodes[i], y = run.state.nodes[i + 1];
    EXPECT_NEAR(y, low * (std::cosh((x - 0.5) / low) - std::cosh(0.5 / low)), 0.005) << x;
  }
}

TEST(Thin, spinning_sheet_with_wire_and_points_keeps_momentum) {
  Mesh mesh = test::make_sheet(1, 0.6, 4, 3);
  const Index first = static_cast<Index>(mesh.points.size());
  for (int i = 0; i < 4; ++i) mesh.points.emplace_back(1 + 0.2 * (i + 1), 0.1 * i * i, 0.3);
  mesh.edges = {{first - 1, first}, {first, first + 1}, {first + 1, first + 2}};
  SmallRun run = make_thin_run(mesh, {.youngs_modulus = 1e5, .step = 0.01, .duration = 0.3});
  run.model.newton.tolerance = 1e-7;
  for (Index i = 0; i < run.initial.size(); i += 3) {
    run.state.velocities.segment<3>(i) = Vec3(1, 2, 3) + Vec3(3, 1, 4).cross(Vec3(run.initial.segment<3>(i)));
  }
  const Vec3 momentum = compute_momentum(run.model, run.state);
  const Energies start = compute_energies(run.model, run.state);
  double last = start.kinetic + start.elastic;
  for (const StepReport& report : run_all(run)) {
    EXPECT_LE((report.momentum - momentum).norm(), 1e-6 * momentum.norm());
    const double energy = report.energies.kinetic + report.energies.elastic;
    EXPECT_LE(energy, last * (1 + 1e-9));
    last = energy;
  }
  ASSERT_EQ(run.state.step, 30);
  // The loose point flies on undisturbed.
  const Index loose = 3 * (first + 3);
  const Vec3 velocity = Vec3(1, 2, 3) + Vec3(3, 1, 4).cross(Vec3(run.initial.segment<3>(loose)));
  EXPECT_LE((run.state.nodes.segment<3>(loose) - run.initial.segment<3>(loose) - 0.3 * velocity).norm(),
            1e-9);
}

}  // namespace marrow
