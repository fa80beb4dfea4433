// The projective stepper: its minimum, its physics, what it holds, and that results are the same bits.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "built_scenes.h"
#include "exec/parallel.h"
#include "math/svd3.h"
#include "sim/projective/projected_body.h"
#include "sim/projective/projection.h"

namespace marrow {
namespace {

using test::build_text;
using test::get_mean;
using test::get_nodes;

// Alone in the world, without contact.
std::string beam(const std::string& more, const std::string& solver, double step, double duration,
                 const std::string& gravity = "[0, -9.81, 0]") {
  return fmt::format(R"({{
    "time": {{"step": {}, "duration": {}}}, "gravity": {}, "contact": {{"enabled": false}},
    "solver": {{"stepper": "projective", "projective": {{"contact": "detected", {}}}}},
    "bodies": [{{"kind": "soft", "shape": {{"type": "box", "size": [0.6, 0.1, 0.1], "cells_x": 12, "cells_y": 2,
                 "cells_z": 2}}, {}}}]}})",
                     step, duration, gravity, solver, more);
}

const char* const kHeld =
    R"("prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0.01, 1, 1]}}}])";

std::vector<StepReport> run_all(BuiltScene& built) {
  std::vector<StepReport> reports;
  RunHooks hooks;
  hooks.on_step = [&](const State&, const StepReport& report) { reports.push_back(report); };
  EXPECT_EQ(simulate(built.model, built.state, hooks).end, RunEnd::Finished);
  return reports;
}

double lowest(const BuiltScene& built) {
  double y = 1e9;
  for (Index i = 0; i < built.model.kinematics.node_count; ++i) y = std::min(y, built.state.nodes[3 * i + 1]);
  return y;
}

// E of one step over the tets, for finite differences.
double compute_step_energy(const Model& model, const VecX& prediction, const VecX& loads, double h,
                           double volume, const VecX& n) {
  VecX product;
  multiply(model.mass, n - prediction, product);
  double energy = 0.5 * (n - prediction).dot(product) + h * h * loads.dot(n);
  const Elements& elements = model.kinematics.elements;
  for (size_t e = 0; e < elements.count(); ++e) {
    const Material& material = model.materials[elements.materials[e]];
    energy += h * h *
              compute_projection_energy(compute_deformation_gradient(elements, e, n),
                                        {2 * material.lame_mu * elements.volumes[e],
                                         volume * 3 * material.lame_lambda * elements.volumes[e], 0},
                                        {});
  }
  return energy;
}

}  // namespace

// The gradient of the energy that the projections minimise vanishes where they end.
TEST(Projective, converged_iterations_end_at_a_stationary_point) {
  BuiltScene built = build_text(beam(kHeld, R"("iterations": 4000)", 0.02, 0.02));
  const Model& model = built.model;
  std::vector<char> is_fixed(static_cast<size_t>(model.kinematics.node_count), 0);
  for (const Index node : model.prescribed.at(0).nodes) is_fixed[static_cast<size_t>(node)] = 1;
  Projection projection(model);
  projection.prepare(is_fixed, 0.02);
  VecX n = built.state.nodes;
  // Stretched to twice its length: far from rest.
  VecX prediction = n;
  for (Index i = 0; i < model.kinematics.node_count; ++i) prediction[3 * i] *= 2;
  VecX loads;
  multiply(model.mass, Vec3(0, 9.81, 0).replicate(model.kinematics.node_count, 1), loads);
  const ProjectiveReport report = projection.solve(prediction, loads, {}, {}, n);
  EXPECT_LT(report.residual, 1e-3);
  const auto energy = [&](const VecX& at) {
    return compute_step_energy(model, prediction, loads, 0.02, 1, at);
  };
  const double e = 1e-5;
  double scale = 0, worst = 0;
  for (Index i = 0; i < n.size(); i += 7) {
    if (is_fixed[static_cast<size_t>(i / 3)] != 0) continue;
    VecX up = n, down = n, other = built.state.nodes;
    up[i] += e;
    down[i] -= e;
    worst = std::max(worst, std::abs(energy(up) - energy(down)) / (2 * e));
    other[i] += e;
    const double start = energy(other);
    other[i] -= 2 * e;
    scale = std::max(scale, std::abs(start - energy(other)) / (2 * e));
  }
  EXPECT_GT(scale, 0.01);
  EXPECT_LT(worst, 1e-5 * scale);
}

