// Newton steps of stiff bodies that turn.
//
// Nodes of soft and affine bodies go straight, so a body that turns by θ on its way is stretched by θ²/2, and
// where it is stiff, the line search lets it turn by next to nothing an iteration. Where a step is nearly a
// turn, its end is bent onto the circle instead: to first order the same, and not stretched.
//
//   d_i ≈ t + ω × r_i + e_i        →        x_i = c + t + exp([ω]) (r_i + e_i)
//
// with r_i = x_i − c, c the mean of the nodes, and t and ω the body's share of the step that is rigid.
#pragma once

#include "kinematics/body.h"
#include "kinematics/node_path.h"

namespace marrow {

// What is worth bending.
struct RotationLimits {
  double stretch = 0;  // of soft and medial bodies, ½ θ² times their radius [m]
  double turn = 0;     // of affine bodies, which are so stiff that a stretch costs more than it is long [rad]
};

class RotatedSteps {
 public:
  RotatedSteps() = default;

  // Finds the bodies that swing on this way: bent ends would differ by more than the least, and what is not a
  // turn is small. Bodies with fixed nodes do not.
  RotatedSteps(const Kinematics& kinematics, const std::vector<char>& is_fixed, const NodePath& path,
               const RotationLimits& least);

  bool is_empty() const { return steps_.empty(); }

  // The straight way to where the bodies are after this part of the path.
  NodePath bend(const NodePath& path, double part) const;

 private:
  struct RotatedStep {
    Index first_node, node_count;
    Vec3 center, shift, rotation;
  };
  std::vector<RotatedStep> steps_;
};

}  // namespace marrow
