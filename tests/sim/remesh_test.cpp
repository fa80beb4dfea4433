#include "sim/remesh/remesher.h"

#include <gtest/gtest.h>

#include <cmath>

#include "built_scenes.h"
#include "exec/parallel.h"
#include "mesh/surface.h"
#include "sim/remesh/body_splits.h"
#include "sim/remesh/patch_solve.h"
#include "sim/step.h"

namespace marrow {
namespace {

using test::build_text;

const char* const kHeldBeam = R"({
  "time": {"step": 0.1, "duration": 0.2, "integrator": "quasi_static"},
  "solver": {"tolerance": 1e-6, "balance": 1e-6},
  "bodies": [{"shape": {"type": "box", "size": [2, 0.25, 0.25], "cells_x": 8, "cells_y": 1, "cells_z": 1},
    "material": {"density": 1000, "youngs_modulus": 2e7, "poissons_ratio": 0.3}, "remesh": {},
    "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}]}]})";

// Soft, turning and flying: everything that is conserved is there.
const char* const kThrownBar = R"({
  "time": {"step": 0.01, "duration": 0.1}, "gravity": [0, 0, 0],
  "solver": {"tolerance": 1e-6, "balance": 1e-7},
  "bodies": [{"shape": {"type": "box", "size": [1, 0.3, 0.3], "cells_x": 4, "cells_y": 2, "cells_z": 2},
    "material": {"density": 1000, "youngs_modulus": 2e4, "poissons_ratio": 0.4}, "remesh": {},
    "velocity": [1, 2, 3], "angular_velocity": [0, 12, 5]}]})";

// A ball falls on a spike.
const char* const kBallOnSpike = R"({
  "time": {"step": 0.01, "duration": 0.12}, "contact": {"d_hat": 2e-3, "friction": 0.2},
  "bodies": [{"shape": {"type": "sphere", "radius": 0.2, "resolution": 2}, "position": [0.03, 0.43, 0.02],
    "material": {"density": 1000, "youngs_modulus": 2e4, "poissons_ratio": 0.4}, "remesh": {},
    "velocity": [0, -2, 0]},
   {"kind": "obstacle", "shape": {"type": "spike", "width": 0.2, "height": 0.2}}]})";

struct RemeshRun {
  std::unique_ptr<BuiltScene> built;
  State state;
  std::vector<StepReport> reports;
  std::vector<double> masses;  // after each step
};

RemeshRun run_remeshed(const char* text, const std::vector<std::string>& overrides = {}, int most = 1000,
                       const State* from = nullptr) {
  RemeshRun out;
  out.built = std::make_unique<BuiltScene>(build_text(text, overrides));
  out.state = from != nullptr ? *from : out.built->state;
  Model& model = out.built->model;
  Remesher remesher(model, out.state, {});
  RunHooks hooks;
  hooks.take_step = [&](StepMaker& maker, State& state) { return remesher.take_step(maker, state); };
  hooks.on_step = [&](const State&, const StepReport& report) {
    out.reports.push_back(report);
    double mass = 0;
    for (const double m : model.mass.values) mass += m;
    out.masses.push_back(mass);
  };
  hooks.is_stop_requested = [&] { return static_cast<int>(out.reports.size()) >= most; };
  simulate(model, out.state, hooks);
  return out;
}

int count_splits(const RemeshRun& done) {
  int splits = 0;
  for (const StepReport& report : done.reports) splits += report.remesh.splits;
  return splits;
}

// The energy that the equilibrium of a body under its weight makes small.
double compute_potential_energy(const RemeshRun& done) {
  const Energies& energies = done.reports.back().energies;
  return energies.elastic + energies.gravity;
}

