// Scenes for the tests of the time step that need bodies of several kinds, contact or joints.
#pragma once

#include <fmt/format.h>

#include "scene/build/build.h"
#include "scene/read_scene.h"
#include "sim/simulate.h"

namespace marrow::test {

// overrides: as on the command line.
inline BuiltScene build_text(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return build_scene(parse_scene(text, "scene", overrides), "scene");
}

// The nodes of a body.
inline VecX get_nodes(const Model& model, const VecX& n, size_t body) {
  const Body& b = model.kinematics.bodies[body];
  return n.segment(3 * b.first_node, 3 * b.node_count);
}

// The mean of a vector over the nodes of a body; of stiff bodies, whose nodes weigh the same, that of the
// centre.
inline Vec3 get_mean(const Model& model, const VecX& v, size_t body) {
  const Body& b = model.kinematics.bodies[body];
  return compute_mean(v, b.first_node, b.node_count);
}

// Sets the velocity of every node of a body.
inline void set_velocity(const Model& model, size_t body, const Vec3& velocity, State& state) {
  const Body& b = model.kinematics.bodies[body];
  state.velocities.segment(3 * b.first_node, 3 * b.node_count) = velocity.replicate(b.node_count, 1);
}

}  // namespace marrow::test
