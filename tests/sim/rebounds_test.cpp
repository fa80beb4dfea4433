// What BDF2 does with the velocities of stiff bodies that have hit something, from made-up states.
#include "sim/integrators/rebounds.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "built_scenes.h"

namespace marrow {
namespace {

using test::build_text;
using test::get_mean;
using test::get_nodes;
using test::set_velocity;

enum : Index { kFloor, kLight, kHeavy, kSoft, kFar };  // the bodies

// A floor, a rigid cube of 1 kg, one of 3 kg, a soft one of 2 kg, and one that touches none of them.
struct Fallen {
  BuiltScene built;
  std::vector<char> is_fixed;
  State before;
  VecX path, velocities;

  Fallen() : built(build()) {
    is_fixed.assign(static_cast<size_t>(built.model.kinematics.node_count), 0);
    before = built.state;
    for (const Index body : {kLight, kHeavy, kSoft, kFar}) set(body, Vec3(0, -1, 0), before.velocities);
    before.previous_velocities = before.velocities;  // they have fallen like this for long
    path = velocities = before.velocities;
  }

  static BuiltScene build() {
    const auto cube = [](const char* name, const char* kind, double x, double density) {
      return fmt::format(R"({{"name": "{}", "kind": "{}", "shape": {{"type": "box", "size": [0.1, 0.1, 0.1],
                          "cells_x": 1, "cells_y": 1, "cells_z": 1}}, "position": [{}, 1, 0],
                          "material": {{"density": {}}}}})",
                         name, kind, x, density);
    };
    return build_text(fmt::format(
        R"({{"bodies": [{{"name": "floor", "kind": "obstacle", "shape": {{"type": "box", "cells_x": 1, "cells_y": 1,
            "cells_z": 1}}}}, {}, {}, {}, {}]}})",
        cube("light", "rigid", 0, 1000), cube("heavy", "rigid", 1, 3000), cube("soft", "soft", 2, 2000),
        cube("far", "rigid", 3, 1000)));
  }

  void set(Index body, const Vec3& velocity, VecX& v) const {
    State state;
    state.velocities = v;
    set_velocity(built.model, static_cast<size_t>(body), velocity, state);
    v = state.velocities;
  }
  // The body would go on with a velocity, and has gone its way with another.
  void hit(Index body, const Vec3& goes_on, const Vec3& way) {
    set(body, goes_on, velocities);
    set(body, way, path);
  }
  Vec3 get(Index body) const { return get_mean(built.model, velocities, static_cast<size_t>(body)); }

  std::vector<std::string> stop(const std::vector<IndexPair>& coupled) {
    std::vector<std::string> names;
    for (const Body* body : stop_rebounds(built.model, is_fixed, before, coupled, path, velocities)) {
      names.push_back(body->name);
    }
    return names;
  }
};

using Names = std::vector<std::string>;
const Vec3 kUp(0, 0.5, 0), kStopped(0, -0.1, 0);

}  // namespace

TEST(Rebounds, a_stiff_body_that_hit_the_floor_takes_the_velocity_of_its_way) {
  Fallen scene;
  scene.hit(kLight, kUp, kStopped);
  EXPECT_EQ(scene.stop({{kFloor, kLight}}), Names{"light"});
  EXPECT_EQ(scene.get(kLight), kStopped);
  EXPECT_EQ(scene.get(kFar), Vec3(0, -1, 0));
}

TEST(Rebounds, what_touches_nothing_or_goes_on_as_before_is_left) {
  Fallen alone, steady;
  alone.hit(kLight, kUp, kStopped);
  EXPECT_TRUE(alone.stop({}).empty());
  EXPECT_EQ(alone.get(kLight), kUp);
  // Twice the last velocity less that before is what is expected: it slows down from 1.6 over 1 to 0.4 m/s.
  steady.set(kLight, Vec3(0, -1.6, 0), steady.before.previous_velocities);
  steady.hit(kLight, Vec3(0, -0.4, 0), Vec3(0, -0.7, 0));
  EXPECT_TRUE(steady.stop({{kFloor, kLight}}).empty());
  EXPECT_EQ(steady.get(kLight), Vec3(0, -0.4, 0));
}

TEST(Rebounds, a_jump_below_what_newton_leaves_open_is_none) {
  for (const double factor : {0.5, 2.0}) {
    Fallen scene;
    const double unnoticed = scene.built.model.newton.tolerance * scene.built.model.size;
    scene.before.velocities.setZero();
    scene.before.previous_velocities.setZero();
    // The norm of four nodes is twice that of one.
    scene.hit(kLight, Vec3(0, 0.5 * factor * unnoticed, 0), Vec3::Zero());
    EXPECT_EQ(scene.stop({{kFloor, kLight}}).empty(), factor < 1) << factor;
  }
}