// Without volume change the energy is that of fixed_corotated: |F − R|² alone. Newton finds the same minimum.
TEST(Projective, converged_iterations_are_newtons_minimum_of_the_same_energy) {
  const std::string material = R"("material": {"model": "fixed_corotated", "poissons_ratio": 0}, )";
  const std::string text = beam(material + kHeld, R"("iterations": 3000)", 0.02, 0.1);
  BuiltScene projective = build_text(text);
  BuiltScene newton =
      build_text(text, {"solver.stepper=newton", "solver.projective.contact=certified",
                        "solver.projective.iterations=10", "solver.tolerance=1e-9", "solver.balance=1e-9"});
  run_all(projective);
  run_all(newton);
  const VecX difference = projective.state.nodes - newton.state.nodes;
  const VecX path = newton.state.nodes - newton.model.initial_nodes;
  EXPECT_GT(path.lpNorm<Eigen::Infinity>(), 0.02);
  EXPECT_LT(difference.lpNorm<Eigen::Infinity>(), 1e-6 * path.lpNorm<Eigen::Infinity>());
}

// Every global step keeps the momentum to rounding, whatever is left of the iterations.
TEST(Projective, momentum_is_that_of_free_fall_after_one_iteration) {
  BuiltScene built = build_text(
      beam(R"("velocity": [1, 2, 3], "angular_velocity": [0, 0, 5])", R"("iterations": 1)", 0.01, 0.2));
  const std::vector<StepReport> reports = run_all(built);
  const double mass = 1000 * 0.006;
  for (const StepReport& report : reports) {
    const Vec3 expected = mass * (Vec3(1, 2, 3) + report.time * Vec3(0, -9.81, 0));
    EXPECT_LT((report.momentum - expected).norm(), 1e-9 * expected.norm());
  }
}

// Implicit Euler loses rotation; what the minimum loses is what Newton loses, and iterations approach that.
TEST(Projective, rotation_approaches_newtons_as_iterations_grow) {
  const std::string more = R"("angular_velocity": [0, 0, 3],
                              "material": {"model": "fixed_corotated", "poissons_ratio": 0})";
  const auto turn = [&](const std::vector<std::string>& overrides) {
    BuiltScene built = build_text(beam(more, R"("iterations": 10)", 0.01, 0.2, "[0, 0, 0]"), overrides);
    return run_all(built).back().angular_momentum.z();
  };
  const double newton = turn({"solver.stepper=newton", "solver.projective.contact=certified"});
  const double few = std::abs(turn({"solver.projective.iterations=2"}) - newton);
  const double more_iterations = std::abs(turn({"solver.projective.iterations=20"}) - newton);
  const double many = std::abs(turn({"solver.projective.iterations=400"}) - newton);
  EXPECT_GT(few, 10 * more_iterations);
  // As far as Newton solves.
  EXPECT_LT(more_iterations, 1e-4 * newton);
  EXPECT_LT(many, 1e-4 * newton);
}

TEST(Projective, sag_of_a_cantilever_approaches_newtons) {
  const auto sag = [&](const std::vector<std::string>& overrides) {
    const std::string more =
        std::string(
            R"("material": {"youngs_modulus": 5e5, "poissons_ratio": 0.3, "model": "stable_neo_hookean"}, )") +
        kHeld;
    BuiltScene built = build_text(beam(more, R"("iterations": 10)", 0.05, 4), overrides);
    run_all(built);
    return -lowest(built);
  };
  const double newton = sag({"solver.stepper=newton", "solver.projective.contact=certified"});
  const double few = sag({"solver.projective.iterations=2"});
  const double many = sag({"solver.projective.iterations=200"});
  EXPECT_GT(newton, 0.1);  // of its length of 0.6 m, so that the beam turns
  EXPECT_NEAR(many, newton, 0.03 * newton);
  // With few of them it has not come to rest there yet.
  EXPECT_GT(std::abs(few - newton), 3 * std::abs(many - newton));
}

TEST(Projective, a_beam_swings_with_newtons_period) {
  const double h = 0.004;
  const std::string more =
      std::string(
          R"("material": {"youngs_modulus": 1e6, "poissons_ratio": 0, "model": "fixed_corotated"}, )") +
      kHeld;
  const auto period = [&](const std::vector<std::string>& overrides) {
    BuiltScene built = build_text(beam(more, R"("iterations": 50)", h, 1.2, "[0, -1, 0]"), overrides);
    std::vector<double> tip;
    RunHooks hooks;
    hooks.on_step = [&](const State& state, const StepReport&) { tip.push_back(state.nodes[3 * 12 + 1]); };
    simulate(built.model, built.state, hooks);
    // The first two times that it moves up fastest.
    std::vector<double> times;
    for (size_t i = 1; i + 2 < tip.size(); ++i) {
      const double before = tip[i] - tip[i - 1], now = tip[i + 1] - tip[i], after = tip[i + 2] - tip[i + 1];
      if (now > 0 && now >= before && now > after) times.push_back(h * static_cast<double>(i));
    }
    EXPECT_GE(times.size(), 2u);
    return times.size() < 2 ? 0.0 : times[1] - times[0];
  };
  const double newton = period(
      {"solver.stepper=newton", "solver.projective.contact=certified", "solver.projective.iterations=10"});
  // T = 2π/(1.8751² √(EI/ρA L⁴)); two linear tets across the beam bend too stiffly.
  const double closed = 2 * std::numbers::pi / (3.516 * std::sqrt(1e6 * 8.333e-6 / (10 * 0.1296)));
  EXPECT_LT(newton, closed);
  EXPECT_GT(newton, 0.7 * closed);
  EXPECT_NEAR(period({}), newton, 0.02 * newton);
}

