// Nodes take this path in a line search, over α from 0 to 1. It is straight, except that rigid bodies turn
// uniformly about an axis while their centre moves straight.
#pragma once

#include "geometry/ccd/curved.h"

namespace marrow {

// The path of a rigid body.
struct Turn : TurningFrame {
  Index body = 0;
  Index first_node = 0;  // of four
};

// No path turns a body by more than this, so that its end determines the path. [rad]
inline constexpr double kLargestTurn = 1.5;

struct NodePath {
  VecX start;
  VecX direction;  // the path itself, if nothing turns; else its derivative at the start
  std::vector<Turn> turns;

  VecX at(double alpha) const;

  // Its first part, up to alpha.
  NodePath cut(double alpha) const;

  // The largest α at which no body has turned by more than kLargestTurn.
  double compute_turn_limit() const;
};

// The mean of consecutive nodes.
Vec3 compute_mean(const VecX& n, Index first_node, Index node_count);

}  // namespace marrow
