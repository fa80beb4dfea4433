// Hands are the state of play: what is held where, and which settings apply. They follow from the inputs so
// far and from nothing else, so that the same inputs give the same run.
#pragma once

#include <map>

#include "play/input.h"

namespace marrow {

struct Hold {
  std::vector<Index> points;
  std::vector<double> weights;
  Vec3 target = Vec3::Zero();
  double strength = kUsualStrength;
  bool operator==(const Hold&) const = default;
};

struct Hands {
  std::map<Index, Hold> held;   // by body
  std::optional<Vec3> gravity;  // empty: that of the scene
  std::optional<double> friction;
  std::vector<double> stiffness;  // factor by body; empty: all 1

  // Returns what is wrong (moving or releasing what is not held, grabbing what is), or an empty text.
  std::string apply(const Input& input, size_t body_count);
};

// One release for each body that is held.
std::vector<Input> release_all(const Hands& hands, int step);

}  // namespace marrow
