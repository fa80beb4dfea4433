// This file bends the Newton steps of bodies that turn onto arcs.
//
// Nodes of soft and affine bodies move straight, so a body that turns by θ on its path is stretched by θ²/2.
// If it is stiff, the line search lets it turn by next to nothing per iteration. So if a step is nearly a
// rotation, its end is bent onto the circle: it is the same to first order, and not stretched.
//
//   d_i ≈ t + ω × r_i + e_i        →        x_i = c + t + exp([ω]) (r_i + e_i)
//
// with r_i = x_i − c, c the mean of the nodes, and t and ω the rigid part of the body's step.
#pragma once

#include "kinematics/body.h"
#include "kinematics/node_path.h"

namespace marrow {

// Steps below these limits are not bent.
struct RotationLimits {
  double stretch = 0;  // of soft and medial bodies, ½ θ² times their radius [m]
  double turn = 0;     // of affine bodies, which are so stiff that a stretch costs more than it is long [rad]
};

class RotatedSteps {
 public:
  RotatedSteps() = default;

  // Finds the bodies that turn on this path: their bent ends would differ by more than least, and the part of
  // the step that is not a rotation is small. Bodies with fixed nodes are left out.
  RotatedSteps(const Kinematics& kinematics, const std::vector<char>& is_fixed, const NodePath& path,
               const RotationLimits& least);

  bool is_empty() const { return steps_.empty(); }

  // The straight path to the positions of the bodies after this part of the path.
  NodePath bend(const NodePath& path, double part) const;

 private:
  struct RotatedStep {
    Index first_node, node_count;
    Vec3 center, shift, rotation;
  };
  std::vector<RotatedStep> steps_;
};

}  // namespace marrow
