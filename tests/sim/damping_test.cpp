// Damped vibration against theory: a mode of frequency ω loses energy as exp(−β ω² t).
#include <gtest/gtest.h>

#include <numbers>

#include "scenes.h"

namespace marrow {
namespace {

using test::run_all;
using test::SmallRun;

constexpr double kYoung = 1e6, kMass = 0.5;

// Two points joined by a wire of length 1 and section 1e-4 m², slightly stretched: ω² = 2 k/m.
SmallRun make_oscillator(double damping, double h, double duration) {
  SmallRun run;
  Model& model = run.model;
  model.contact.is_enabled = false;
  model.materials.push_back(make_material(MaterialModel::NeoHookean, kYoung, 0.3));
  model.materials[0].damping = damping;
  Mesh mesh;
  mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
  mesh.edges = {{0, 1}};
  const double diameter = std::sqrt(4e-4 / std::numbers::pi);
  add_soft_body("wire", mesh, 2 * kMass / 1e-4, MassKind::Lumped, 0, model.kinematics, diameter);
  model.mass = model.kinematics.bodies[0].mass;
  model.time.step = h;
  model.time.duration = duration;
  model.newton.tolerance = 1e-10;
  model.size = 1;
  run.state.nodes.resize(6);
  run.state.nodes << 0, 0, 0, 1.0002, 0, 0;
  run.state.velocities = Vec3(0.3, -0.2, 0.1).replicate(2, 1);
  run.initial = run.model.initial_nodes = run.state.nodes;
  return run;
}

double compute_vibration_energy(const SmallRun& run) {
  const Energies energies = compute_energies(run.model, run.state);
  return energies.kinetic + energies.elastic - kMass * 0.14;  // less that of the centre: ½ 2 m |v|²
}

}  // namespace

TEST(Damping, newmark_loses_what_the_theory_says) {
  const double omega2 = 2 * kYoung * 1e-4 / kMass, period = 2 * std::numbers::pi / std::sqrt(omega2);
  for (const double damping : {1e-4, 1e-3}) {
    SmallRun run = make_oscillator(damping, period / 100, 3 * period);
    run.model.time.integrator = Integrator::Newmark;
    const double before = compute_vibration_energy(run);
    const Vec3 momentum = compute_momentum(run.model, run.state);
    run_all(run);
    EXPECT_EQ(run.state.step, 300);
    const double rate = -std::log(compute_vibration_energy(run) / before) / run.state.time;
    EXPECT_NEAR(rate / (damping * omega2), 1, 0.03);
    EXPECT_LE((compute_momentum(run.model, run.state) - momentum).norm(), 1e-8 * momentum.norm());
  }
}

TEST(Damping, implicit_euler_loses_by_both) {
  // Exactly by 1 + β ω² h + ω² h² a step, for small vibrations.
  const double omega2 = 2 * kYoung * 1e-4 / kMass, period = 2 * std::numbers::pi / std::sqrt(omega2);
  const double damping = 1e-3, h = period / 200;
  SmallRun run = make_oscillator(damping, h, 2 * period);
  const double before = compute_vibration_energy(run);
  run_all(run);
  const double loss = std::log(compute_vibration_energy(run) / before) / run.state.step;
  EXPECT_NEAR(loss / -std::log(1 + damping * omega2 * h + omega2 * h * h), 1, 0.03);
}

TEST(Damping, a_damped_jelly_comes_to_rest_sooner_and_keeps_momentum) {
  const auto kinetic_after = [](double damping) {
    test::BodySpec spec;
    spec.velocity = Vec3(1, 0, 0);
    SmallRun run = test::make_run(spec, 0.005, 0.3);
    run.model.materials[0].damping = damping;
    for (Index i = 0; i < run.state.nodes.size(); i += 3) run.state.nodes[i] *= 1.1;
    run.model.newton.tolerance = 1e-7;
    const Vec3 momentum = compute_momentum(run.model, run.state);
    run_all(run);
    EXPECT_EQ(run.state.step, 60);
    EXPECT_LE((compute_momentum(run.model, run.state) - momentum).norm(), 1e-6 * momentum.norm());
    const Energies energies = compute_energies(run.model, run.state);
    return energies.kinetic + energies.elastic - 500;
  };
  EXPECT_LT(kinetic_after(0.02), 0.2 * kinetic_after(0));
}

}  // namespace marrow
