// The size of a body at rest decides which collisions are fast.
#pragma once

#include "kinematics/body.h"

namespace marrow {

struct BodySize {
  // Half of the smallest extent, along the body's own axes: a body that moves farther can get around it. For
  // flat bodies it is half of the smaller side, for wires half of the length; it is infinite for obstacles
  // and loose points. [m]
  double half_width = 0;
  double radius = 0;      // the farthest point from the mean of the nodes [m]
  double node_ratio = 1;  // the same over the farthest node; 1 if points are nodes
};

// nodes: all, at rest.
BodySize measure_body(const Body& body, const VecX& nodes);

}  // namespace marrow
