// Contact that is only detected: medial bodies through culling and voxels, edges without vertices, a body
// inside of itself, and hands.
#include <gtest/gtest.h>

#include <cstdlib>

#include "built_scenes.h"
#include "core/temporary_folder.h"
#include "sim/model/make_grab.h"
#include "sim/projective/penetrations.h"
#include "sim/projective/separation.h"

namespace marrow {
namespace {

using test::build_text;

class DetectedContact : public testing::Test {
 protected:
  void SetUp() override { setenv("MARROW_CACHE", store_.path.c_str(), 1); }
  void TearDown() override { unsetenv("MARROW_CACHE"); }

 private:
  TemporaryFolder store_;
};

std::string detected(const std::string& bodies, const std::string& more = "") {
  return fmt::format(R"({{
    "time": {{"step": 0.01, "duration": 0.3}}, "gravity": [0, 0, 0], {}
    "solver": {{"stepper": "projective", "projective": {{"contact": "detected"}}}},
    "bodies": [{}]}})",
                     more, bodies);
}

std::string rod(const std::string& name, const std::string& place, const std::string& more = "") {
  return fmt::format(R"({{"name": "{}", "kind": "medial", "handles": 8, "cells": 10, "weight_threshold": 0.01,
    "shape": {{"type": "rod", "length": 1, "radius": 0.08, "resolution": 3, "segments": 16}}, {} {},
    "material": {{"youngs_modulus": 1e5}}}})",
                     name, more, place);
}

Vec3 mean_of_first(const BuiltScene& built) { return test::get_mean(built.model, built.state.nodes, 0); }

std::vector<Penetration> find_all(const Model& model, const VecX& n) {
  PenetrationFinder finder(model);
  Points x;
  compute_points(model.kinematics, n, x);
  std::vector<Penetration> found;
  finder.find(n, x, nullptr, found);
  return found;
}

// A vertex of the one in the other, or two triangles; as (points, body).
using Entry = std::tuple<std::array<Index, 3>, Index, std::array<Index, 3>>;
std::vector<Entry> list_entries(const std::vector<Penetration>& found) {
  std::vector<Entry> entries;
  for (const Penetration& p : found) {
    if (p.body == p.point_body) continue;
    const bool is_vertex = p.points[1] == kNone;
    entries.push_back({p.points, p.body, is_vertex ? std::array<Index, 3>{} : p.corners});
  }
  // Which of two triangles is named first depends on the way that found them.
  for (auto& [points, body, corners] : entries) {
    if (points[1] != kNone && corners < points) {
      std::swap(points, corners);
      body = 0;
    } else if (points[1] != kNone) {
      body = 0;
    }
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

}  // namespace

// Culling and voxels find what the search over all triangles finds, in every place and bend.
TEST_F(DetectedContact, medial_bodies_are_found_as_without_their_primitives) {
  BuiltScene built = build_text(detected(rod("a", R"("position": [0, 0, 0])") + ", " +
                                         rod("b", R"("position": [0, 0.3, 0], "rotation": [0, 60, 20])")));
  Model plain = built.model;
  for (ReducedElements& reduced : plain.kinematics.reduced) reduced.medial = Mesh();
  const Body& second = built.model.kinematics.bodies[1];
  size_t vertices = 0;
  for (int k = 0; k < 24; ++k) {
    VecX n = built.state.nodes;
    for (Index i = 0; i < n.size() / 3; ++i) {
      Vec3 x = n.segment<3>(3 * i);
      if (i >= second.first_node) x += Vec3(0.02 * (k % 5), -0.02 * k, 0.01 * (k % 3));
      n.segment<3>(3 * i) = x + Vec3(0, 0.3 * x.x() * x.x() * (k % 4), 0);
    }
    const std::vector<Penetration> found = find_all(built.model, n);
    EXPECT_EQ(list_entries(found), list_entries(find_all(plain, n))) << k;
    for (const Penetration& p : found) vertices += p.points[1] == kNone ? 1 : 0;
  }
  EXPECT_GT(vertices, 100u);
}

// Two bars cross like the arms of a cross: no vertex of either is in the other.
TEST_F(DetectedContact, edges_alone_are_drawn_apart) {
  const std::string bar = R"({"name": "bar", "position": [0, 0.14, 0],
    "shape": {"type": "box", "size": [1, 0.1, 0.1], "cells_x": 1, "cells_y": 1, "cells_z": 1}},
    {"name": "across", "kind": "obstacle", "position": [0, 0, 0],
    "shape": {"type": "box", "size": [0.1, 0.1, 1], "cells_x": 1, "cells_y": 1, "cells_z": 1}})";
  BuiltScene built = build_text(detected(bar));
  VecX n = built.state.nodes;
  const Body& body = built.model.kinematics.bodies[0];
  for (Index i = 0; i < body.node_count; ++i) n[3 * (body.first_node + i) + 1] -= 0.06;
  const std::vector<Penetration> found = find_all(built.model, n);
  ASSERT_FALSE(found.empty());
  double deepest = 0;
  for (const Penetration& p : found) {
    EXPECT_NE(p.points[1], kNone);
    deepest = std::max(deepest, p.depth);
  }
  EXPECT_NEAR(deepest, 0.02, 1e-9);

  // Thrown at it slowly, it stays above.
  BuiltScene thrown = build_text(detected(bar), {"bodies[0].velocity=[0,-1,0]"});
  RunHooks hooks;
  size_t contacts = 0;
  hooks.on_step = [&](const State&, const StepReport& report) { contacts += report.contacts; };
  EXPECT_EQ(simulate(thrown.model, thrown.state, hooks).end, RunEnd::Finished);
  EXPECT_GT(contacts, 0u);
  EXPECT_GT(mean_of_first(thrown).y(), 0.08);
}

