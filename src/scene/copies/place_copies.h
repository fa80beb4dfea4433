// Where copies stand.
#pragma once

#include <vector>

#include "math/expression.h"
#include "scene/copies/copies.h"

namespace marrow {

// A copy: the original turned about its own position, then shifted.
struct Copy {
  Variables numbers;  // what its expressions may name: index, i, j, k, count
  Vec3 shift = Vec3::Zero();
  Mat3 turn = Mat3::Identity();
};

// In the order of their index. Those of a scatter are without shift and turn.
std::vector<Copy> list_copies(const Copies& copies);

struct CopySphere {
  Vec3 center = Vec3::Zero();
  double radius = 0;
};

// Puts spheres one after the other at random places where they keep the gap to all before them and to those
// in taken, and adds them to taken. Returns how many found a place.
//
// The centres lie in the box, shifted by offset. The seed decides the places, whatever the machine.
size_t scatter_spheres(const ScatterCopies& scatter, const Vec3& offset, double gap,
                       std::vector<CopySphere>& spheres, std::vector<CopySphere>& taken);

// The rotation of a copy of that number, all equally likely.
Mat3 choose_turn(int seed, int index);

}  // namespace marrow
