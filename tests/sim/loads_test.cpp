// Forces, pressure and released points in the time step.
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/surface.h"
#include "scenes.h"

namespace marrow {
namespace {

using test::BodySpec;
using test::make_run;
using test::prescribe;
using test::run_all;
using test::SmallRun;

NodalLoad accelerate_all(const SmallRun& run, const VectorExpression& value) {
  NodalLoad load;
  for (Index i = 0; i < run.model.mass.rows(); ++i) {
    load.nodes.push_back(i);
    load.weights.push_back(run.model.mass.values[i]);
  }
  load.value = value;
  return load;
}

}  // namespace

TEST(Loads, an_acceleration_that_grows_moves_the_body_as_implicit_euler_says) {
  SmallRun run = make_run({}, 0.01, 0.2);
  run.model.contact.is_enabled = false;
  run.model.loads = {accelerate_all(run, VectorExpression(Expression("6*t"), Expression(0), Expression(0)))};
  run_all(run);
  // v_k = v_{k−1} + h · 6 k h, x_k = x_{k−1} + h v_k.
  double v = 0, x = 0;
  for (int k = 1; k <= 20; ++k) {
    v += 0.01 * 6 * (0.01 * k);
    x += 0.01 * v;
  }
  for (Index i = 0; i < run.initial.size(); i += 3) {
    EXPECT_LE((run.state.nodes.segment<3>(i) - run.initial.segment<3>(i) - Vec3(x, 0, 0)).norm(), 1e-10);
  }
}

TEST(Loads, pressure_blows_a_ball_up_against_its_stiffness) {
  // Small strain: a solid under −p on its surface grows by the volume strain p/K, K the bulk modulus.
  BodySpec spec;
  spec.shape = SphereShape{};
  spec.youngs_modulus = 1e6;
  spec.poissons_ratio = 0.3;
  SmallRun run = make_run(spec, 0.05, 2);
  run.model.contact.is_enabled = false;
  Body& body = run.model.kinematics.bodies[0];
  body.rest.triangles = extract_surface(body.rest.tets);
  const double p = 1e3;
  run.model.pressures = {{0, Expression(p)}};
  run_all(run);
  const auto volume = [&](const VecX& n) {
    double sum = 0;
    for (const Triangle& t : body.rest.triangles) {
      sum +=
          Vec3(n.segment<3>(3 * t[0])).dot(Vec3(n.segment<3>(3 * t[1])).cross(Vec3(n.segment<3>(3 * t[2])))) /
          6;
    }
    return sum;
  };
  const double strain = volume(run.state.nodes) / volume(run.initial) - 1;
  const double bulk = 1e6 / (3 * (1 - 2 * 0.3));
  EXPECT_NEAR(strain / (p / bulk), 1, 0.01);
}

TEST(Loads, released_points_fall) {
  SmallRun run = make_run({}, 0.01, 0.4);
  run.model.contact.is_enabled = false;
  run.model.gravity = Vec3(0, -10, 0);
  prescribe(run, [](const Vec3&) { return true; });
  run.model.prescribed[0].release = 0.2;
  run_all(run);
  // Held for 20 steps, then 20 steps of free fall.
  const double fallen = 10 * 0.01 * 0.01 * 20 * 21 / 2;
  for (Index i = 0; i < run.initial.size(); i += 3) {
    EXPECT_NEAR(run.initial[i + 1] - run.state.nodes[i + 1], fallen, 1e-9);
  }
}

}  // namespace marrow
