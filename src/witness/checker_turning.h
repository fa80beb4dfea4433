// The witness over paths on which bodies turn: x(t) = c + t shift + R(t rotation) (x₀ − c).
//
// A piece of such a path of length h stays within h²/8 |rotation|² |x₀ − c| of its chord. So it is free if
// the chords are, with the points' radii grown by that much and by the rounding of the chords' ends. A piece
// that is not shown free is cut in two, and these again: what is free with some gap is shown so, what touches
// is listed.
#pragma once

#include "witness/checker.h"

namespace marrow {

struct BodyTurn {
  Index body = 0;
  Vec3 center = Vec3::Zero();    // at first
  Vec3 shift = Vec3::Zero();     // of the whole path [m]
  Vec3 rotation = Vec3::Zero();  // of the whole path: rotation vector [rad]
};

// As check_motion, for points that go straight from x0 to x1 but for those of the bodies that turn. Bodies
// with turns must ignore themselves: their own shape is not looked at.
TrajectoryReport check_turning_motion(const SurfaceSet& surfaces, const Points& x0, const Points& x1,
                                      const std::vector<BodyTurn>& turns, const CheckerOptions& options = {});

}  // namespace marrow