TEST(Remesh, bounds_enclose_the_gain_of_every_edge) {
  BuiltScene built = build_text(kHeldBeam);
  Model& model = built.model;
  StepTerms terms(model);
  State after = built.state;
  ASSERT_TRUE(is_success(take_step(terms, after).newton.verdict));
  const StepPlan plan =
      find_integrator(model.time.integrator).plan(model, terms.is_prescribed, built.state, 0.1);
  const VecX contact = VecX::Zero(after.nodes.size());
  const SolvedStep step = {terms, plan, after.nodes, contact};
  const PatchSolver solver(step, model.remeshed[0], built.state, after);
  double largest = 0;
  std::vector<std::array<double, 3>> found;
  for (const SplitGain& gain : bound_split_gains(step, model.remeshed[0])) {
    if (gain.is_fixed) continue;
    found.push_back({gain.least, solver.solve(gain), gain.most});
    largest = std::max(largest, found.back()[1]);
  }
  ASSERT_GT(found.size(), 100U);
  ASSERT_GT(largest, 0);
  for (const auto& [least, gain, most] : found) {
    const double rounding = 1e-4 * largest;  // of a solve, and of the quadratic model
    EXPECT_LE(least, 1.02 * gain + rounding);
    EXPECT_LE(gain, 1.02 * most + rounding);
  }
}

// Gains are those of a beam under its weight: each round must lower the energy.
TEST(Remesh, splits_lower_the_energy_of_the_step) {
  const RemeshRun plain = run_remeshed(kHeldBeam, {"bodies[0].remesh.max_nodes=36"});
  EXPECT_EQ(count_splits(plain), 0);
  double before = compute_potential_energy(plain);
  for (const char* rounds :
       {"bodies[0].remesh.rounds=1", "bodies[0].remesh.rounds=2", "bodies[0].remesh.rounds=4"}) {
    const RemeshRun done = run_remeshed(kHeldBeam, {rounds}, 1);
    EXPECT_GT(count_splits(done), 5);
    EXPECT_LT(compute_potential_energy(done), before);
    before = compute_potential_energy(done);
  }
}

// The deflection of the free end against that of a much finer mesh.
TEST(Remesh, error_falls_with_the_gain_asked_for) {
  const auto find_tip = [](const RemeshRun& done) {
    const Model& model = done.built->model;
    double sum = 0;
    int count = 0;
    for (Index i = 0; i < model.kinematics.node_count; ++i) {
      if (model.initial_nodes[3 * i] < 1 - 1e-9) continue;
      sum += done.state.nodes[3 * i + 1] - model.initial_nodes[3 * i + 1];
      ++count;
    }
    return sum / count;
  };
  const double reference = find_tip(
      run_remeshed(kHeldBeam, {"bodies[0].refine=3", "bodies[0].remesh.max_nodes=4", "time.duration=0.1"}));
  const RemeshRun uniform =
      run_remeshed(kHeldBeam, {"bodies[0].refine=1", "bodies[0].remesh.max_nodes=4", "time.duration=0.1"});
  double error = std::abs(find_tip(run_remeshed(kHeldBeam, {"bodies[0].remesh.max_nodes=4"})) - reference);
  Index nodes = 0;
  for (const char* gain : {"bodies[0].remesh.gain_relative=1e-2", "bodies[0].remesh.gain_relative=1e-3",
                           "bodies[0].remesh.gain_relative=1e-4"}) {
    const RemeshRun done =
        run_remeshed(kHeldBeam, {gain, "bodies[0].remesh.max_nodes=2000", "bodies[0].remesh.rounds=20"});
    const double own = std::abs(find_tip(done) - reference);
    EXPECT_LT(own, error) << gain;
    EXPECT_GT(done.reports.back().remesh.nodes, nodes);
    error = own;
    nodes = done.reports.back().remesh.nodes;
  }
  EXPECT_LT(error, std::abs(find_tip(uniform) - reference));
}

TEST(Remesh, nothing_is_split_where_nothing_strains) {
  const RemeshRun falling =
      run_remeshed(kThrownBar, {"bodies[0].angular_velocity=[0,0,0]", "gravity=[0,-9.81,0]"});
  EXPECT_EQ(count_splits(falling), 0);
}

