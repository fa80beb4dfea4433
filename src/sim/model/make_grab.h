// A grab of a body of a model: its spring follows from the body's mass, its size and gravity.
//
//   k = 50 m g/L     c = 2 √(k m)     F = strength m g
//
// m is the body's mass, L the diagonal of its box at rest, g the larger of gravity and 9.81 m/s². So the body
// hangs L/50 below the target, whatever its size, and the spring reaches its limit at strength · L/50.
#pragma once

#include "potentials/grab_springs.h"
#include "sim/model/model.h"

namespace marrow {

// What is held: a weighted mean of points of a body, by their numbers in it.
struct HeldPoint {
  Index body = 0;
  std::vector<Index> points;
  std::vector<double> weights;  // sum 1
};

// strength: the largest force, in weights of the body. The body must not be an obstacle.
Grab make_grab(const Model& model, const HeldPoint& held, const Vec3& target, double strength);

}  // namespace marrow