TEST(Projective, volume_is_kept_by_its_weight) {
  const auto change = [&](double factor) {
    // Pulled to one and a half times its length.
    BuiltScene built =
        build_text(beam(std::string(R"("material": {"poissons_ratio": 0.45}, "prescribed": [
               {"select": {"relative_box": {"min": [0, 0, 0], "max": [0.01, 1, 1]}}},
               {"select": {"relative_box": {"min": [0.99, 0, 0], "max": [1, 1, 1]}}, "velocity": [0.3, 0, 0]}])"),
                        fmt::format(R"("iterations": 300, "volume": {})", factor), 0.05, 1, "[0, 0, 0]"));
    run_all(built);
    const Elements& elements = built.model.kinematics.elements;
    double volume = 0, rest = 0;
    for (size_t e = 0; e < elements.count(); ++e) {
      rest += elements.volumes[e];
      volume +=
          elements.volumes[e] * compute_deformation_gradient(elements, e, built.state.nodes).determinant();
    }
    return std::abs(volume / rest - 1);
  };
  const double without = change(0), with = change(1);
  EXPECT_GT(without, 0.3);  // shape alone does not shrink across
  EXPECT_LT(with, 0.08);
  EXPECT_LT(change(10), 0.5 * with);
}

TEST(Projective, strain_limits_hold) {
  const auto longest = [&](const std::string& limits) {
    BuiltScene built = build_text(beam(std::string(R"("material": {"youngs_modulus": 2e4}, )") + kHeld,
                                       R"("iterations": 100)" + limits, 0.02, 0.6, "[60, 0, 0]"));
    run_all(built);
    double most = 0;
    const Elements& elements = built.model.kinematics.elements;
    for (size_t e = 0; e < elements.count(); ++e) {
      most = std::max(most, compute_svd3(compute_deformation_gradient(elements, e, built.state.nodes)).s[0]);
    }
    return most;
  };
  const double free = longest("");
  EXPECT_GT(free, 1.5);
  EXPECT_LT(longest(R"(, "most_stretch": 1.1, "limit_stiffness": 100)"), 1.15);
}

// Two beams hang from each other and from the world.
TEST(Projective, ball_joints_are_attachments) {
  const std::string text = R"({
    "time": {"step": 0.01, "duration": 1}, "contact": {"enabled": false},
    "solver": {"stepper": "projective", "projective": {"contact": "detected", "iterations": 20}},
    "bodies": [
      {"name": "upper", "kind": "soft", "position": [0, 0, 0],
       "shape": {"type": "box", "size": [0.1, 0.4, 0.1], "cells_x": 2, "cells_y": 6, "cells_z": 2}},
      {"name": "lower", "kind": "soft", "position": [0, -0.41, 0],
       "shape": {"type": "box", "size": [0.1, 0.4, 0.1], "cells_x": 2, "cells_y": 6, "cells_z": 2}}],
    "joints": [
      {"type": "ball", "a": "upper", "b": "world", "at": [0, 0.2, 0]},
      {"type": "ball", "a": "upper", "b": "lower", "at": [0, -0.205, 0]}]})";
  BuiltScene built = build_text(text);
  run_all(built);
  for (const Joint& joint : built.model.joints) {
    for (const WeightedPoint& z : joint.vanishing)
      EXPECT_LT(z.at(built.state.nodes).norm(), 0.02) << joint.name;
  }
  // Nothing has fallen.
  EXPECT_NEAR(get_mean(built.model, built.state.nodes, 1).y(), -0.41, 0.08);
}

TEST(Projective, residual_ends_iterations_early) {
  const auto iterations = [&](double residual) {
    BuiltScene built =
        build_text(beam(kHeld, fmt::format(R"("iterations": 500, "residual": {})", residual), 0.01, 0.1));
    int sum = 0;
    for (const StepReport& report : run_all(built)) {
      sum += report.projective.iterations;
      EXPECT_LE(report.projective.residual, std::max(residual, 1e-300) * 9.81 * 100);
    }
    return sum;
  };
  const int loose = iterations(0.1), tight = iterations(0.001);
  EXPECT_LT(loose, tight);
  EXPECT_LT(tight, 5000);
}