TEST(Remesh, mass_and_momentum_are_kept) {
  const RemeshRun done = run_remeshed(kThrownBar);
  EXPECT_GT(count_splits(done), 10);
  const double mass = 1000 * 0.09;
  for (size_t k = 0; k < done.reports.size(); ++k) {
    EXPECT_NEAR(done.masses[k], mass, 1e-12 * mass);
    EXPECT_LT((done.reports[k].momentum - mass * Vec3(1, 2, 3)).norm(), 1e-6 * mass);
  }
  // Implicit Euler loses angular momentum by itself: as much as without remeshing.
  const RemeshRun plain = run_remeshed(kThrownBar, {"bodies[0].remesh.max_nodes=4"});
  ASSERT_EQ(count_splits(plain), 0);
  const Vec3 first = plain.reports.front().angular_momentum;
  const auto lost = [&](const RemeshRun& one) {
    return (one.reports.back().angular_momentum - one.reports.front().angular_momentum).norm() / first.norm();
  };
  EXPECT_LT(std::abs(lost(done) - lost(plain)), 0.01);
}

// What a split does to the vectors of a state, by itself: nothing that can be measured.
TEST(Remesh, a_split_keeps_mass_momentum_and_energy_of_the_start) {
  BuiltScene built = build_text(kThrownBar);
  State state = built.state;
  for (Index i = 0; i < state.velocities.size(); ++i) state.velocities[i] += std::sin(3.0 * i);
  BodySplits splits(built.model, built.model.remeshed[0], state.nodes, state.nodes);
  for (const Edge& edge : unique_edges(built.model.kinematics.bodies[0].rest.tets)) splits.split(edge);
  ASSERT_GT(splits.made(), 30);
  const Model finer = apply_meshes(built.model, {splits.make_mesh(nullptr)});
  State carried = state;
  for (VecX* values : {&carried.nodes, &carried.velocities}) {
    for (const Edge& ends : splits.list_parents()) {
      const Vec3 middle = 0.5 * (values->segment<3>(3 * ends[0]) + values->segment<3>(3 * ends[1]));
      values->conservativeResize(values->size() + 3);
      values->tail<3>() = middle;
    }
  }
  ASSERT_EQ(carried.nodes.size(), 3 * finer.kinematics.node_count);
  const double mass = 1000 * 0.09;
  const Vec3 p = compute_momentum(built.model, state), L = compute_angular_momentum(built.model, state);
  EXPECT_LT((compute_momentum(finer, carried) - p).norm(), 1e-12 * mass);
  EXPECT_LT((compute_angular_momentum(finer, carried) - L).norm(), 1e-12 * mass);
  const Energies before = compute_energies(built.model, state), after = compute_energies(finer, carried);
  EXPECT_NEAR(after.kinetic, before.kinetic, 1e-13 * before.kinetic);
  EXPECT_NEAR(after.elastic, before.elastic, 1e-9);
}

TEST(Remesh, resumed_run_has_the_same_bits) {
  const std::vector<std::string> coarse = {"bodies[0].shape.resolution=1"};
  for (const auto& [text, settings] :
       {std::pair(kThrownBar, std::vector<std::string>()), std::pair(kBallOnSpike, coarse)}) {
    const RemeshRun whole = run_remeshed(text, settings);
    const RemeshRun half = run_remeshed(text, settings, 8);
    ASSERT_GT(count_splits(half), 0);
    const RemeshRun rest = run_remeshed(text, settings, 1000, &half.state);
    ASSERT_EQ(rest.state.step, whole.state.step);
    EXPECT_EQ(rest.state.nodes, whole.state.nodes);
    EXPECT_EQ(rest.state.velocities, whole.state.velocities);
    EXPECT_EQ(rest.state.meshes[0]->tets, whole.state.meshes[0]->tets);
  }
}

TEST(Remesh, one_thread_and_two_have_the_same_bits) {
  const int before = exec::thread_count();
  exec::set_thread_count(1);
  const RemeshRun one = run_remeshed(kBallOnSpike, {"bodies[0].shape.resolution=1"});
  exec::set_thread_count(2);
  const RemeshRun two = run_remeshed(kBallOnSpike, {"bodies[0].shape.resolution=1"});
  exec::set_thread_count(before);
  EXPECT_GT(count_splits(one), 20);
  EXPECT_EQ(one.state.nodes, two.state.nodes);
}