TEST(Rebounds, two_that_hit_each_other_keep_their_momentum_and_go_on_together_as_on_their_way) {
  Fallen scene;
  scene.hit(kLight, Vec3(0, 2, 0), Vec3(0, 0.5, 0));
  scene.hit(kHeavy, Vec3(1, -2, 0), Vec3(0.5, -1.5, 0));
  const Vec3 momentum = scene.get(kLight) + 3 * scene.get(kHeavy);
  EXPECT_EQ(scene.stop({{kLight, kHeavy}}), (Names{"light", "heavy"}));
  EXPECT_LE((scene.get(kLight) + 3 * scene.get(kHeavy) - momentum).norm(), 1e-12);
  EXPECT_LE((scene.get(kLight) - scene.get(kHeavy) - Vec3(-0.5, 2, 0)).norm(), 1e-12);
}

TEST(Rebounds, what_holds_one_of_them_takes_their_momentum) {
  // The floor, the world by a joint, a lock, a prescribed node.
  for (const int holder : {0, 1, 2, 3}) {
    Fallen scene;
    std::vector<IndexPair> coupled = {{kLight, kHeavy}};
    if (holder == 0) coupled.push_back({kFloor, kHeavy});
    if (holder == 1) coupled.push_back({kHeavy, kNone});
    if (holder == 2) scene.built.model.kinematics.bodies[kHeavy].is_locked[0] = true;
    if (holder == 3) scene.is_fixed[scene.built.model.kinematics.bodies[kHeavy].first_node] = 1;
    scene.hit(kLight, Vec3(0, 2, 0), Vec3(0, 0.5, 0));
    scene.hit(kHeavy, Vec3(1, -2, 0), Vec3(0.5, -1.5, 0));
    scene.stop(coupled);
    EXPECT_EQ(scene.get(kLight), Vec3(0, 0.5, 0)) << holder;
    EXPECT_EQ(scene.get(kHeavy), Vec3(0.5, -1.5, 0)) << holder;
  }
}

TEST(Rebounds, a_soft_body_rebounds_unless_a_stiff_one_hits_it) {
  Fallen alone, both;
  alone.hit(kSoft, kUp, kStopped);
  EXPECT_TRUE(alone.stop({{kFloor, kSoft}}).empty());
  EXPECT_EQ(alone.get(kSoft), kUp);
  both.hit(kSoft, kUp, kStopped);
  both.hit(kLight, Vec3(0, 2, 0), Vec3(0, 0.5, 0));
  const Vec3 momentum = both.get(kLight) + 2 * both.get(kSoft);
  EXPECT_EQ(both.stop({{kLight, kSoft}}), (Names{"light", "soft"}));
  EXPECT_LE((both.get(kLight) + 2 * both.get(kSoft) - momentum).norm(), 1e-12);
}

TEST(Rebounds, those_that_are_coupled_to_a_hit_body_by_others_stop_too) {
  Fallen scene;
  scene.hit(kLight, kUp, kStopped);
  scene.hit(kHeavy, Vec3(0, -0.9, 0), Vec3(0, -0.8, 0));  // has not jumped itself
  EXPECT_EQ(scene.stop({{kFloor, kLight}, {kSoft, kLight}, {kHeavy, kSoft}}),
            (Names{"light", "heavy", "soft"}));
  EXPECT_EQ(scene.get(kHeavy), Vec3(0, -0.8, 0));
}

TEST(Rebounds, for_the_next_step_they_have_always_moved_as_they_do_now) {
  Fallen scene;
  State state = scene.before;
  state.previous_nodes = VecX::Zero(state.nodes.size());
  state.path_velocities = VecX::Zero(state.nodes.size());
  scene.set(kLight, Vec3(1, 2, 3), state.velocities);
  scene.set(kSoft, Vec3(4, 5, 6), state.velocities);
  const Model& model = scene.built.model;
  restart_history({&model.kinematics.bodies[kLight], &model.kinematics.bodies[kSoft]}, 0.5, state);
  for (const size_t body : {kLight, kSoft}) {
    const VecX velocities = get_nodes(model, state.velocities, body);
    EXPECT_EQ(get_nodes(model, state.previous_velocities, body), velocities);
    EXPECT_EQ(get_nodes(model, state.path_velocities, body), velocities);
  }
  // A body that turns has its arms where it is now; the others come from where their velocity leads.
  EXPECT_EQ(get_nodes(model, state.previous_nodes, kLight), get_nodes(model, state.nodes, kLight));
  EXPECT_EQ(get_mean(model, state.nodes - state.previous_nodes, kSoft), Vec3(2, 2.5, 3));
  EXPECT_EQ(get_nodes(model, state.previous_nodes, kFar).norm(), 0);
}

}  // namespace marrow
