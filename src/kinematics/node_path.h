// The way nodes take in a line search, over α from 0 to 1: straight, but rigid bodies turn evenly about an
// axis while their centre goes straight.
#pragma once

#include "geometry/ccd/curved.h"

namespace marrow {

// A rigid body's way.
struct Turn : TurningFrame {
  Index body = 0;
  Index first_node = 0;  // of four
};

// No way turns a body by more than this, so that where it ends tells how it went. [rad]
inline constexpr double kLargestTurn = 1.5;

struct NodePath {
  VecX start;
  VecX direction;  // the way itself, where nothing turns; else its derivative at the start
  std::vector<Turn> turns;

  VecX at(double alpha) const;

  // Its first part, up to alpha.
  NodePath cut(double alpha) const;

  // How far it may be gone so that no body turns by more than kLargestTurn.
  double compute_turn_limit() const;
};

// The mean of nodes that follow each other.
Vec3 compute_mean(const VecX& n, Index first_node, Index node_count);

}  // namespace marrow