TEST(Remesh, ball_becomes_fine_where_the_spike_presses) {
  const RemeshRun done = run_remeshed(kBallOnSpike, {"bodies[0].shape.resolution=1"});
  const StepReport& last = done.reports.back();
  EXPECT_GT(count_splits(done), 20);
  const ChangedMesh& mesh = *done.state.meshes[0];
  double nearest = 0, all = 0;
  int near_count = 0, count = 0;
  for (size_t i = 0; i < mesh.origins.size(); ++i) {
    if (mesh.origins[i] != kNone) continue;
    const double distance = (mesh.points[i] - Vec3(0.03, 0.23, 0.02)).norm();
    all += distance;
    ++count;
    if (distance < 0.2) {
      ++near_count;
      nearest += distance;
    }
  }
  EXPECT_GT(near_count, count / 2) << all / count << " " << nearest;
  EXPECT_GT(last.contacts, 0U);
}

TEST(Remesh, nodes_stay_below_the_cap) {
  const RemeshRun done =
      run_remeshed(kThrownBar, {"bodies[0].remesh.max_nodes=60", "bodies[0].remesh.gain_relative=1e-6"});
  EXPECT_EQ(done.reports.back().remesh.nodes, 60);
  EXPECT_TRUE(done.reports.back().remesh.is_capped);
}

TEST(Remesh, other_bodies_keep_their_parts) {
  const char* const text = R"({
    "time": {"step": 0.01, "duration": 0.02}, "gravity": [0, 0, 0],
    "bodies": [
     {"name": "first", "shape": {"type": "box", "size": [1, 0.3, 0.3], "cells_x": 4}, "remesh": {},
      "material": {"youngs_modulus": 2e4}, "angular_velocity": [0, 12, 5]},
     {"name": "tile", "kind": "affine", "shape": {"type": "box"}, "position": [3, 0, 0], "velocity": [0, 1, 0]},
     {"name": "held", "shape": {"type": "box"}, "position": [6, 0, 0],
      "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}, "velocity": [0, 1, 0]}]}]})";
  const RemeshRun done = run_remeshed(text);
  EXPECT_GT(count_splits(done), 0);
  const BuiltScene plain = build_text(text);
  const Model& model = done.built->model;
  EXPECT_EQ(model.kinematics.affine_elements.size(), 1U);
  const Vec3 moved =
      test::get_mean(model, done.state.nodes, 1) - test::get_mean(plain.model, plain.state.nodes, 1);
  EXPECT_LT((moved - Vec3(0, 0.02, 0)).norm(), 1e-9);
  const Body& held = model.kinematics.bodies[2];
  EXPECT_EQ(model.prescribed[0].nodes.size(), plain.model.prescribed[0].nodes.size());
  for (size_t i = 0; i < model.prescribed[0].nodes.size(); ++i) {
    const Index node = model.prescribed[0].nodes[i];
    ASSERT_GE(node, held.first_node);
    EXPECT_LT(
        (done.state.nodes.segment<3>(3 * node) - model.prescribed[0].initial[i] - Vec3(0, 0.02, 0)).norm(),
        1e-12);
  }
}

// Where all of a face is prescribed, so are the points that are made on it.
TEST(Remesh, made_points_of_a_held_face_are_held) {
  const RemeshRun done =
      run_remeshed(kHeldBeam, {"bodies[0].remesh.gain_relative=1e-5", "bodies[0].remesh.rounds=20",
                               "bodies[0].remesh.min_quality=0.6"});
  const Model& model = done.built->model;
  int on_face = 0;
  for (Index i = 0; i < model.kinematics.node_count; ++i) {
    if (model.initial_nodes[3 * i] > -1 + 1e-12) continue;
    ++on_face;
    EXPECT_EQ(done.state.nodes.segment<3>(3 * i), model.initial_nodes.segment<3>(3 * i));
  }
  EXPECT_GT(on_face, 4);
  EXPECT_FALSE(done.state.meshes[0]->held.empty());
}

}  // namespace
}  // namespace marrow