TEST(Projective, hyper_is_near_semi_and_nearer_with_more_samples) {
  const auto end = [&](const std::string& local) {
    BuiltScene built = build_text(beam(kHeld, R"("iterations": 30, )" + local, 0.02, 0.4));
    run_all(built);
    return built.state.nodes;
  };
  const VecX semi = end(R"("local": "semi")");
  EXPECT_EQ(semi, end(R"("local": "full")"));
  EXPECT_EQ(semi, end(R"("local": "hyper", "samples": 100000)"));
  const double few = (end(R"("local": "hyper", "samples": 60)") - semi).lpNorm<Eigen::Infinity>();
  const double many = (end(R"("local": "hyper", "samples": 200)") - semi).lpNorm<Eigen::Infinity>();
  EXPECT_LT(many, few);
  EXPECT_GT(many, 0);
}

namespace {

const char* const kTwoFall = R"({
  "time": {"step": 0.0166, "duration": 0.5}, "contact": {"friction": 0.3},
  "solver": {"stepper": "projective", "projective": {"contact": "detected", "iterations": 8}},
  "bodies": [
    {"kind": "soft", "shape": {"type": "box", "size": [0.4, 0.4, 0.4], "cells_x": 5, "cells_y": 5, "cells_z": 5},
     "position": [0, 0.35, 0], "rotation": [0, 20, 10]},
    {"kind": "medial", "handles": 6, "cells": 8, "weight_threshold": 0.01,
     "shape": {"type": "rod", "length": 0.6, "radius": 0.1, "resolution": 2, "segments": 8},
     "position": [0, 0.8, 0], "material": {"youngs_modulus": 5e4}},
    {"kind": "obstacle", "shape": {"type": "box", "size": [2, 0.2, 2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
     "position": [0, -0.1, 0]}]})";

}  // namespace

TEST(Projective, same_bits_on_one_two_and_three_threads_and_when_resumed) {
  for (const char* contact : {"detected", "certified"}) {
    const std::vector<std::string> overrides = {std::string("solver.projective.contact=") + contact,
                                                "time.duration=0.3"};
    std::vector<VecX> ends;
    for (const int threads : {1, 2, 3}) {
      exec::set_thread_count(threads);
      BuiltScene built = build_text(kTwoFall, overrides);
      run_all(built);
      ends.push_back(built.state.nodes);
    }
    exec::set_thread_count(0);
    EXPECT_EQ(ends[0], ends[1]) << contact;
    EXPECT_EQ(ends[0], ends[2]) << contact;
    BuiltScene first = build_text(kTwoFall, overrides);
    first.model.time.duration = 0.2;
    run_all(first);
    BuiltScene second = build_text(kTwoFall, overrides);
    second.state = first.state;
    run_all(second);
    EXPECT_EQ(ends[0], second.state.nodes) << contact;
  }
}

TEST(Projective, detected_contact_holds_bodies_up_and_says_how_deep_they_are) {
  BuiltScene built = build_text(kTwoFall, {"time.duration=1.5"});
  const std::vector<StepReport> reports = run_all(built);
  EXPECT_GT(get_mean(built.model, built.state.nodes, 0).y(), 0.15);
  EXPECT_GT(get_mean(built.model, built.state.nodes, 1).y(), 0.07);  // it rolls off the box
  double deepest = 0;
  for (const StepReport& report : reports) {
    deepest = std::max(deepest, report.projective.penetration);
    EXPECT_TRUE(report.projective.is_unguarded);
  }
  EXPECT_GT(deepest, 0);
  EXPECT_LT(deepest, 0.05);
}

TEST(Projective, certified_ends_where_newton_ends) {
  const std::vector<std::string> certified = {"solver.projective.contact=certified", "time.duration=0.3"};
  BuiltScene projective = build_text(kTwoFall, certified);
  BuiltScene newton = build_text(kTwoFall, {"solver.projective.contact=certified", "time.duration=0.3",
                                            "solver.projective.iterations=10", "solver.stepper=newton"});
  run_all(projective);
  run_all(newton);
  for (const size_t body : {0, 1}) {
    const Vec3 a = get_mean(projective.model, projective.state.nodes, body);
    const Vec3 b = get_mean(newton.model, newton.state.nodes, body);
    EXPECT_LT((a - b).norm(), 2e-3) << body;
  }
}

}  // namespace marrow