// A rod is bent until its ends are in each other: both are found, and only the ends.
TEST_F(DetectedContact, a_body_inside_of_itself_is_found) {
  BuiltScene built = build_text(detected(rod("rod", R"("position": [0, 0, 0])")));
  EXPECT_TRUE(find_all(built.model, built.state.nodes).empty());
  const auto bend = [&](double turns) {
    VecX n = built.state.nodes;
    Vec3 least = Vec3::Constant(1e9), most = -least;
    for (Index i = 0; i < n.size() / 3; ++i) {
      least = least.cwiseMin(Vec3(n.segment<3>(3 * i)));
      most = most.cwiseMax(Vec3(n.segment<3>(3 * i)));
    }
    Index axis = 0;
    (most - least).maxCoeff(&axis);
    const Index other = (axis + 1) % 3;
    const double radius = 1 / turns;
    for (Index i = 0; i < n.size() / 3; ++i) {
      const double angle = n[3 * i + axis] / radius, r = radius - n[3 * i + other];
      n[3 * i + axis] = r * std::sin(angle);
      n[3 * i + other] = radius - r * std::cos(angle);
    }
    return n;
  };
  EXPECT_TRUE(find_all(built.model, bend(4)).empty());
  const VecX closed = bend(6.4);
  const std::vector<Penetration> found = find_all(built.model, closed);
  ASSERT_FALSE(found.empty());
  const Points& rest = built.model.kinematics.bodies[0].rest.points;
  for (const Penetration& p : found) {
    EXPECT_EQ(p.body, p.point_body);
    EXPECT_GT(rest[static_cast<size_t>(p.points[0])].cwiseAbs().maxCoeff(), 0.25);
  }
}

// Triangles that are moved by the depth along the direction no longer meet, and do if moved by less.
TEST_F(DetectedContact, separation_is_what_separates) {
  const Points x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -0.1}, {0.3, 0.2, 0.5}, {0.2, 0.4, 0.5}};
  const Crossing crossing = {0, 1, {0, 1, 2}, {3, 4, 5}, Vec3(0, 0.2, -1)};
  const Separation found = find_separation(x, crossing);
  EXPECT_GT(found.depth, 0);
  EXPECT_LE(found.depth, 0.5 + 1e-12);
  const auto gap_after = [&](double share) {
    double front = 1e9, back = -1e9;
    for (size_t k = 0; k < 3; ++k) {
      front = std::min(front, found.direction.dot(x[k] + share * found.depth * found.direction));
      back = std::max(back, found.direction.dot(x[3 + k]));
    }
    return front - back;
  };
  EXPECT_NEAR(gap_after(1), 0, 1e-12);
  EXPECT_LT(gap_after(0.9), 0);
  EXPECT_NEAR(found.weights_a.sum(), 1, 1e-12);
  EXPECT_NEAR(found.weights_b.sum(), 1, 1e-12);
}

// A hand draws a body as it does with Newton, and its force stays below the limit.
TEST_F(DetectedContact, a_hand_draws_bodies) {
  const std::string cube = R"({"name": "cube", "position": [0, 1, 0],
    "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 3, "cells_y": 3, "cells_z": 3},
    "material": {"youngs_modulus": 1e5}})";
  for (const std::string& body : {cube, rod("cube", R"("position": [0, 1, 0])")}) {
    const auto play = [&](const std::vector<std::string>& overrides) {
      BuiltScene built = build_text(detected(body, R"("contact": {"enabled": false},)"), overrides);
      RunHooks hooks;
      const Vec3 target = mean_of_first(built) + Vec3(0.3, 0.1, 0);
      hooks.take_inputs = [&](const State&) {
        StepInputs inputs;
        inputs.grabs.push_back(make_grab(built.model, {0, {0}, {1}}, target, 5));
        return inputs;
      };
      double most = 0;
      hooks.on_step = [&](const State&, const StepReport& report) {
        EXPECT_EQ(report.pulls.size(), 1u);
        most = std::max(most, report.pulls.at(0).force.norm() / report.pulls.at(0).most_force);
      };
      EXPECT_EQ(simulate(built.model, built.state, hooks).end, RunEnd::Finished);
      EXPECT_LE(most, 1);
      EXPECT_GT(most, 0.1);
      return mean_of_first(built);
    };
    const Vec3 start(0, 1, 0), moved = play({}),
                               exact = play({"solver.stepper=newton", "solver.projective.contact=certified"});
    EXPECT_GT((exact - start).norm(), 0.05);
    EXPECT_LT((moved - exact).norm(), 0.15 * (exact - start).norm());
  }
}

}  // namespace marrow
